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

    /// Returns the operations of the running downloads of products that were requested, and not only needed by others.
    public func requestedOperations() async -> [OperationID] {
        await resumptionEnded()
        return entries.values.map(\.task.plan).filter { $0.asDependency == nil }.map(\.operation)
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

    /// Returns whether a product is being downloaded from a store, and its archive has the hash of a resource.
    public func isRunning(
        _ productIdentifier: String, with resource: ContentReference, of store: String
    ) async -> Bool {
        await resumptionEnded()
        guard let request = entries[productIdentifier]?.task.request, request.store == store else { return false }
        return resource.sha256 != nil && request.resource.sha256 == resource.sha256
    }

    /// The names of the stores that products are being downloaded from, by product identifier.
    public var storesOfRunningDownloads: [String: String] {
        get async {
            await resumptionEnded()
            return entries.mapValues(\.task.request.store)
        }
    }

    /// The identifiers of the products that products with a running download depend on.
    public var neededByRunning: Set<String> {
        get async {
            await resumptionEnded()
            return Set(entries.values.flatMap(\.task.request.product.dependencies))
        }
    }

    /// The operations of the running downloads and the stores that they download from, by product identifier.
    ///
    /// Does not wait for the downloads of the previous process, which are added one after another.
    public var runningOperations: [String: (operation: OperationID, store: String)] {
        entries.mapValues { ($0.operation, $0.task.request.store) }
    }

    /// Returns what ``runningOperations`` has for one product, without making the whole dictionary.
    public func runningOperation(of productIdentifier: String) -> (operation: OperationID, store: String)? {
        entries[productIdentifier].map { ($0.operation, $0.task.request.store) }
    }

    /// Returns the identifiers of products that depend on the given product and have a running download, sorted.
    public func running(needing productIdentifier: String) async -> [String] {
        await resumptionEnded()
        return entries.values.map(\.task.request.product)
            .filter { $0.dependencies.contains(productIdentifier) && $0.productIdentifier != productIdentifier }
            .map(\.productIdentifier).sorted()
    }
}
