public import FoundationEssentials
import StoreCCurl
import StoreModel
import StoreSystem
import Synchronization

/// An engine that receives bytes from URLs into files or memory, many at once, on one thread of its own.
///
/// Every method may be called from any task. When the task is cancelled, the transfer is cancelled and the method
/// throws `CancellationError`; a download keeps the bytes that it received. The thread ends when the engine is
/// released, or after ``shutdown()``. Every transfer throws `transfer.stopped` after that, and where the system has no
/// libcurl, thread, memory or file descriptor for the engine.
public final class TransferEngine: Sendable {
    private let commandQueue = CommandQueue()
    private let configuration: TransferConfiguration
    let connectionsPerFile: Int
    let hostStatistics = Mutex(HostStatistics())
    /// The number of file downloads that are running.
    let downloads = Atomic(0)
    /// Whether ``prepare()`` was called.
    private let isPrepared = Atomic(false)
    /// The thread that runs all transfers, to wait for its end; `nil` before the first transfer.
    private let thread = Mutex<SystemThread.Handle?>(nil)
    private let received = ReceivedBytes()
    private let localFiles = LocalFileTransfers()

    /// Creates a transfer engine.
    ///
    /// libcurl is loaded, and the engine's thread started, with the first transfer or by ``prepare()``.
    public init(configuration: TransferConfiguration = .init()) {
        self.configuration = configuration
        connectionsPerFile = configuration.usableConnectionsPerFile
    }

    deinit { commandQueue.enqueue(.stop) }

    /// The number of body bytes that the engine received since it was created, including those of failed transfers.
    ///
    /// Bytes of local files are not counted.
    public var bytesReceived: Int { received.count.load(ordering: .relaxed) }

    /// Sets the bandwidth limits of this engine, also for running transfers.
    ///
    /// Transfers of local files are not limited.
    public func setLimits(_ limits: BandwidthLimits) { commandQueue.enqueue(.setLimits(limits)) }

    /// Sets the rate limit of a download in bytes per second, also for its running transfers; `nil` is unlimited.
    public func setRate(_ bytesPerSecond: Int?, of rate: TransferRate) {
        rate.set(bytesPerSecond)
        commandQueue.enqueue(.applyRates)
    }

    /// Ends all transfers over the network with `transfer.stopped`.
    ///
    /// Returns when all connections are closed and the thread that runs the transfers has ended.
    ///
    /// Transfers that are begun later fail with the same error. Transfers of local files are not affected.
    public func shutdown() async {
        commandQueue.enqueue(.stop)
        await commandQueue.waitUntilEnded()
        // OpenSSL, which libcurl uses, frees a thread's data when the thread ends, and also when the process exits. If both
        // happened at once, the data would be freed twice.
        thread.withLock { $0 }?.join()
    }

    /// Loads libcurl and starts the engine's thread in the background, so that the first transfer begins sooner.
    ///
    /// Only the first call does anything.
    public func prepare() {
        if !isPrepared.exchange(true, ordering: .relaxed), commandQueue.beginStarting() { startThread() }
    }

    /// Starts the engine's thread, which loads libcurl and runs all transfers.
    private func startThread() {
        do {
            // libcurl without signals (`CURLOPT_NOSIGNAL`) leaves SIGPIPE to the program; the thread does not receive it.
            let work: @Sendable () -> Void = { [commandQueue, configuration, received] in
                guard CurlLibrary.load(), let multi = ccurl_multi_init() else {
                    return commandQueue.startDidFail()
                }
                // libcurl starts even without file descriptors for its wake-up, and would then never receive a command.
                guard ccurl_multi_wakeup(multi) == CURLM_OK else {
                    ccurl_multi_cleanup(multi)
                    return commandQueue.startDidFail()
                }
                ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost ?? 0)
                ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections ?? 0)
                // Latency decides for small files, and HTTP/2 multiplexes them on one connection; libcurl's default is 100.
                ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 250)
                commandQueue.threadDidStart(multi: UInt(bitPattern: multi))
                TransferLoop(
                    multi: multi, commandQueue: commandQueue, configuration: configuration, received: received
                ).run()
            }
            try thread.withLock { $0 = try SystemThread.start(work) }
        } catch { commandQueue.startDidFail() }
    }

    // MARK: Jobs

    /// Starts a transfer and passes its response to a sink (the receiver that `makeSink` creates).
    ///
    /// The sink is created and ended in any case, also where the transfer can't begin.
    func start(_ job: TransferJob, makeSink: @escaping @Sendable () -> any BodySink) {
        if job.request.isLocalFile {
            localFiles.start(job, makeSink: makeSink)
            return
        }
        switch commandQueue.enqueue(.start(job, makeSink: makeSink)) {
        case .queued: break
        case .mustStartThread: startThread()
        case .refused: makeSink().end(StoreError.engineStopped(job.request.url))
        }
    }

    /// Cancels a transfer, also one that is started later; its sink is ended with `CancellationError`.
    func cancel(_ job: TransferJob) {
        job.isCancelled.store(true, ordering: .releasing)
        if job.request.isLocalFile { localFiles.cancel(job) } else { commandQueue.enqueue(.cancel(job)) }
    }

    func resume(_ job: TransferJob) { commandQueue.enqueue(.resume(job)) }

    /// Runs a transfer until its end, and returns the result with which its sink (the receiver) resumes the caller.
    ///
    /// - Parameter makeSink: creates the sink, which must resume the continuation exactly once.
    /// - Throws: the error of the sink; `CancellationError` when the task is cancelled.
    func run<Value: Sendable>(
        _ job: TransferJob, _ makeSink: @escaping @Sendable (CheckedContinuation<Value, any Error>) -> any BodySink
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in start(job) { makeSink(continuation) } }
        } onCancel: {
            cancel(job)
        }
    }
}

extension TransferEngine {
    /// The maximum size in bytes of a document for ``fetch(_:)`` where the request sets none: 16 MiB.
    public static let documentLimit = 16 << 20

    /// Fetches a small document from a URL into memory.
    ///
    /// Any status is a result, not an error; ``TransferResponse/requireSuccess()`` makes it one.
    ///
    /// - Throws: `StoreError` with a code of the module; `transfer.too-long` as soon as the document is known to exceed
    ///   the request's size limit, or ``documentLimit`` where it has none; `CancellationError`.
    public func fetch(_ request: TransferRequest) async throws -> (response: TransferResponse, body: Data) {
        try request.check()
        let limit = request.sizeLimit ?? TransferEngine.documentLimit
        return try await run(TransferJob(request)) { DocumentSink(request, limit: limit, waiting: $0) }
    }
}
