import Foundation
import StoreSystem

/// A call that changed something, or made it durable, as the preloaded library wrote it down.
struct RecordedCall: Sendable {
    /// `enum operation` in shim.c has the same numbers.
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
        /// Written by the rig: somebody was told that it is done.
        case told = 100
    }
    var kind: Kind
    /// Beneath the folder, without a slash in front; empty for the folder itself.
    var path: String
    var other: String
    var first: Int
    var second: Int
    var data: Data

    /// All calls of a recording, in the order in which they were made.
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

    /// Notes in a recording that somebody was told that it is done.
    static func noteTold(in path: String) throws {
        var head = Data(count: 32)
        head[0] = UInt8(Kind.told.rawValue)
        let file = open(path, O_WRONLY | O_APPEND)
        guard file >= 0 else { throw POSIXError(.EIO) }
        try OpenFile(descriptor: file, path: path).write(head)
    }

    var description: String { other.isEmpty ? "\(kind) \(path)" : "\(kind) \(path) \(other)" }
}
