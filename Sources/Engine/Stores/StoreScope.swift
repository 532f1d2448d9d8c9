import FoundationEssentials
import StoreTransfers
import Synchronization

/// Whether a store is at a local address: loopback, link-local, private, or a file.
///
/// Only such a store may refer and redirect to hosts at local addresses. It is decided when the store is added, by the
/// address that its own host has then, and not again: otherwise a store could become local by another entry in its domain.
final class StoreScope: Sendable {
    private let decision: Mutex<Bool?>

    /// Creates the scope of a store that is being added, which the first response decides unless its URL does.
    init(adding url: URL) { decision = Mutex(url.hasLocalHost ? true : nil) }

    /// Creates the scope of a store that was added before; for one of a list without the decision, it is made once more.
    init(_ store: StoreConfiguration) { decision = Mutex(store.local ?? (store.url.hasLocalHost ? true : nil)) }

    /// Whether the store is at a local address; `nil` while that is not known.
    var isLocal: Bool? { decision.withLock(\.self) }

    /// The policy for requests for the store's catalogue, the first of which decides the scope.
    var policy: AddressPolicy {
        switch isLocal {
        case true?: .any
        case false?: .publicOnly
        case nil: .publicIfFirstIs
        }
    }

    /// Decides the scope by the first response to a request for the store's catalogue.
    func record(_ response: TransferResponse) {
        decision.withLock { $0 = $0 ?? response.isFromLocalHost }
    }
}
