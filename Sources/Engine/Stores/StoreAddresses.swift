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

    /// Returns the policy for a request of a store that is not for its catalogue.
    ///
    /// - Parameters:
    ///   - store: the store's name. One that was removed, of which a pack is repaired, counts as public: whether it was
    ///     is not recorded, and the URL in the receipt is what the store chose.
    func policy(for store: String) -> AddressPolicy {
        if settings.current.networkAllowLocalAddresses { return .any }
        return scopes.withLock { $0[store]?.isLocal } == true ? .any : .publicOnly
    }

    /// Returns the policy for requests for the catalogue of a store in a scope.
    func policy(in scope: StoreScope) -> AddressPolicy {
        settings.current.networkAllowLocalAddresses ? .any : scope.policy
    }

    /// Sets the scopes of all stores that the user added, by the store's name.
    func set(_ scopes: [String: StoreScope]) { self.scopes.withLock { $0 = scopes } }
}
