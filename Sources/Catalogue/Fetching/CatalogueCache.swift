import FoundationEssentials
import StoreModel
public import StoreSystem

/// The cache on the disk of the documents of one store's catalogue.
///
/// Its content is verified when it is read: a document with a wrong hash counts as missing. So the directory may be
/// damaged while no process uses it, and deleted at any time. A file in use may be replaced by rename, but not changed or
/// truncated in place (``MappedFile``).
public final class CatalogueCache: Sendable {
    private let open: @Sendable () throws -> Directory
    private let disk = BlockingWork(label: "catalogue-cache")

    /// Creates a cache of one store's catalogue in the directory at a path.
    ///
    /// - Parameter path: the directory's path; the directory is created when there is something to store.
    public init(path: String) {
        open = { try Directory.create(path) }
    }

    /// Creates a cache of one store's catalogue in an open directory.
    public init(directory: Directory) {
        open = { directory }
    }

    /// The properties of the last HTTP response for the catalogue, which the next conditional request needs.
    struct State: Sendable, Hashable, Codable {
        /// The URL from which the cached catalogue document was requested, before redirects.
        var requestURL: URL
        /// The URL of the cached catalogue document after redirects.
        var url: URL
        var etag: String?
        var lastModified: String?
        var sha256: SHA256Digest
    }

    /// The top document of a store's catalogue as it is cached, with properties of the HTTP response.
    struct Document: Sendable {
        var state: State
        var data: Data
    }

    private static let stateName = "state.json"
    private static let documentName = "catalogue.json"
    private static let shardDirectory = "shards"

    private static func shardName(_ digest: SHA256Digest) -> String { digest.hex + ".json" }
    private static func compiledName(_ document: SHA256Digest) -> String { document.hex + ".products" }

    /// Returns the cached top document of the catalogue; `nil` if none with the right hash is cached.
    func load() async -> Document? {
        let cached: Document?? = try? await disk.run { [open] in
            let directory = try open()
            let state: State = try JSON.decode(from: directory.read(Self.stateName, limit: 1 << 20))
            let document = try directory.read(Self.documentName)
            guard SHA256Digest(of: document) == state.sha256 else { return nil }
            return Document(state: state, data: document)
        }
        return cached ?? nil
    }

    /// Returns the unverified bytes of a shard, a part of the catalogue; `nil` if it is not cached.
    func shard(_ shard: CatalogueIndex.Shard) async -> Data? {
        try? await disk.run { [open] in
            try open().openDirectory(Self.shardDirectory).read(Self.shardName(shard.sha256), limit: shard.size)
        }
    }

    /// Stores the bytes of a shard, a part of the catalogue, in the cache.
    ///
    /// Failures are ignored: the shard is fetched again the next time.
    func store(_ data: Data, of shard: CatalogueIndex.Shard) async {
        try? await disk.run { [open] in
            try Self.write(
                data, to: open().createDirectory(Self.shardDirectory), as: Self.shardName(shard.sha256))
        }
    }

    /// Returns the content of the file with the compiled products of a document; `nil` if there is none.
    ///
    /// The caller verifies it.
    func compiled(_ source: CompiledSource) async -> FileBytes? {
        try? await disk.run { [open] in
            try open().openDirectory(Self.shardDirectory).openFile(Self.compiledName(source.document)).bytes(
                limit: min(source.sizeLimit, ByteBlocks.largestFile), mappedSize: Self.mappedSize)
        }
    }

    /// The size, in bytes, from which on a file of compiled products is mapped.
    ///
    /// With the default limits, a catalogue has at most about 2,000 mapped files then, however small its shards are.
    static let mappedSize = 32 << 10

    /// Stores the compiled products of a document in the cache.
    ///
    /// Failures are ignored: the document is parsed again the next time.
    func store(_ products: CatalogueProducts, from source: CompiledSource) async {
        try? await disk.run { [open] in
            try Self.write(
                products.compiled(from: source), to: open().createDirectory(Self.shardDirectory),
                as: Self.compiledName(source.document))
        }
    }

    /// Stores the catalogue's top document in the cache, and removes shards that the document does not refer to.
    ///
    /// Failures are ignored: the document is fetched again the next time.
    ///
    /// - Parameter shards: the shards that the document refers to; `nil` removes none.
    func store(_ document: Document, shards: [CatalogueIndex.Shard]?) async {
        try? await disk.run { [open] in
            let directory = try open()
            try Self.write(document.data, to: directory, as: Self.documentName)
            try Self.write(JSON.encode(document.state), to: directory, as: Self.stateName)
            guard let shards else { return }
            let shardDirectory = try directory.createDirectory(Self.shardDirectory)
            var wanted = Set(shards.flatMap { [Self.shardName($0.sha256), Self.compiledName($0.sha256)] })
            wanted.insert(Self.compiledName(document.state.sha256))
            for entry in try shardDirectory.entries() where !wanted.contains(entry.name) {
                try shardDirectory.removeTree(entry.name)
            }
        }
    }

    /// Stores the properties of an HTTP response whose content is the cached catalogue document.
    ///
    /// Failures are ignored: the document is fetched again the next time.
    func store(_ state: State) async {
        try? await disk.run { [open] in try Self.write(JSON.encode(state), to: open(), as: Self.stateName) }
    }

    /// Replaces a file of the cache atomically.
    ///
    /// The file is not synced: after a power cut, the hash of its content shows whether it is complete.
    private static func write(_ data: Data, to directory: Directory, as name: String) throws {
        let temporary = name + ".new"
        try directory.removeTree(temporary)
        try directory.createFile(temporary, mode: 0o600).write(data)
        try directory.rename(temporary, to: directory, as: name, replacing: true)
    }
}
