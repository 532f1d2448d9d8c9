import Foundation
import StoreSystem

/// A call of a recording, which changed something or made it durable.
struct RecordedCall: Sendable {
    /// The kinds of calls, with the numbers of `enum operation` in shim.h.
    enum Kind: UInt32, Sendable {
        case made = 1
        case cut
        case madeFolder
        case renamed
        case removed
        case linked
        case linkedSoftly
        case wrote
        case allocated
        case synced
        case syncedAll
        /// Written by the rig when a command has confirmed its success.
        case confirmed = 100
        /// Written by the rig when a client has received an event, which is the data.
        case received

        /// Whether the program made the call.
        var isCall: Bool { rawValue < RecordedCall.Kind.confirmed.rawValue }
    }
    var kind: Kind
    /// The path relative to the directory; empty for the directory itself.
    var path: String
    var other: String
    var first: Int
    var second: Int
    var data: Data

    /// Returns all calls of a recording in order.
    static func read(_ path: String) throws -> [RecordedCall] {
        let bytes = try OpenFile.open(path).readAll(limit: 1 << 30)
        var rest = bytes[...]
        func take(_ count: Int) throws -> Data {
            guard rest.count >= count else { throw Torn() }
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
        func number(_ head: Data, _ offset: Int) -> Int {
            Int(head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) })
        }
        func long(_ head: Data, _ offset: Int) -> Int {
            Int(head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int64.self) })
        }
        func name(_ count: Int) throws -> String {
            let text = String(decoding: try take(count), as: UTF8.self)
            return text.hasPrefix("/") ? String(text.dropFirst()) : text
        }
        var calls: [RecordedCall] = []
        while !rest.isEmpty {
            let head = try take(32)
            guard let kind = Kind(rawValue: UInt32(number(head, 0))) else { throw Torn() }
            calls.append(
                RecordedCall(
                    kind: kind, path: try name(number(head, 4)), other: try name(number(head, 8)),
                    first: long(head, 16), second: long(head, 24), data: try take(number(head, 12))))
        }
        return calls
    }

    struct Torn: Error {}

    /// Returns whether a partial archive was written in another order than from front to back.
    static func writeRanges(_ calls: [RecordedCall]) -> Bool {
        let offsets = calls.filter { $0.kind == .wrote && $0.path.hasSuffix(".part") }.map(\.first)
        return offsets != offsets.sorted()
    }

    /// Adds to a recording what the rig has observed up to now.
    static func note(_ kind: Kind, _ data: Data = Data(), in path: String) throws {
        var bytes = Data(count: 32)
        bytes[0] = UInt8(kind.rawValue)
        withUnsafeBytes(of: UInt32(data.count)) { bytes.replaceSubrange(12..<16, with: $0) }
        let file = open(path, O_WRONLY | O_APPEND)
        guard file >= 0 else { throw POSIXError(.EIO) }
        // In one piece, because the program appends as well.
        try OpenFile(descriptor: file, path: path).write(bytes + data)
    }

    var description: String { other.isEmpty ? "\(kind) \(path)" : "\(kind) \(path) \(other)" }
}
