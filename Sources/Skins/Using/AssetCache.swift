import FoundationEssentials
import StoreSystem
import Synchronization

/// Keeps the bytes of assets that skins ask to be kept, up to a limit; what was not used for longest goes first. A file
/// that two skins share is kept once.
public final class AssetCache: Sendable {
    /// In bytes.
    public let limit: Int
    private let state = Mutex(State())

    private struct State {
        var kept: [FileIdentity: Kept] = [:]
        var size = 0
        /// Raised with each use.
        var clock = 0
        var hits = 0
    }
    private struct Kept {
        let bytes: [UInt8]
        var usedAt: Int
    }
    /// Of one file, in bytes: what images may have at most.
    private static let largestFile = 64 << 20

    /// - Parameter limit: of all that is kept, in bytes; 0 keeps nothing.
    public init(limit: Int = 16 << 20) { self.limit = max(0, limit) }

    /// Bytes kept now, and how often one was handed out without being read.
    public var usage: (size: Int, hits: Int) { state.withLock { ($0.size, $0.hits) } }

    func bytes(of asset: SkinAsset, in folder: Directory) throws -> [UInt8] {
        let file = try folder.openFile(asset.path)
        guard asset.isKept else { return [UInt8](try file.readAll(limit: Self.largestFile)) }
        let identity = FileIdentity(try file.status(), by: .statusChange)
        let known = state.withLock { state -> [UInt8]? in
            state.clock += 1
            state.kept[identity]?.usedAt = state.clock
            if state.kept[identity] != nil { state.hits += 1 }
            return state.kept[identity]?.bytes
        }
        if let known { return known }
        let bytes = [UInt8](try file.readAll(limit: Self.largestFile))
        keep(bytes, as: identity)
        return bytes
    }

    private func keep(_ bytes: [UInt8], as identity: FileIdentity) {
        // A change while it was read would be kept under the wrong identity.
        guard bytes.count == identity.size, bytes.count <= limit else { return }
        state.withLock { state in
            if let before = state.kept.updateValue(Kept(bytes: bytes, usedAt: state.clock), forKey: identity) {
                state.size -= before.bytes.count
            }
            state.size += bytes.count
            // Few are kept, each of many kilobytes: looking at all is cheaper than an order that each use changes.
            while state.size > limit, let oldest = state.kept.min(by: { $0.value.usedAt < $1.value.usedAt }) {
                state.size -= oldest.value.bytes.count
                state.kept[oldest.key] = nil
            }
        }
    }
}
