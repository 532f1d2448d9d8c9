public import StoreModel

/// The part of the downloads manager that answers queries for running and ended downloads.
extension DownloadsManager {
    /// Returns the statuses of the running downloads, in the order in which they began, then of the ended ones.
    ///
    /// The ended ones are those that ``EventBus/endedDownloads`` lists.
    public func all() async -> [DownloadStatus] {
        await resumptionEnded()
        return entries.values.map(\.task).sorted { $0.number < $1.number }.map(\.status) + events.endedDownloads
    }

    /// Whether any download makes progress without an order.
    ///
    /// A paused download does not, nor one that waits for another download.
    public var isBusy: Bool {
        get async {
            await resumptionEnded()
            return !entries.values.allSatisfy(\.task.isIdle)
        }
    }

    /// Returns the status of a product's running download, or else of the product's last download that ended.
    ///
    /// - Throws: `download.unknown` if no download of the product is running, and none is among the ended ones that the
    ///   event bus lists.
    public func status(of productIdentifier: String) async throws -> DownloadStatus {
        if let running = await running(productIdentifier) { return running }
        if let last = events.lastEndedDownload(of: productIdentifier) { return last }
        throw StoreError(.downloadNotFound, ["product": productIdentifier])
    }

    /// Returns the status of a product's running download; `nil` if none is running.
    public func running(_ productIdentifier: String) async -> DownloadStatus? {
        await resumptionEnded()
        return entries[productIdentifier]?.task.status
    }

    /// The identifiers of products with a running download.
    public var active: Set<String> {
        get async {
            await resumptionEnded()
            return Set(entries.keys)
        }
    }

    /// Returns the identifiers of products that depend on the given product and have a running download, sorted.
    public func running(needing productIdentifier: String) async -> [String] {
        await resumptionEnded()
        return entries.values.map(\.task.request.product)
            .filter { $0.dependencies.contains(productIdentifier) && $0.productIdentifier != productIdentifier }
            .map(\.productIdentifier).sorted()
    }
}
