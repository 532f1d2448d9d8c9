import FoundationEssentials
import Hummingbird
import NIOCore
import StoreModel

/// A JSON object that is encoded and sent piece by piece, for documents with tens of thousands of elements.
///
/// Foundation's encoder builds a tree of a whole document, which takes ten times the memory of its text, and the text
/// of a large catalogue would be tens of megabytes. The pieces are encoded twice: first for the length and the entity
/// tag, and then for sending.
struct LargeDocument: Sendable {
    /// Returns the encoded pieces of the object's members; the first byte of each member is a comma.
    private var pieces: [@Sendable () throws -> ByteBuffer] = []

    /// The number of elements that are encoded together.
    static let batch = 100
    /// The size up to which a document is encoded once and kept in memory, in bytes.
    private static let smallSize = 1 << 20

    /// Adds a member whose value is small.
    mutating func add(_ name: String, _ value: some Encodable) throws {
        let bytes = try Self.start(name, Array(JSON.encode(value)))
        pieces.append { bytes }
    }

    /// Adds a member whose value is an array.
    ///
    /// - Parameters:
    ///   - count: the number of elements.
    ///   - elements: returns the elements in a range.
    mutating func addArray<Element: Encodable & Sendable>(
        _ name: String, count: Int, _ elements: @escaping @Sendable (Range<Int>) -> [Element]
    ) throws {
        try add(name, count: count, brackets: "[]") { try JSON.encode(elements($0)) }
    }

    /// Adds a member whose value is an array of values that exist already.
    mutating func addArray<Element: Encodable & Sendable>(_ name: String, _ elements: [Element]) throws {
        try addArray(name, count: elements.count) { Array(elements[$0]) }
    }

    /// Adds a member whose value is an object.
    ///
    /// - Parameters:
    ///   - count: the number of the object's members.
    ///   - members: returns the members in a range; each is returned once.
    mutating func addObject<Value: Encodable & Sendable>(
        _ name: String, count: Int, _ members: @escaping @Sendable (Range<Int>) -> [String: Value]
    ) throws {
        try add(name, count: count, brackets: "{}") { try JSON.encode(members($0)) }
    }

    private mutating func add(
        _ name: String, count: Int, brackets: String, _ encode: @escaping @Sendable (Range<Int>) throws -> Data
    ) throws {
        let start = try Self.start(name, Array(brackets.utf8.prefix(1)))
        pieces.append { start }
        for first in stride(from: 0, to: count, by: Self.batch) {
            let range = first..<min(first + Self.batch, count)
            pieces.append {
                var bytes = ByteBuffer(string: first == 0 ? "" : ",")
                bytes.writeBytes(try encode(range).dropFirst().dropLast())
                return bytes
            }
        }
        let end = ByteBuffer(string: String(brackets.suffix(1)))
        pieces.append { end }
    }

    private static func start(_ name: String, _ value: [UInt8]) throws -> ByteBuffer {
        var bytes = ByteBuffer(string: ",")
        bytes.writeBytes(try JSON.encode(name))
        bytes.writeString(":")
        bytes.writeBytes(value)
        return bytes
    }

    /// Calls `body` with the pieces of the document, one after another.
    private func forEachPiece(_ body: (ByteBuffer) throws -> Void) throws {
        for (number, piece) in pieces.enumerated() { try body(Self.opened(piece(), isFirst: number == 0)) }
        try body(ByteBuffer(string: pieces.isEmpty ? "{}" : "}"))
    }

    private static func opened(_ piece: ByteBuffer, isFirst: Bool) -> ByteBuffer {
        guard isFirst else { return piece }
        var opened = piece
        opened.setString("{", at: opened.readerIndex)
        return opened
    }

    /// Encodes the document for the first time.
    ///
    /// - Returns: its entity tag, its length, and its bytes if it is small.
    func encoded() throws -> (tag: EntityTag, length: Int, bytes: ByteBuffer?) {
        var (hasher, length, bytes) = (SHA256Hasher(), 0, ByteBuffer())
        try forEachPiece { piece in
            piece.withUnsafeReadableBytes { hasher.update($0) }
            length += piece.readableBytes
            if length <= Self.smallSize { bytes.writeImmutableBuffer(piece) }
        }
        return (EntityTag(of: hasher), length, length <= Self.smallSize ? bytes : nil)
    }

    /// Returns the whole document; Foundation's encoder builds its tree for one batch of elements at a time.
    func data() throws -> Data {
        var data = Data()
        try forEachPiece { data.append(contentsOf: $0.readableBytesView) }
        return data
    }

    /// The body of a response with the document, which is encoded while it is sent.
    ///
    /// - Parameter length: the length of the document in bytes.
    func body(length: Int) -> ResponseBody {
        ResponseBody(contentLength: length) { [pieces] writer in
            for (number, piece) in pieces.enumerated() {
                try await writer.write(Self.opened(piece(), isFirst: number == 0))
            }
            try await writer.write(ByteBuffer(string: pieces.isEmpty ? "{}" : "}"))
            try await writer.finish(nil)
        }
    }
}

extension APIRequest {
    /// Returns an HTTP response with a document that is encoded piece by piece, and its entity tag.
    ///
    /// Its status is 304 if the client has the same content.
    func response(_ document: LargeDocument) throws -> Response {
        let (tag, length, bytes) = try document.encoded()
        let body = bytes.map { ResponseBody(byteBuffer: $0) } ?? document.body(length: length)
        return response(body, tag: tag, mediaType: "application/json")
    }
}
