public import FoundationEssentials
public import StoreModel
public import StoreSettings

/// The script of a scenario: products, the course of their downloads, and actions at given times.
///
/// A scenario plays in place of the network and the clock, for tests of front-ends. The actions are those of other
/// clients, the publisher and the machine. Times are relative to the scenario's beginning and refer to its virtual
/// clock.
public struct ScenarioScript: Sendable {
    /// The scenario's title for display.
    public let title: String
    /// The simulated date and time at the beginning of the scenario.
    public let begins: Date
    /// The name of the simulated store that offers the scenario's products.
    public let store: String
    /// The way in which the scenario's clock advances, unless an option of the command line overrides it.
    public let clock: ClockMode
    /// The settings of the daemon that the scenario changes, as text.
    public let settings: [SettingKey: String]
    /// The products that the scenario's store offers.
    public let products: [Product]
    /// The actions of the scenario that happen without a request, in order of their times.
    public let steps: [Step]

    /// The way in which the scenario's virtual clock advances.
    public enum ClockMode: String, Sendable, CaseIterable {
        /// The scenario's virtual clock advances only on request.
        case moved
        /// The scenario's virtual clock advances in real time.
        case real
    }

    /// A product of the scenario's simulated store.
    public struct Product: Sendable {
        public let productIdentifier: String
        public let kind: ProductKind
        public let name: String
        public let price: Price
        public let dependencies: [String]
        public let permissions: [Permission]
        /// The versions of the scenario's product, in the order in which they are published.
        public let versions: [Release]
    }

    /// A version of a product in the scenario's simulated store.
    public struct Release: Sendable {
        public let version: Version
        /// The exact size of the archive of the version, in bytes.
        public let size: Int
        /// The time at which the version is published, since the scenario's beginning.
        public let appears: Duration
        /// The course of each attempt to download the version's archive, in order.
        ///
        /// Further attempts succeed immediately.
        public let attempts: [[TransferEvent]]
    }

    /// An event of a scenario during an attempt to download an archive.
    public struct TransferEvent: Sendable {
        /// The time of the event since the attempt to download began.
        public let after: Duration
        public let action: Action

        /// The behaviour of the simulated transfer at the time of the event.
        public enum Action: Sendable, Equatable {
            /// The first `n` bytes of the archive have been received, where `n` is the associated value.
            case bytes(Int)
            /// No more bytes of the archive arrive, without an error.
            case stalls
            /// The server responds with an HTTP status from 400 to 599, optionally with `Retry-After` in seconds.
            case status(Int, retryAfter: Int?)
            /// The transfer of the archive fails with an error.
            case fails(TransferFailure)
        }
    }

    /// The way in which a simulated attempt to download fails; the raw value is the error code.
    public enum TransferFailure: String, Sendable, CaseIterable {
        /// The simulated attempt fails because the server refuses the connection.
        case unreachable = "transfer.unreachable"
        /// The simulated attempt fails because the connection breaks.
        case interrupted = "transfer.interrupted"
        /// The simulated attempt fails because the server's certificate is invalid.
        case insecure = "transfer.tls"
        /// The attempt fails because the hash of the bytes differs from the catalogue's, though all have arrived.
        case wrongBytes = "content.hash-mismatch"
    }

    /// A step of a scenario: an action of another client, the publisher or the machine at a given time.
    public struct Step: Sendable {
        public let at: Duration
        public let action: Action
        /// The identifier of the product that the action applies to.
        ///
        /// It is `nil` for actions without a product, and for an update of all.
        public let product: String?

        /// The action that a step of a scenario performs.
        public enum Action: String, Sendable, CaseIterable {
            case install, update, uninstall, rollback, cancel, pause, resume, grant, revoke
            /// The publisher of the scenario's store withdraws a product.
            case withdraw
            /// The daemon checks for updates, as it does periodically.
            case check
            /// The daemon of the scenario exits and starts again.
            case restart
            /// The simulated network is lost: transfers break, and no server can be reached.
            case disconnect
            /// The simulated network is available again after a ``disconnect``.
            case reconnect

            /// Whether a scenario's step with this action must name a product.
            var requiresProduct: Bool {
                switch self {
                case .update, .check, .restart, .disconnect, .reconnect: false
                default: true
                }
            }

            /// Whether a scenario's step with this action may name a product.
            var acceptsProduct: Bool { requiresProduct || self == .update }
        }
    }
}
