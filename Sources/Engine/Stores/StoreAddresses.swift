import FoundationEssentials
import StoreSettings
import StoreTransfers
import Synchronization

/// The addresses to which the requests of each store may connect.
final class StoreAddresses: Sendable {
    private let settings: SettingsManager
    private let scopes = Mutex<[String: StoreScope]>([:])

    /// Creates the policies of no store.
    ///
    /// - Parameter settings: `network.allowLocalAddresses` lifts the restriction for all stores, at once.
    init(settings: SettingsManager) { self.settings = settings }

    /// Returns the policy for a request of a store.
    ///
    /// - Parameters:
    ///   - store: the store's name. For one that was removed, of which a pack is repaired, the URL decides.
    ///   - url: the URL of the request.
    func policy(for store: String, at url: URL) -> AddressPolicy {
        if settings.current.networkAllowLocalAddresses { return .any }
        return scopes.withLock { $0[store] }?.policy ?? (url.hasLocalHost ? .any : .publicOnly)
    }

    /// Returns the policy for requests of a store in a scope.
    func policy(in scope: StoreScope) -> AddressPolicy {
        settings.current.networkAllowLocalAddresses ? .any : scope.policy
    }

    /// Returns the scope of a store that was added, and keeps it.
    func scope(of store: StoreConfiguration) -> StoreScope {
        scopes.withLock { scopes in
            if let scope = scopes[store.name] { return scope }
            let scope = StoreScope(store)
            scopes[store.name] = scope
            return scope
        }
    }

    /// Sets the scope of a store that was added.
    func set(_ scope: StoreScope, of store: String) { scopes.withLock { $0[store] = scope } }

    /// Forgets the scope of a store that was removed.
    func remove(_ store: String) { scopes.withLock { $0[store] = nil } }
}
