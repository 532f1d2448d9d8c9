public import StoreDatabase
public import StoreDownloads
import StoreSystem

/// Counts and sizes of downloads, packs, stores and database, for metrics.
public struct StoreMetrics: Sendable {
    public let downloads: DownloadMetrics
    public let database: DatabaseMetrics
    /// The size of the database in bytes, its write-ahead log included.
    public let databaseSize: Int
    /// The number of bytes received over the network since the start.
    public let bytesReceived: Int
    /// The number of installed packs.
    public let packs: Int
    /// The number of added stores.
    public let stores: Int

    /// Returns the size of a database and its write-ahead log in bytes.
    static func size(ofDatabase path: String) -> Int {
        guard let slash = path.lastIndex(of: "/"), let directory = try? Directory.open(String(path[..<slash])) else {
            return 0
        }
        let name = path[path.index(after: slash)...]
        return ["", "-wal"].reduce(0) { $0 + ((try? directory.status(of: name + $1))?.size ?? 0) }
    }
}
