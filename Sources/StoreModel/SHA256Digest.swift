import Crypto

/// A SHA-256 digest: 32 bytes, written as 64 lower-case hexadecimal digits.
public struct SHA256Digest: Sendable, Hashable, Codable, CustomStringConvertible {
    // Not an array: thousands of digests are in memory, and each would be an allocation of its own.
    private var words = Words()

    /// The 32 bytes of the SHA-256 digest.
    public var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// Computes the SHA-256 digest of bytes in memory.
    public init(of data: some Sequence<UInt8>) {
        var hasher = SHA256Hasher()
        if data.withContiguousStorageIfAvailable({ hasher.update(UnsafeRawBufferPointer($0)) }) == nil {
            hasher.update(Array(data))
        }
        self = hasher.finalize()
    }

    /// Creates a SHA-256 digest from 64 hexadecimal digits; `nil` for any other text.
    public init?(hex: String) {
        guard let bytes = Hexadecimal.bytes(hex), bytes.count == 32 else { return nil }
        self.init(bytes: bytes)
    }

    /// Creates a SHA-256 digest from its 32 bytes.
    package init(bytes: some Sequence<UInt8>) {
        withUnsafeMutableBytes(of: &words) { words in
            // Bytes in a row in one piece: one by one is slow in other modules, where this function is not specialized.
            let copied: Void? = bytes.withContiguousStorageIfAvailable {
                words.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).prefix(words.count)))
            }
            if copied != nil { return }
            for (place, byte) in zip(words.indices, bytes) { words[place] = byte }
        }
    }

    /// The SHA-256 digest as 64 lower-case hexadecimal digits.
    public var hex: String { Hexadecimal.text(bytes) }

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

extension SHA256Digest {
    /// The memory for the bytes of a digest.
    private struct Words: Hashable {
        var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
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
    public func finalize() -> SHA256Digest { SHA256Digest(bytes: function.finalize()) }
}
