public import FoundationEssentials
public import Logging
public import StoreArchives
public import StoreDatabase
public import StoreEvents
public import StoreLibrary
public import StoreModel
public import StoreSystem
public import StoreTransfers

/// An actor that runs downloads of products: at most one per product, each with exactly one recorded end.
///
/// An operation is recorded in the database before its download begins, and its end before the end is published, so
/// that neither is lost when the process ends at any moment.
///
/// ```swift
/// let request = DownloadRequest(
///     operation: OperationID(), action: .install, store: "example", product: product, resource: resource)
/// if let installation = try await downloads.start(request) {
///     print("downloading, operation", installation.operation?.rawValue ?? "none")
/// }
/// _ = try await downloads.change(product.productIdentifier, paused: true)
/// ```
public actor DownloadsManager {
    let database: LibraryDatabase
    let library: Library
    let events: EventBus
    let log: Logger
    let clock: TimeSource
    /// The settings, download slots and connections that downloads which begin from now on share.
    var environment: DownloadEnvironment
    var didInstall: @Sendable (LibraryPack, OperationAction) async -> Void = { _, _ in }
    var packDidChange: @Sendable (_ productIdentifier: String, PackChange.Change?) async -> Void = { _, _ in }

    /// The running downloads by product identifier.
    var entries: [String: Entry] = [:]
    /// The counts of downloads since the daemon's start by how they ended and by error.
    private var endMetrics = DownloadMetrics()
    /// The number of downloads that have ended since the daemon's start, also without being recorded.
    private(set) var endCount = 0
    /// The number of downloads created since the daemon's start; the next one gets the following number.
    var beginCount = 0
    /// The number of changes of running downloads, ordered with `change`, that are being made now.
    var changesInProgress = 0
    /// The number of downloads that have ended and whose ends are being recorded and published now.
    private(set) var endsInProgress = 0
    var isClosing = false
    /// The callers that wait until no download runs.
    private var waitingForEnds: [CheckedContinuation<Void, Never>] = []
    /// The task that creates the downloads of the daemon's previous process again; `nil` when it is done.
    var resumption: Task<Void, Never>?

    /// Creates a manager without downloads; those of the daemon's previous process continue with ``resume()``.
    ///
    /// - Parameters:
    ///   - checking: checks the files of unpacked packs.
    ///   - partial: the directory of partially fetched archives.
    ///   - archives: the directory of cached archives.
    ///   - network: the source of notifications about changes of the network.
    ///   - clock: the source of times and delays.
    ///   - events: the bus on which statuses are published.
    ///   - authorization: returns the value of the `Authorization` header for a URL of a store; `nil` sends none.
    ///   - addresses: returns the addresses to which the requests of a store may connect.
    public init(
        database: LibraryDatabase, library: Library, transfers: any Transferring, unpacking: any Unpacking,
        checking: any ContentChecking = ContentChecker(), partial: Directory, archives: Directory,
        settings: DownloadSettings, network: NetworkSource = .system,
        clock: TimeSource = .system, events: EventBus, log: Logger,
        authorization: @escaping @Sendable (_ store: String, URL) -> String? = { _, _ in nil },
        addresses: @escaping @Sendable (_ store: String) -> AddressPolicy = { _ in .any }
    ) {
        self.database = database
        self.library = library
        self.events = events
        self.log = log
        self.clock = clock
        let steps = StepEnvironment(
            library: library, transfers: transfers, unpacking: unpacking, checking: checking, partial: partial,
            archives: ArchiveCache(archives, limit: settings.keptArchives), clock: clock, authorization: authorization,
            addresses: addresses)
        environment = DownloadEnvironment(
            steps: steps, settings: settings, slots: PrioritySemaphore(limit: settings.maximumAtOnce),
            circuitBreaker: HostCircuitBreaker(network, clock: clock), events: events, clock: clock)
    }

    /// Applies changed settings to downloads that begin from now on.
    ///
    /// The maximum number of running downloads and the size of the archive cache change at once, for all downloads.
    public func apply(_ settings: DownloadSettings) async {
        environment = environment.with(settings)
        environment.slots.setLimit(settings.maximumAtOnce)
        await environment.steps.archives.setLimit(settings.keptArchives)
    }

    /// Sets the function that is called after a download has installed its pack.
    ///
    /// It is called after the commit of the pack was recorded as the operation's end, and before that end is published.
    public func observeInstalls(_ didInstall: @escaping @Sendable (LibraryPack, OperationAction) async -> Void) {
        self.didInstall = didInstall
    }

    /// Sets the function that publishes how a pack changed because a download began or ended.
    ///
    /// It is called after the begin or end of the download was published, except when a download with the action
    /// `install` begins, or ends without success. Its second argument is how an operation that succeeded changed the
    /// pack, and `nil` if at most the states of the pack changed.
    public func observePackChanges(
        _ packDidChange: @escaping @Sendable (_ productIdentifier: String, PackChange.Change?) async -> Void
    ) {
        self.packDidChange = packDidChange
    }

    private var isRunning: Bool { endsInProgress > 0 || entries.values.contains(where: \.hasBegun) }

    /// Waits until no download runs, and all ends are recorded and published.
    func waitUntilIdle() async {
        if isRunning { await withCheckedContinuation { waitingForEnds.append($0) } }
    }

    /// Records and publishes the end of a download, and wakes those that wait for it.
    func ended(_ task: DownloadTask, _ outcome: DownloadTask.Machine.Outcome, startedAt: Date) async {
        endsInProgress += 1
        defer {
            endsInProgress -= 1
            if !isRunning {
                for waiting in waitingForEnds { waiting.resume() }
                waitingForEnds = []
            }
        }
        let request = task.request
        let record = record(of: request, startedAt: startedAt)
        switch outcome {
        case .finished(_, let pack):
            await self.setRequested(pack, by: task.plan)
            await self.record(record, as: .finished)
            // What depends on the pack is done before the end is published.
            await didInstall(pack, request.action)
        case .failed(let error): await self.record(record, as: .failed, error: error)
        case .stopped(.cancelled): await self.record(record, as: .cancelled)
        case .stopped(.suspended): break
        }
        // The entry is removed before the end is published, so that an observer of the end can begin a new download.
        let entry = entries.removeValue(forKey: request.product.productIdentifier)
        endCount += 1
        var published: DownloadStatus?
        if case .stopped(.suspended) = outcome {
            // The next start continues it.
        } else {
            let status = task.status
            published = status
            var metadata = metadata(request)
            if let error = status.error { metadata["error"] = "\(error.message)" }
            log.info("\(request.action) ended: \(status.state.rawValue)", metadata: metadata)
            publishEnd(status)
            if case .finished = outcome {
                await publishInstall(of: request.product.productIdentifier, request.action)
            } else if request.action != .install {
                await packDidChange(request.product.productIdentifier, nil)
            }
        }
        for waiter in entry?.waiters ?? [] { waiter.keep(published) }
    }

    /// Records in an installed pack that the user named its product, if that happened after its receipt was written.
    func setRequested(_ pack: LibraryPack, by plan: DownloadRequest) async {
        guard plan.action == .install, plan.asDependency == nil, pack.origin?.asDependency == true else { return }
        do {
            try await library.setRequested(pack.productIdentifier)
        } catch {
            log.error("could not record that '\(pack.productIdentifier)' was installed by name: \(error)")
        }
    }

    /// Counts and publishes the end of a download.
    ///
    /// From then on the event bus lists the download among those that ended.
    func publishEnd(_ status: DownloadStatus) {
        endMetrics.count(ended: status)
        events.publish(.download(status))
    }

    /// Publishes an event that an action on a pack succeeded: that it was installed, or, for other actions, updated.
    func publishInstall(of productIdentifier: String, _ action: OperationAction) async {
        await packDidChange(productIdentifier, action == .install ? .installed : .updated)
    }

    /// Records the end of a download's operation in the database; a failure is logged, and repaired at the next start.
    func record(_ record: OperationRecord, as end: OperationEnd, error: ErrorReport? = nil) async {
        do {
            try await database.end(record, as: end, at: clock.date(), error: error)
        } catch {
            // The pack is installed or not, whatever the database says; the next start completes the record.
            log.error("could not record the end of \(record.operation): \(error)")
        }
    }

    /// Waits for the end of a product's download, given by its operation, and returns its last status.
    ///
    /// The result is `nil` if the operation has no running download, or if the download was suspended because the
    /// daemon shuts down.
    ///
    /// - Throws: `CancellationError` at once when the calling task is cancelled: a download may be paused for days.
    func end(of operation: OperationID, product identifier: String) async throws -> DownloadStatus? {
        guard entries[identifier]?.operation == operation else { return nil }
        let end = Promise<DownloadStatus?>()
        entries[identifier]?.waiters.append(end)
        return try await end.value()
    }

    func record(of request: DownloadRequest, startedAt: Date) -> OperationRecord {
        OperationRecord(
            operation: request.operation, action: request.action,
            productIdentifier: request.product.productIdentifier, store: request.store,
            version: request.product.version, startedAt: startedAt)
    }

    func metadata(_ request: DownloadRequest) -> Logger.Metadata {
        ["product": "\(request.product.productIdentifier)", "operation": "\(request.operation)"]
    }

    /// Returns counts of the running and ended downloads, and of cached archives, for the daemon's metrics.
    public func metrics() async -> DownloadMetrics {
        await resumptionEnded()
        let cached = await environment.steps.archives.total()
        var metrics = endMetrics
        for entry in entries.values { metrics.count(running: entry.task.status) }
        metrics.keptArchives = cached
        return metrics
    }
}
