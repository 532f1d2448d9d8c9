public import StoreModel

/// Questions about downloads.
extension DownloadsManager {
    /// Returns the running downloads, in the order in which they began, then the ended ones that
    /// ``EventBus/endedDownloads`` lists.
    public func all() async -> [DownloadStatus] {
        await resumptionEnded()
        return entries.values.map(\.task).sorted { $0.number < $1.number }.map(\.status) + events.endedDownloads
    }

    /// Whether any download does something without an order; paused ones, and those that wait for them, do not.
    public var isBusy: Bool {
        get async {
            await resumptionEnded()
            return !entries.values.allSatisfy(\.task.isIdle)
        }
    }

    /// Returns the status of a product's running download, or else of the last one that ended.
    ///
    /// - Throws: `download.unknown`.
    public func status(of productIdentifier: String) async throws -> DownloadStatus {
        if let running = await running(productIdentifier) { return running }
        if let last = events.lastEndedDownload(of: productIdentifier) { return last }
        throw StoreError(.downloadNotFound, ["product": productIdentifier])
    }

    /// Returns the status of a product's running download.
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

    /// Returns the identifiers of products with a running download that depend on a product.
    public func running(needing productIdentifier: String) async -> [String] {
        await resumptionEnded()
        return entries.values.map(\.task.request.product)
            .filter { $0.dependencies.contains(productIdentifier) && $0.productIdentifier != productIdentifier }
            .map(\.productIdentifier).sorted()
    }
}
