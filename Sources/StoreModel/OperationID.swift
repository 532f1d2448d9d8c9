public import FoundationEssentials
import Synchronization

/// The unique identifier of one operation (an install, update, uninstall, rollback or repair).
///
/// It is composed of the time and a random number, so that identifiers sort by time.
public struct OperationID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    private static let generator = Mutex(Generator())

    /// Creates a new identifier for an operation, which sorts after all that this process created earlier.
    public init(at date: Date = Date()) { self = Self.generator.withLock { $0.next(at: date) } }

    /// Generates identifiers of operations that increase: within a millisecond the random number is incremented.
    ///
    /// This is method 2 of RFC 9562, section 6.2.
    struct Generator {
        private var milliseconds: UInt64 = 0
        private var number: UInt64 = 0

        mutating func next(at date: Date) -> OperationID {
            let now = UInt64(max(0, date.millisecondsSince1970))
            // The highest bit is 0, so that there is room to increment.
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
