import Crypto

/// A SHA-256 digest: 32 bytes, written as 64 lower-case hexadecimal digits.
public struct SHA256Digest: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The 32 bytes of the SHA-256 digest.
    public let bytes: [UInt8]

    /// Computes the SHA-256 digest of bytes in memory.
    public init(of data: some Sequence<UInt8>) {
        var hasher = SHA256Hasher()
        hasher.update(Array(data))
        self = hasher.finalize()
    }

    /// Creates a SHA-256 digest from 64 hexadecimal digits; `nil` for any other text.
    public init?(hex: String) {
        guard hex.utf8.count == 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        for (place, character) in hex.utf8.enumerated() {
            guard let digit = Self.value(ofDigit: character) else { return nil }
            bytes[place / 2] = bytes[place / 2] << 4 | digit
        }
        self.bytes = bytes
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// The SHA-256 digest as 64 lower-case hexadecimal digits.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    public var description: String { hex }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = SHA256Digest(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a SHA-256 is 64 hexadecimal digits")
        }
        self = digest
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

/// Computes a SHA-256 digest incrementally; no other type uses the hash library.
public struct SHA256Hasher: Sendable {
    private var function = SHA256()
    /// Creates an incremental SHA-256 hasher to which no input has been added.
    public init() {}

    /// Adds bytes to the input of the SHA-256 digest.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }
    /// Adds an array of bytes to the input of the SHA-256 digest.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { function.update(bufferPointer: $0) } }
    /// Returns the SHA-256 digest of the bytes added so far; more may be added afterwards.
    public func finalize() -> SHA256Digest { SHA256Digest(bytes: Array(function.finalize())) }
}
