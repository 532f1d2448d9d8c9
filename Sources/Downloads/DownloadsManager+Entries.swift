import FoundationEssentials
import StoreModel
import StoreSystem

extension DownloadsManager {
    /// The running download of one product, with the callers that wait for its end.
    struct Entry {
        let task: DownloadTask
        /// Whether the download was started, which happens when its operation has been recorded in the database.
        var hasBegun = false
        /// The promises to the callers that joined the download before its begin was recorded, and wait for that.
        ///
        /// Each receives the reason why it could not be recorded, or `nil` if it was.
        var waitersForBegin: [Promise<(any Error)?>] = []
        /// The promises to the callers that wait for the download's end.
        ///
        /// Each receives the final status, or `nil` if the download was suspended because the daemon shuts down.
        var waiters: [Promise<DownloadStatus?>] = []
        /// The last change of the download ordered with `change`, while it is being made; `nil` if there is none.
        var pendingChange: Task<Void, any Error>?
        /// The operation of another download that this download waits for; `nil` if it waits for none.
        ///
        /// It installs a product that must be installed before this one.
        var awaitedOperation: OperationID?

        var operation: OperationID { task.request.operation }
    }

    /// Returns the running download of an operation; `nil` if the operation has no running download.
    func entry(of operation: OperationID) -> Entry? { entries.values.first { $0.operation == operation } }
}
