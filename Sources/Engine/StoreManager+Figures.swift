import FoundationEssentials
public import StoreDatabase
public import StoreDownloads
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// How much there is of everything in a home: for metrics.
public struct StoreMetrics: Sendable {
    public let downloads: DownloadMetrics
    public let database: DatabaseMetrics
    /// In bytes, with what waits to be put into it.
    public let databaseSize: Int
    /// How many bytes have come over the network since the start, whatever became of them.
    public let bytesReceived: Int
    /// What is in the library.
    public let packs: Int
    public let stores: Int
}

extension StoreManager {
    /// How much there is of everything now, and since the start. Asks no disk but for the database's size.
    public func figures() async -> StoreMetrics {
        await StoreMetrics(
            downloads: downloads.figures(), database: database.metrics, databaseSize: databaseSize(),
            bytesReceived: transfers.bytesReceived, packs: library.index.count, stores: stores.count)
    }

    private func databaseSize() -> Int {
        guard let folder = try? Directory.open(places.data) else { return 0 }
        let name = places.database.split(separator: "/").last.map(String.init) ?? ""
        // The log holds what was written since the file was last brought up to date.
        return ["", "-wal"].reduce(0) { $0 + ((try? folder.status(of: name + $1))?.size ?? 0) }
    }

    /// What is not as it should be, and works all the same, in words for people.
    public var warnings: [String] {
        var warnings = settings.warnings
        if case .rebuilt(let reason) = database.origin { warnings.append("The database was made anew. \(reason)") }
        return warnings + [events.warning].compactMap { $0 }
    }
}
