public import FoundationEssentials
public import StoreModel
public import StoreSettings

/// What is to happen, written down: products, what becomes of their downloads, and what others do meanwhile.
///
/// Times count from the story's beginning, on its own clock.
public struct Story: Sendable {
    public let title: String
    /// The time of day at the beginning.
    public let begins: Date
    /// What the store is called that the products are in.
    public let store: String
    public let clock: Clock
    public let settings: [SettingKey: String]
    public let products: [Product]
    /// In the order of their times.
    public let steps: [Step]

    /// Who moves the clock.
    public enum Clock: String, Sendable, CaseIterable {
        /// It stands still until somebody moves it.
        case moved
        /// It runs as the machine's does.
        case real
    }

    public struct Product: Sendable {
        public let productIdentifier: String
        public let kind: ProductKind
        public let name: String
        public let price: Price
        public let dependencies: [String]
        public let permissions: [Permission]
        /// The one that appears first, first.
        public let versions: [Release]
    }

    /// A version of a product.
    public struct Release: Sendable {
        public let version: Version
        /// Of its archive, in bytes.
        public let size: Int
        /// When the store has it.
        public let appears: Duration
        /// What becomes of each attempt to download it, in turn. Those after them bring all that is missing, at once.
        public let attempts: [[Moment]]
    }

    /// Something that happens in an attempt.
    public struct Moment: Sendable {
        /// Since the attempt began.
        public let after: Duration
        public let happening: Happening

        public enum Happening: Sendable, Equatable {
            /// So many of the archive's bytes are here.
            case bytes(Int)
            /// No more bytes come, and nothing tells why.
            case stalls
            /// The server answers so.
            case status(Int, retryAfter: Int?)
            case fails(Failure)
        }
    }

    /// How an attempt fails, by the word that clients are told.
    public enum Failure: String, Sendable, CaseIterable {
        /// The server refuses connections.
        case unreachable = "transfer.unreachable"
        /// The connection breaks.
        case interrupted = "transfer.interrupted"
        /// The server does not prove who it is.
        case insecure = "transfer.tls"
        /// All bytes come, and they are not those that the store promised.
        case wrongBytes = "content.hash-mismatch"
    }

    /// Something that happens by itself: what another client does, or the publisher, or the machine.
    public struct Step: Sendable {
        public let at: Duration
        public let action: Action
        /// What it is done to; `nil` where it is done to none or to all.
        public let product: String?

        public enum Action: String, Sendable, CaseIterable {
            case install, update, uninstall, rollback, cancel, pause, resume, grant, revoke
            /// The publisher takes it out of the store.
            case withdraw
            /// The daemon looks for new versions.
            case check
            /// The daemon ends and starts again.
            case restart
            /// The machine's network goes away: what comes breaks, and nothing more can be reached.
            case disconnect
            /// It is back.
            case reconnect

            /// Whether it is of no sense without a product.
            var needsProduct: Bool {
                switch self {
                case .update, .check, .restart, .disconnect, .reconnect: false
                default: true
                }
            }

            /// Whether it may be done to one product.
            var takesProduct: Bool { needsProduct || self == .update }
        }
    }
}
