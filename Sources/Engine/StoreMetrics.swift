public import StoreDatabase
public import StoreDownloads
import StoreSystem

/// The counts and sizes of the engine's downloads, packs, stores and database, for metrics.
public struct StoreMetrics: Sendable {
    public let downloads: DownloadMetrics
    public let database: DatabaseMetrics
    /// The size of the engine's database in bytes, its write-ahead log included.
    public let databaseSize: Int
    /// The number of bytes received over the network since the engine was opened.
    public let bytesReceived: Int
    /// The number of installed packs.
    public let packs: Int
    /// The number of stores that the user added.
    public let stores: Int

    /// Returns the size in bytes of a database file and its write-ahead log.
    static func size(ofDatabase path: String) -> Int {
        let (parent, name) = FilePaths.split(path)
        guard let directory = try? Directory.open(parent) else { return 0 }
        return ["", "-wal"].reduce(0) { $0 + ((try? directory.status(of: name + $1))?.size ?? 0) }
    }
}
