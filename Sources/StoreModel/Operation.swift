public import FoundationEssentials
import Synchronization

/// The name of one operation. It never comes back: it begins with the time and ends with a random number.
public struct OperationID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    private static let names = Mutex(Names())

    /// A new one. Those of later times sort later, and so do those that one process makes later in one millisecond.
    public init(at date: Date = Date()) { self = Self.names.withLock { $0.next(at: date) } }

    /// Makes names one after another: in the same millisecond the random number is counted on (RFC 9562, 6.2, method 2).
    struct Names {
        private var milliseconds: UInt64 = 0
        private var number: UInt64 = 0

        mutating func next(at date: Date) -> OperationID {
            let now = UInt64(max(0, date.timeIntervalSince1970 * 1000))
            // Without the uppermost bit, so that there is room to count.
            number = now == milliseconds ? number + .random(in: 1...1 << 32) : .random(in: 0..<1 << 63)
            milliseconds = now
            return OperationID(rawValue: hex(now, digits: 12) + "-" + hex(number, digits: 16))
        }
    }

    private static func hex(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// What an operation does to the library.
public enum OperationAction: String, Sendable, Codable, CaseIterable {
    case install, update, uninstall, rollback, repair
}

/// How an operation ended. Each has one end.
public enum OperationEnd: String, Sendable, Codable, CaseIterable {
    case finished, cancelled, failed
}

/// One operation as the history keeps it.
public struct OperationRecord: Sendable, Hashable, Codable {
    public var operation: OperationID
    public var action: OperationAction
    public var productIdentifier: String
    @OrNull public var store: String?
    @OrNull public var version: Version?
    public var startedAt: Date
    @OrNull public var endedAt: Date?
    /// `nil` while it runs.
    @OrNull public var end: OperationEnd?
    @OrNull public var error: ErrorReport?

    public init(
        operation: OperationID, action: OperationAction, productIdentifier: String, store: String? = nil,
        version: Version? = nil, startedAt: Date, endedAt: Date? = nil, end: OperationEnd? = nil,
        error: ErrorReport? = nil
    ) {
        self.operation = operation
        self.action = action
        self.productIdentifier = productIdentifier
        self.store = store
        self.version = version
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.end = end
        self.error = error
    }
}
