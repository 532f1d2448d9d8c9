import FoundationEssentials
import StoreModel
public import StoreSystem

/// The catalogue of one store as it was last fetched, in a folder of its own. Nothing in it is trusted: what has not
/// the hash that it should have is as good as not there, so the folder may be damaged or deleted at any time.
public final class CatalogueCache: Sendable {
    private let open: @Sendable () throws -> Directory
    private let disk = BlockingWork(label: "catalogue-cache")

    /// - Parameter path: the folder, made when there is something to keep.
    public init(path: String) {
        open = { try Directory.create(path) }
    }

    public init(directory: Directory) {
        open = { directory }
    }

    /// What the last fetch said about the document, to ask the server with the next time.
    struct State: Sendable, Codable {
        /// The address that was asked.
        var requestURL: URL
        /// The address that it was found at.
        var url: URL
        var etag: String?
        var lastModified: String?
        var sha256: SHA256Digest
    }

    struct Kept: Sendable {
        var state: State
        var document: Data
    }

    private static let stateName = "state.json"
    private static let documentName = "catalogue.json"
    private static let shardFolder = "shards"

    private static func shardName(_ digest: SHA256Digest) -> String { digest.hex + ".json" }

    func load() async -> Kept? {
        let kept: Kept?? = try? await disk.run { [open] in
            let directory = try open()
            let state: State = try JSON.decode(from: directory.read(Self.stateName, limit: 1 << 20))
            let document = try directory.read(Self.documentName)
            guard SHA256Digest(of: document) == state.sha256 else { return nil }
            return Kept(state: state, document: document)
        }
        return kept ?? nil
    }

    /// The bytes of a shard, unverified.
    func shard(_ shard: CatalogueIndex.Shard) async -> Data? {
        try? await disk.run { [open] in
            try open().openDirectory(Self.shardFolder).read(Self.shardName(shard.sha256), limit: shard.size)
        }
    }

    /// What can't be kept is fetched again the next time, which is no reason to fail.
    func keep(_ data: Data, of shard: CatalogueIndex.Shard) async {
        try? await disk.run { [open] in
            try Self.write(
                data, to: open().createDirectory(Self.shardFolder), as: Self.shardName(shard.sha256))
        }
    }

    /// Keeps the document, and removes the shards that it does not refer to.
    func keep(_ kept: Kept, shards: [CatalogueIndex.Shard]) async {
        try? await disk.run { [open] in
            let directory = try open()
            try Self.write(kept.document, to: directory, as: Self.documentName)
            try Self.write(JSON.encode(kept.state), to: directory, as: Self.stateName)
            let folder = try directory.createDirectory(Self.shardFolder)
            let wanted = Set(shards.map { Self.shardName($0.sha256) })
            for entry in try folder.entries() where !wanted.contains(entry.name) {
                try folder.removeTree(entry.name)
            }
        }
    }

    /// Not synced: after a power cut the hash tells what is torn.
    private static func write(_ data: Data, to directory: Directory, as name: String) throws {
        let temporary = name + ".new"
        try directory.removeTree(temporary)
        try directory.createFile(temporary, mode: 0o600).write(data)
        try directory.rename(temporary, to: directory, as: name, replacing: true)
    }
}
