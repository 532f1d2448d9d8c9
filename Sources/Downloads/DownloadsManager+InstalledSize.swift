import StoreModel
import StoreTransfers

extension DownloadsManager {
    /// Returns the size in bytes of the pack that a download would install; `nil` if its store does not state it.
    ///
    /// The archive's entry table, which is fetched, lists the sizes. Returns `nil` also if the table can't be fetched
    /// or verified, or the task is cancelled.
    public nonisolated func installedSize(of request: DownloadRequest) async -> Int? {
        guard let reference = request.product.entryTable, request.resource == request.product.resource else {
            return nil
        }
        let environment = await self.environment
        let fetch = FetchStep(
            environment: environment.steps, request: request, settings: environment.settings, rate: TransferRate())
        guard let fetched = try? await FetchPartsStep(fetch: fetch).fetchEntryTable(reference) else {
            return nil
        }
        return fetched.table.contentSize
    }
}

extension EntryTable {
    /// The size in bytes of all files that the table lists and a pack may contain.
    ///
    /// It is `nil` if the sizes are not those of an archive: the table comes from a store.
    var contentSize: Int? {
        let sizes = entries.filter { PackExclusion.topmost(in: $0.path, isDirectory: false) == nil }.map(\.size)
        return sizes.allSatisfy { $0 >= 0 } ? sizes.checkedSum : nil
    }
}
