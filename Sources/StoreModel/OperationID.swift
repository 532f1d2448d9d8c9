public import FoundationEssentials
import Synchronization

/// The unique identifier of one operation (an install, update, uninstall, rollback or repair).
///
/// It is composed of the time and a random number, so that identifiers sort by time. Any other text is an identifier too.
public struct OperationID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// An identifier that this type composed is stored as its two numbers, which take less memory than the text.
    private enum Content: Hashable {
        case composed(milliseconds: UInt64, number: UInt64)
        case text(String)
    }
    private let content: Content

    /// The identifier as text: the time in 12 hexadecimal digits, a hyphen, and the number in 16.
    public var rawValue: String {
        switch content {
        case .composed(let milliseconds, let number):
            String(unsafeUninitializedCapacity: Self.length) { text in
                Hexadecimal.write(milliseconds, to: text[..<Self.hyphen])
                text.initializeElement(at: Self.hyphen, to: UInt8(ascii: "-"))
                Hexadecimal.write(number, to: text[(Self.hyphen + 1)..<Self.length])
                return Self.length
            }
        case .text(let text): text
        }
    }

    public init(rawValue: String) {
        let text = rawValue.utf8
        if text.count == Self.length {
            let hyphen = text.index(text.startIndex, offsetBy: Self.hyphen)
            if text[hyphen] == UInt8(ascii: "-"), let milliseconds = Hexadecimal.number(text[..<hyphen]),
                let number = Hexadecimal.number(text[text.index(after: hyphen)...])
            {
                content = .composed(milliseconds: milliseconds, number: number)
                return
            }
        }
        content = .text(rawValue)
    }

    /// The place of the hyphen in a composed text, and the length of that text.
    private static let (hyphen, length) = (12, 29)

    public var description: String { rawValue }

    public static func == (a: OperationID, b: OperationID) -> Bool { a.content == b.content }
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }

    /// Orders identifiers as their texts are ordered: those that this type composed, by time.
    public static func < (a: OperationID, b: OperationID) -> Bool {
        if case .composed(let aTime, let aNumber) = a.content, case .composed(let bTime, let bNumber) = b.content {
            return (aTime, aNumber) < (bTime, bNumber)
        }
        return a.rawValue < b.rawValue
    }

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
            return OperationID(content: .composed(milliseconds: now, number: number))
        }
    }

    private init(content: Content) { self.content = content }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
