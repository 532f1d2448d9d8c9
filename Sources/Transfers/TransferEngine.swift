public import FoundationEssentials
import StoreCCurl
import StoreModel
import StoreSystem
import Synchronization

/// Moves bytes from URLs into files, memory or a stream, many at once, on one thread of its own.
///
/// Every function may be called from anywhere, and ends early with `CancellationError` when its task is cancelled:
/// the transfer is broken off and nothing of it is left but, for a download, the bytes that had come.
///
/// The thread ends when the engine is released, or after ``shutdown()``.
public final class TransferEngine: Sendable {
    private let inbox: Inbox
    let connectionsPerFile: Int
    let knowledge = Mutex(ServerKnowledge())
    /// How many files are being downloaded.
    let downloads = Atomic(0)
    private let received = ReceivedBytes()
    /// Files of this machine are read here, so that a slow disk holds up no connection.
    private let localFiles = BlockingWork(label: "transfers.files", concurrent: true)

    /// libcurl must be made ready once for the process; a constant is, however many threads ask.
    private static let isReady = ccurl_global_init() == CURLE_OK

    /// - Throws: `transfer.stopped` where the system has no thread, memory or descriptor left for it.
    public init(configuration: TransferConfiguration = .init()) throws(TransferError) {
        guard TransferEngine.isReady, let multi = curl_multi_init() else { throw .notStarted }
        ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost ?? 0)
        ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections ?? 0)
        // Of small files the latency decides, and over HTTP/2 they share one connection; libcurl would stop at 100.
        ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 250)
        // Sent as a number: from here on the handle is the thread's, save for the wake-up inside the inbox.
        let address = UInt(bitPattern: multi)
        let inbox = Inbox(multi: address)
        connectionsPerFile = configuration.connectionsPerFile
        self.inbox = inbox
        // Without descriptors for its wake-up libcurl would start all the same, and hear nothing.
        do {
            guard curl_multi_wakeup(multi) == CURLM_OK else { throw TransferError.notStarted }
            // libcurl without signals (`CURLOPT_NOSIGNAL`) leaves SIGPIPE to the program; the thread does not receive it.
            try SystemThread.start { [received] in
                guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
                TransferLoop(multi: multi, inbox: inbox, configuration: configuration, received: received).run()
            }
        } catch {
            curl_multi_cleanup(multi)
            throw .notStarted
        }
    }

    deinit { inbox.post(.stop) }

    /// How many bytes of answers' bodies have come since the start, through sockets of any kind, whatever became of them.
    public var bytesReceived: Int { received.count.load(ordering: .relaxed) }

    /// Sets how many bytes a second may come, for what runs as well. Files of this machine and what comes through unix
    /// sockets have no limit.
    public func setLimits(_ limits: BandwidthLimits) { inbox.post(.limit(limits)) }

    /// Sets how many bytes a second may come of what has this rate, beside the limits of the engine; `nil` is without
    /// limit. What runs keeps to it at once.
    public func setRate(_ bytesPerSecond: Int?, of rate: TransferRate) {
        rate.set(bytesPerSecond)
        inbox.post(.pace)
    }

    /// Ends all transfers with `transfer.stopped`, and returns when the thread has let go of every connection.
    public func shutdown() async {
        inbox.post(.stop)
        await inbox.untilEnded()
    }

    // MARK: For the parts of the engine

    /// Has a transfer run; whatever happens, its sink is made and told the end.
    func start(_ job: TransferJob, makeSink: @escaping @Sendable () -> any BodySink) {
        if job.request.isLocalFile {
            Task { [localFiles] in try await localFiles.run { LocalFile(job, makeSink()).run() } }
        } else if !inbox.post(.start(job, makeSink: makeSink)) {
            makeSink().end(TransferError.stopped)
        }
    }

    func cancel(_ job: TransferJob) {
        job.isCancelled.store(true, ordering: .releasing)
        inbox.post(.cancel(job))
    }

    func resume(_ job: TransferJob) { inbox.post(.resume(job)) }

    /// Has a transfer run and waits for what its sink makes of it.
    func run<Value: Sendable>(
        _ job: TransferJob, _ makeSink: @escaping @Sendable (CheckedContinuation<Value, any Error>) -> any BodySink
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in start(job) { makeSink(waiting) } }
        } onCancel: {
            cancel(job)
        }
    }
}

extension TransferEngine {
    /// The most that ``fetch(_:)`` takes where the request sets no limit: 16 MiB.
    public static let documentLimit = 16 << 20

    /// Fetches a small document into memory. Any status is an answer, not an error;
    /// ``TransferResponse/requireSuccess()`` makes it one.
    ///
    /// - Throws: ``TransferError``; `transfer.too-long` as soon as there are known to be more bytes than the limit.
    public func fetch(_ request: TransferRequest) async throws -> (response: TransferResponse, body: Data) {
        try request.check()
        let limit = request.sizeLimit ?? TransferEngine.documentLimit
        return try await run(TransferJob(request)) { DocumentSink(request, limit: limit, waiting: $0) }
    }
}

extension TransferError {
    static let notStarted = TransferError(
        .transferStopped, "Transfers can't be started: no thread, memory or file descriptor is left.")
}
