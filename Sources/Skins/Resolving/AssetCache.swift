import FoundationEssentials
import StoreSystem
import Synchronization

/// A memory cache for the contents of skins' assets (such as images), evicted least recently used first.
///
/// A file that two skins share is stored once.
public final class AssetCache: Sendable {
    /// The maximum total size of the cached assets, in bytes.
    public let limit: Int
    private let state = Mutex(State())

    private struct State {
        var entries: [FileIdentity: Entry] = [:]
        var size = 0
        /// A counter that is incremented with each use of a cached asset, to find the least recently used one.
        var clock = 0
        var hits = 0
    }
    private struct Entry {
        let bytes: [UInt8]
        var usedAt: Int
    }
    /// The maximum size of a skin's asset that is read, in bytes, which is that of images.
    private static let maximumFileSize = 64 << 20

    /// Creates an empty cache for the contents of skins' assets.
    ///
    /// - Parameter limit: the maximum total size, in bytes; 0 disables the cache.
    public init(limit: Int = 16 << 20) { self.limit = max(0, limit) }

    /// The current total size of the cached assets in bytes, and the number of cache hits since the creation.
    public var usage: (size: Int, hits: Int) { state.withLock { ($0.size, $0.hits) } }

    /// Returns the content of a skin's asset; from the cache, if the skin requests caching of the asset.
    func bytes(of asset: SkinAsset, in directory: Directory) throws -> [UInt8] {
        try bytes(of: asset, from: directory.openFile(asset.path))
    }

    /// Returns the content of a skin's asset; `nil`, without reading it, if it is larger than a limit.
    func bytes(of asset: SkinAsset, in directory: Directory, limit: Int) throws -> [UInt8]? {
        let file = try directory.openFile(asset.path)
        guard try file.status().size <= limit else { return nil }
        let bytes = try bytes(of: asset, from: file)
        // The file may have grown meanwhile.
        return bytes.count <= limit ? bytes : nil
    }

    private func bytes(of asset: SkinAsset, from file: OpenFile) throws -> [UInt8] {
        guard asset.isCached else { return [UInt8](try file.readAll(limit: Self.maximumFileSize)) }
        let identity = FileIdentity(try file.status(), by: .statusChange)
        let known = state.withLock { state -> [UInt8]? in
            state.clock += 1
            state.entries[identity]?.usedAt = state.clock
            if state.entries[identity] != nil { state.hits += 1 }
            return state.entries[identity]?.bytes
        }
        if let known { return known }
        let bytes = [UInt8](try file.readAll(limit: Self.maximumFileSize))
        insert(bytes, as: identity)
        return bytes
    }

    private func insert(_ bytes: [UInt8], as identity: FileIdentity) {
        // If the file changed while it was read, the bytes do not belong to the identity.
        guard bytes.count == identity.size, bytes.count <= limit else { return }
        state.withLock { state in
            if let previous = state.entries.updateValue(Entry(bytes: bytes, usedAt: state.clock), forKey: identity) {
                state.size -= previous.bytes.count
            }
            state.size += bytes.count
            // A linear search is cheaper than an ordered list, because there are few entries of many kilobytes each.
            while state.size > limit, let oldest = state.entries.min(by: { $0.value.usedAt < $1.value.usedAt }) {
                state.size -= oldest.value.bytes.count
                state.entries[oldest.key] = nil
            }
        }
    }
}
