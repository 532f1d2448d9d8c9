import FoundationEssentials
import StoreModel
import StoreSystem

extension DownloadsManager {
    /// All that the manager knows of a product's running download.
    struct Entry {
        let task: DownloadTask
        /// The Swift task that runs the download; `nil` until the operation is recorded in the database.
        var runner: Task<Void, Never>?
        /// Callers that wait for the end, which is `nil` for a suspended download.
        var waiters: [Promise<DownloadStatus?>] = []
        /// The last ordered change, while it is being made.
        var pendingChange: Task<Void, any Error>?
        /// The operation of a prerequisite that the download waits for.
        var awaitedOperation: OperationID?

        var operation: OperationID { task.request.operation }
    }

    /// Returns the entry of a running operation.
    func entry(of operation: OperationID) -> Entry? { entries.values.first { $0.operation == operation } }
}
