import FoundationEssentials
import StoreModel
import StoreSystem
import Synchronization

/// A cache of the archives of installed packs, under their SHA-256, evicted least recently used first.
///
/// It saves fetching the same archive again, as for a pack that was uninstalled, or when another store has it too.
/// Other programs may remove files at any time. A file is hashed before it is used and never trusted for its name. No
/// download fails because of the cache. An archive is inserted only after enough others were evicted for the total size
/// to stay within the limit.
final class ArchiveCache: Sendable {
    private struct State {
        var limit: Int
        /// The cached archives; none before the directory is read for the first time.
        var entries = ArchiveCacheEntries()
        var isDirectoryRead = false
    }
    private let directory: Directory
    private let state: Mutex<State>
    /// The queue for changes of the cache's directory, which are made one after another.
    private let changes = BlockingWork(label: "downloads.archives")
    private let reading = BlockingWork(label: "downloads.archives.reading", concurrent: true)

    /// Creates a cache of downloaded archives in a directory.
    ///
    /// - Parameter limit: the maximum total size in bytes; 0 disables the cache.
    init(_ directory: Directory, limit: Int) {
        self.directory = directory
        state = Mutex(State(limit: limit))
    }

    /// Changes the maximum total size in bytes of the archive cache, and evicts archives until the rest is within it.
    func setLimit(_ limit: Int) async {
        state.withLock { $0.limit = limit }
        try? await changes.run { [self] in evict(to: limit) }
    }

    // MARK: Using

    /// Opens and verifies the cached archive with a SHA-256; `nil` if there is none, or the cache is disabled.
    ///
    /// A file with another size or hash than expected is removed from the cache.
    ///
    /// - Parameter size: the expected size in bytes; `nil` accepts any.
    /// - Throws: `CancellationError` only.
    func open(_ sha256: SHA256Digest, size: Int?) async throws -> (file: OpenFile, size: Int)? {
        guard state.withLock({ $0.limit }) > 0 else { return nil }
        let name = sha256.hex
        // Most often there is none, which need not wait for other work.
        if let isThere = try? directory.status(of: name) != nil, !isThere { return nil }
        let opened = try? await reading.run { [directory] in
            let file = try directory.openFile(name)
            return (file: file, status: try file.status())
        }
        guard let opened else { return nil }
        let (file, status) = opened
        guard status.kind == .file, size ?? status.size == status.size,
            try await digest(of: file, size: status.size) == sha256
        else {
            try? await changes.run { [self] in remove(name) }
            return nil
        }
        let now = Date()
        try? file.setModified(now)
        state.withLock { $0.entries.use(name, at: now) }
        return (file, status.size)
    }

    /// Returns the SHA-256 of an archive file of `size` bytes; `nil` if it can't be read to its end.
    ///
    /// - Throws: `CancellationError` only.
    private func digest(of file: OpenFile, size: Int) async throws -> SHA256Digest? {
        var (hasher, offset) = (SHA256Hasher(), 0)
        while offset < size {
            try Task.checkCancellation()
            // In steps, so that a cancelled task stops reading.
            let (before, from) = (hasher, offset)
            let step = try? await reading.run {
                var hasher = before
                let count = try FileHasher(chunkSize: 1 << 20).update(&hasher, with: file, in: from..<from + 64 << 20)
                return (hasher: hasher, count: count)
            }
            guard let step, step.count > 0 else { return nil }
            (hasher, offset) = (step.hasher, offset + step.count)
        }
        return hasher.finalize()
    }

    // MARK: Inserting

