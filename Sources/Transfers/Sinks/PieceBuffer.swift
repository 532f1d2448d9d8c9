/// The received bytes of a transfer that are gathered into one piece, which is then written and hashed.
///
/// Libcurl delivers at most 16 KiB at a time; writing and hashing cost less per byte in larger pieces.
struct PieceBuffer {
    private var bytes: [UInt8] = []
    private let size: Int

    /// The maximum number of bytes that libcurl delivers at a time (`CURL_MAX_WRITE_SIZE`).
    static let maximumDelivery = 16 << 10

    /// Creates an empty buffer.
    ///
    /// - Parameter size: the size of a piece in bytes; memory for it is allocated when the first bytes are appended.
    init(size: Int) { self.size = size }

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether the next bytes may have no room in the memory of this piece.
    var isFull: Bool { bytes.count + Self.maximumDelivery > size }

    /// Appends received bytes.
    ///
    /// - Parameter newBuffer: called before the first bytes of a piece for the empty array that they are gathered in.
    mutating func append(_ received: UnsafeRawBufferPointer.SubSequence, newBuffer: () -> [UInt8] = { [] }) {
        if bytes.isEmpty {
            bytes = newBuffer()
            bytes.reserveCapacity(max(size, received.count))
        }
        bytes.append(contentsOf: received)
    }

    /// Returns the gathered bytes, and empties the buffer.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
