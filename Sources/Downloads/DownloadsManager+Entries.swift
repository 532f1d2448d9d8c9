import FoundationEssentials
import StoreModel
import StoreSystem

extension DownloadsManager {
    /// The running download of one product, with the callers that wait for its end.
    struct Entry {
        let task: DownloadTask
        /// The Swift task that runs the download; `nil` until the operation is recorded in the database.
        var runner: Task<Void, Never>?
        /// The callers that wait for the end of the download; the value is `nil` if the download was suspended.
        var waiters: [Promise<DownloadStatus?>] = []
        /// The last change that was ordered with `change`, while it is being made; `nil` if there is none.
        var pendingChange: Task<Void, any Error>?
        /// The operation of the prerequisite that the download waits for; `nil` if it waits for none.
        var awaitedOperation: OperationID?

        var operation: OperationID { task.request.operation }
    }

    /// Returns the entry of a running operation; `nil` if the operation is not running.
    func entry(of operation: OperationID) -> Entry? { entries.values.first { $0.operation == operation } }
}