    /// Moves an archive with a known hash into the cache, by one rename; on a failure the archive stays where it is.
    ///
    /// - Parameters:
    ///   - name: the name of the file in `other`.
    ///   - other: the directory that the archive is moved from.
    ///   - sha256: the hash of the archive, which names it in the cache.
    ///   - size: the size in bytes; an archive that is empty or larger than the limit is not cached.
    /// - Returns: whether it was moved.
    @discardableResult
    func insert(_ name: String, in other: Directory, as sha256: SHA256Digest, size: Int) async -> Bool {
        let limit = state.withLock { $0.limit }
        guard size <= limit, size > 0 else { return false }
        let isMoved = try? await changes.run { [self] in
            // An archive that was taken from the cache is in it already.
            guard try other.status(of: name) != nil else { return false }
            evict(to: limit - size)
            try other.rename(name, to: directory, as: sha256.hex, replacing: true)
            state.withLock { $0.entries.insert(sha256.hex, size: size, usedAt: Date()) }
            return true
        }
        return isMoved ?? false
    }

    /// Returns the number of cached archives, and their total size in bytes.
    func total() async -> (count: Int, size: Int) {
        (try? await changes.run { [self] in withEntries { ($0.count, $0.size) } }) ?? (0, 0)
    }

    /// Evicts archives from the cache, least recently used first, to free at least `bytes` bytes.
    ///
    /// All are evicted if they have fewer bytes.
    func free(_ bytes: Int) async {
        try? await changes.run { [self] in
            let total = withEntries { $0.size }
            evict(to: max(0, total - min(bytes, total)))
        }
    }

    // MARK: Changes, one at a time

    private func evict(to limit: Int) {
        while let name = withEntries({ $0.size > limit ? $0.leastRecentlyUsed() : nil }) { remove(name) }
    }

    private func remove(_ name: String) {
        try? directory.removeTree(name)
        state.withLock { $0.entries.remove(name) }
    }

    /// Calls `body` with the known files of the archive cache.
    ///
    /// The directory is read once. Files that another program removed since are still counted, and those whose name is
    /// not a hash are ignored.
    private func withEntries<Value>(_ body: (inout ArchiveCacheEntries) -> Value) -> Value {
        if state.withLock({ !$0.isDirectoryRead }) {
            let found = readDirectory()
            state.withLock { ($0.entries, $0.isDirectoryRead) = (found, true) }
        }
        return state.withLock { body(&$0.entries) }
    }

    private func readDirectory() -> ArchiveCacheEntries {
        var found = ArchiveCacheEntries()
        for entry in (try? directory.entries()) ?? [] where SHA256Digest(hex: entry.name)?.hex == entry.name {
            guard let status = try? directory.status(of: entry.name) else { continue }
            found.insert(entry.name, size: status.size, usedAt: status.modifiedAt)
        }
        return found
    }
}

/// The sizes of cached archives, and the order in which they are evicted.
struct ArchiveCacheEntries {
    private struct Entry {
        var size: Int
        var usedAt: Date
    }
    private var entries: [String: Entry] = [:]
    /// Archives as they were when they were last sorted, the least recently used one last.
    ///
    /// Those that were used since have another time now, and those that were inserted since are missing. Both were used
    /// later than all others here, so that sorting again can wait until none is left.
    private var evictionOrder: [(name: String, usedAt: Date)] = []
    /// The total size of the cached archives in bytes.
    private(set) var size = 0

    /// The number of cached archives.
    var count: Int { entries.count }

    /// Adds an archive, or replaces the one with the same name.
    mutating func insert(_ name: String, size: Int, usedAt: Date) {
        remove(name)
        entries[name] = Entry(size: size, usedAt: usedAt)
        self.size += size
    }

    /// Records that an archive was used; does nothing if it is unknown.
    mutating func use(_ name: String, at time: Date) { entries[name]?.usedAt = time }

    /// Removes an archive; does nothing if it is unknown.
    mutating func remove(_ name: String) { size -= entries.removeValue(forKey: name)?.size ?? 0 }

    /// Returns the name of the least recently used archive, which is to be removed; `nil` if there is none.
    mutating func leastRecentlyUsed() -> String? {
        while !entries.isEmpty {
            while let (name, usedAt) = evictionOrder.popLast() {
                if entries[name]?.usedAt == usedAt { return name }
            }
            evictionOrder = entries.map { ($0.key, $0.value.usedAt) }.sorted { $0.usedAt > $1.usedAt }
        }
        return nil
    }
}
