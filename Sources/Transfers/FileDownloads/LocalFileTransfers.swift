import StoreSystem
import Synchronization

/// The transfers of local files of one engine, of which a limited number is read at once while the others wait.
final class LocalFileTransfers: Sendable {
    typealias MakeSink = @Sendable () -> any BodySink

    /// The queue for reading, so that a slow disk does not block the connections.
    private let work = BlockingWork(label: "transfers.files", concurrent: true)
    /// The functions that create the sinks of the transfers that wait for a thread, by job.
    private let waiting = Mutex<[ObjectIdentifier: MakeSink]>([:])

    /// Appends a transfer, whose file is read as soon as a thread is free; one that was cancelled before ends at once.
    ///
    /// - Parameter makeSink: creates the receiver of the response, which is ended in any case.
    func start(_ job: TransferJob, makeSink: @escaping MakeSink) {
        let isWaiting = waiting.withLock { waiting in
            // Under the lock: the cancellation sets the flag before it looks for the waiting transfer.
            if job.isCancelled.load(ordering: .acquiring) { return false }
            waiting[ObjectIdentifier(job)] = makeSink
            return true
        }
        guard isWaiting else { return makeSink().end(CancellationError()) }
        work.add { [self] in
            if let makeSink = remove(job) { LocalFileTransfer(job, makeSink()).run() }
        }
    }

    /// Ends a transfer that waits for a thread; one whose file is being read ends by its job's flag.
    ///
    /// A thread may never be free, as where all of them read from a network file system that does not respond.
    func cancel(_ job: TransferJob) { remove(job)?().end(CancellationError()) }

    private func remove(_ job: TransferJob) -> MakeSink? {
        waiting.withLock { $0.removeValue(forKey: ObjectIdentifier(job)) }
    }
}
