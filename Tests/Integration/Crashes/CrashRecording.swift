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

    /// Adds to a recording that a command has confirmed its success.
    static func noteConfirmation(in path: String) throws {
        var head = Data(count: 32)
        head[0] = UInt8(Kind.confirmed.rawValue)
        let file = open(path, O_WRONLY | O_APPEND)
        guard file >= 0 else { throw POSIXError(.EIO) }
        try OpenFile(descriptor: file, path: path).write(head)
    }

    var description: String { other.isEmpty ? "\(kind) \(path)" : "\(kind) \(path) \(other)" }
}
