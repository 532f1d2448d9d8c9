import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTransfers
import Synchronization

/// A cache on the disk of the images of stores, evicted least recently used first.
///
/// Its content is not trusted: the caller verifies what is read. So the directory may be damaged or deleted at any
/// time. No request fails because of the cache.
final class ImageCache: Sendable {
    private let directory: Directory
    /// The age of a file's last use from which it is removed; `nil` is no limit.
    private let maximumAge: Duration?
    /// The total size of the files in bytes, or more where images were replaced; `nil` before they are counted.
    private let total = Mutex<Int?>(nil)
    /// The queue for changes of the cache's directory, which are made one after another.
    private let changes = BlockingWork(label: "engine.images")
    private let reading = BlockingWork(label: "engine.images.reading", concurrent: true)

    /// Creates a cache of images in a directory.
    ///
    /// - Parameter maximumAge: the age of an image's last use from which it is removed, when an image is first stored
    ///   after a start; `nil` is no limit.
    init(_ directory: Directory, maximumAge: Duration? = nil) {
        self.directory = directory
        self.maximumAge = maximumAge
    }

    /// An image in the cache, unverified.
    struct Entry: Sendable {
        let data: Data
        /// The time when the image was stored, or was used last if its name is its hash.
        let time: Date
    }

    /// Returns the name under which an image of a store is cached.
    ///
    /// It is the image's hash. An image without one is cached by its store and address: a store with a token may send
    /// another image than a store without one.
    static func name(of reference: ContentReference, in store: String) -> String {
        reference.sha256?.hex ?? prefix(of: store) + SHA256Digest(of: reference.address.utf8).hex
    }

    /// Returns the beginning of the names of a store's images that have no hash.
    private static func prefix(of store: String) -> String { "store-\(SHA256Digest(of: store.utf8).hex)-" }

    /// Reads a cached image; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - use: the time that is recorded as that of the last use; `nil` records none.
    ///   - limit: the maximum size in bytes.
    func read(_ name: String, use: Date?, limit: Int) async -> Entry? {
        try? await reading.run { [directory] in
            let file = try directory.openFile(name)
            let entry = Entry(
                data: try file.readAll(limit: limit), time: try file.status().modifiedAt)
            if let use { try? file.setModified(use) }
            return entry
        }
    }

    /// Stores an image, after enough others were evicted for the total size to stay within the limit.
    ///
    /// It is not synced: the check when it is read finds what a power cut truncated.
    ///
    /// - Parameters:
    ///   - time: the current time.
    ///   - limit: the maximum total size in bytes; a larger image is not stored.
    func store(_ data: Data, as name: String, at time: Date, limit: Int) async {
        guard data.count <= limit else { return }
        try? await changes.run { [self] in
            try makeRoom(for: data.count, limit: limit, at: time)
            let temporary = name + ".new"
            try directory.removeTree(temporary)
            let file = try directory.createFile(temporary, mode: 0o600)
            try file.write(data)
            try file.setModified(time)
            try directory.rename(temporary, to: directory, as: name, replacing: true)
        }
    }

    /// Removes the images of a store that have no hash.
    ///
    /// A store that is added later under its name, or with another token, may have other images at their addresses.
    func removeImages(of store: String) async {
        try? await changes.run { [self] in
            for entry in try directory.entries() where entry.name.hasPrefix(Self.prefix(of: store)) {
                try directory.removeTree(entry.name)
            }
            total.withLock { $0 = nil }
        }
    }

    /// Evicts images until the total size is within a limit.
    func trim(to limit: Int) async { try? await changes.run { [self] in try makeRoom(for: 0, limit: limit, at: nil) } }

    private func makeRoom(for size: Int, limit: Int, at time: Date?) throws {
        let files = try total.withLock { $0 } == nil ? removeUnused(self.files(), at: time) : nil
        var sum = total.withLock { $0 } ?? files?.reduce(0) { $0 + $1.size } ?? 0
        if sum + size > limit {
            let files = try files ?? self.files()
            sum = files.reduce(0) { $0 + $1.size }
            // More than needed, so that the directory is not read for every further image.
            let target = sum + size > limit ? max(0, limit - size - limit / 10) : sum
            for file in files.sorted(by: { $0.usedAt < $1.usedAt }) where sum > target {
                try directory.removeTree(file.name)
                sum -= file.size
            }
        }
        let new = sum + size
        total.withLock { $0 = new }
    }

    /// Removes those files that have not been used for longer than the maximum age, and returns the others.
    private func removeUnused(_ files: [File], at time: Date?) throws -> [File] {
        guard let maximumAge, let time else { return files }
        return try files.filter { file in
            guard time.timeIntervalSince(file.usedAt) > maximumAge.seconds else { return true }
            try directory.removeTree(file.name)
            return false
        }
    }

    private typealias File = (name: String, size: Int, usedAt: Date)

    private func files() throws -> [File] {
        try directory.entries().compactMap { entry in
            // Other programs may remove files at any time.
            try directory.status(of: entry.name).map { (entry.name, $0.size, $0.modifiedAt) }
        }
    }
}
