public import FoundationEssentials
public import StoreModel
public import StoreSettings

/// The script of a scenario: products, the course of their downloads, and actions at given times.
///
/// The actions are those of other clients, the publisher and the machine. Times are relative to the scenario's
/// beginning and refer to its virtual clock.
public struct ScenarioScript: Sendable {
    /// The scenario's title for display.
    public let title: String
    /// The date and time at the beginning of the scenario.
    public let begins: Date
    /// The name of the store that offers the products.
    public let store: String
    /// How the clock advances, unless an option of the command line overrides it.
    public let clock: ClockMode
    /// The settings of the daemon that the scenario changes, as text.
    public let settings: [SettingKey: String]
    /// The products that the scenario's store offers.
    public let products: [Product]
    /// Actions that happen without a request, in order of their times.
    public let steps: [Step]

    /// How the scenario's virtual clock advances.
    public enum ClockMode: String, Sendable, CaseIterable {
        /// The clock advances only on request.
        case moved
        /// The clock advances in real time.
        case real
    }

    /// A product of the scenario's store.
    public struct Product: Sendable {
        public let productIdentifier: String
        public let kind: ProductKind
        public let name: String
        public let price: Price
        public let dependencies: [String]
        public let permissions: [Permission]
        /// The versions, in the order in which they are published.
        public let versions: [Release]
    }

    /// One version of a product in the scenario's store.
    public struct Release: Sendable {
        public let version: Version
        /// The exact size of the version's archive, in bytes.
        public let size: Int
        /// The time at which the version is published.
        public let appears: Duration
        /// The course of each attempt to download the archive, in order; further attempts succeed immediately.
        public let attempts: [[TransferEvent]]
    }

    /// An event during an attempt to download an archive.
    public struct TransferEvent: Sendable {
        /// The time of the event since the attempt began.
        public let after: Duration
        public let action: Action

        /// What happens to the transfer at the time of the event.
        public enum Action: Sendable, Equatable {
            /// The first `n` bytes of the archive have been received.
            case bytes(Int)
            /// No more bytes arrive, without an error.
            case stalls
            /// The server responds with a status from 400 to 599, optionally with `Retry-After` in seconds.
            case status(Int, retryAfter: Int?)
            /// The transfer fails with an error.
            case fails(TransferFailure)
        }
    }

    /// How an attempt to download fails; the raw value is the error code.
    public enum TransferFailure: String, Sendable, CaseIterable {
        /// The attempt fails because the server refuses the connection.
        case unreachable = "transfer.unreachable"
        /// The attempt fails because the connection breaks.
        case interrupted = "transfer.interrupted"
        /// The attempt fails because the server's certificate is invalid.
        case insecure = "transfer.tls"
        /// All bytes arrive, but their hash differs from the catalogue's.
        case wrongBytes = "content.hash-mismatch"
    }

    /// An action of another client, the publisher or the machine at a given time.
    public struct Step: Sendable {
        public let at: Duration
        public let action: Action
        /// The product that the action applies to; `nil` for actions without a product, and for an update of all.
        public let product: String?

        /// The action that a step performs.
        public enum Action: String, Sendable, CaseIterable {
            case install, update, uninstall, rollback, cancel, pause, resume, grant, revoke
            /// The publisher withdraws a product.
            case withdraw
            /// The daemon checks for updates.
            case check
            /// The daemon exits and starts again.
            case restart
            /// The network is lost: transfers break, and no server can be reached.
            case disconnect
            /// The network is available again after a ``disconnect``.
            case reconnect

            /// Whether the action requires a product.
            var requiresProduct: Bool {
                switch self {
                case .update, .check, .restart, .disconnect, .reconnect: false
                default: true
                }
            }

            /// Whether the action accepts a product.
            var acceptsProduct: Bool { requiresProduct || self == .update }
        }
    }
}
