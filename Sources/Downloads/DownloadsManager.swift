public import FoundationEssentials
public import Logging
public import StoreArchives
public import StoreDatabase
public import StoreEvents
public import StoreLibrary
public import StoreModel
public import StoreSystem
public import StoreTransfers

/// Runs the downloads: a dictionary productIdentifier → task, of which each ends exactly once.
///
/// A task is noted on the disk before it begins, and its end before anybody is told, so that neither is lost when the
/// daemon ends at any moment.
public actor DownloadsManager {
    let database: LibraryDatabase
    let library: Library
    let steps: DownloadSteps
    let events: EventBus
    let turnstile: PrioritySemaphore
    let network: NetworkGate
    let log: Logger
    private let clock: TimeSource
    private var settings: DownloadSettings
    var installed: @Sendable (LibraryPack, OperationAction) async -> Void = { _, _ in }

    var tasks: [String: DownloadTask] = [:]
    var work: [OperationID: Task<Void, Never>] = [:]
    private var endFigures = DownloadMetrics()
    /// How many tasks ended since the start.
    private var endings = 0
    private var waiting: [OperationID: [Promise<DownloadStatus?>]] = [:]
    /// How many tasks were begun since the start.
    private var begun = 0
    /// The last change that was ordered of an operation, while it is being made.
    var changes: [OperationID: Task<Void, any Error>] = [:]
    var isClosing = false
    /// Makes the tasks of what was queued when the daemon ended.
    var bringingBack: Task<Void, Never>?
    /// Which operation a product's task waits for, because it needs what that installs.
    var awaited: [String: OperationID] = [:]

    /// - Parameters:
    ///   - partial: where archives come together.
    ///   - archives: where those of installed packs are kept.
    ///   - network: where it is heard of that the machine's network changed.
    ///   - clock: what tells the time, and when to try again.
    ///   - authorization: what to send to an address of a store, as the value of `Authorization`.
    public init(
        database: LibraryDatabase, library: Library, transfers: any Transferring, unpacking: any Unpacking,
        partial: Directory, archives: Directory, settings: DownloadSettings, network: NetworkSource = .system,
        clock: TimeSource = .system, events: EventBus, log: Logger,
        authorization: @escaping @Sendable (_ store: String, URL) -> String? = { _, _ in nil }
    ) {
        self.database = database
        self.library = library
        self.settings = settings
        self.events = events
        self.log = log
        self.clock = clock
        turnstile = PrioritySemaphore(limit: settings.maximumAtOnce)
        self.network = NetworkGate(network, clock: clock)
        steps = DownloadSteps(
            library: library, transfers: transfers, unpacking: unpacking, partial: partial,
            archives: ArchiveCache(archives, limit: settings.keptArchives), clock: clock, authorization: authorization)
    }

    /// Settings for tasks that begin from now on; how many run at once counts from now on for all.
    public func apply(_ settings: DownloadSettings) async {
        self.settings = settings
        turnstile.setLimit(settings.maximumAtOnce)
        await steps.archives.setLimit(settings.keptArchives)
    }

    /// Has `installed` called after a pack took its place and its operation's end was noted, before the task's end.
    public func observeInstalls(_ installed: @escaping @Sendable (LibraryPack, OperationAction) async -> Void) {
        self.installed = installed
    }

    // MARK: Beginning

    /// Begins a download, or joins the one that runs for the product; where that has a lower priority, it gets that of
    /// the request.
    ///
    /// - Returns: `nil` where what was to be installed is installed, perhaps by a download that ended a moment ago.
    /// - Throws: `conflict.other-store` where the one that runs is from another store; `daemon.ending`; what the
    ///   database says.
    public func start(_ request: DownloadRequest) async throws -> Installation? {
        let identifier = request.product.productIdentifier
        if let joined = try await join(request) { return joined }
        if request.action == .install {
            var seen: Int
            repeat {
                seen = endings
                if let pack = try await library.packInPlace(of: identifier), request.asksFor(pack) {
                    return nil
                }
                if let joined = try await join(request) { return joined }
                // A task that ended while the library looked may have put it there.
            } while seen != endings
        }
        let task = try makeTask(request)
        let startedAt = clock.date()
        do {
            let plan = try JSON.encode(request)
            let record = record(of: request, startedAt: startedAt)
            try await database.write { $0.begin(record, plan: plan) }
            // Somebody may have had a wish about it before its plan was there to be changed.
            if task.plan != request { try? await note(task.plan) }
        } catch {
            tasks[identifier] = nil
            // Others may have joined it meanwhile, and wait for its end.
            var status = task.status
            (status.state, status.activity, status.error) = (.failed, nil, ErrorReport(error))
            publishEnd(status)
            release(request.operation, status)
            throw error
        }
        begin(task, startedAt: startedAt)
        return Installation(download: task.status, joined: false)
    }

    /// The task that runs for the same product. Where none does when this returns, none was begun meanwhile.
    private func join(_ request: DownloadRequest) async throws -> Installation? {
        let identifier = request.product.productIdentifier
        guard let running = try await joinable(identifier) else { return nil }
        guard running.request.store == request.store else {
            throw DownloadError(
                .otherStore,
                "'\(identifier)' is being installed from the store '\(running.request.store)'. "
                    + "Wait for it or cancel it first.")
        }
        if let priority = request.priority, priority > running.status.priority {
            // It may have ended meanwhile, which is no matter of whoever joins it.
            _ = try? await change(identifier, priority: priority)
        }
        return Installation(download: running.status, joined: true)
    }

    /// The task that runs for a product, unless it is being cancelled: who asks after that wants a new one, which can't
    /// begin before its end.
    private func joinable(_ productIdentifier: String) async throws -> DownloadTask? {
        await broughtBack()
        while let running = tasks[productIdentifier] {
            guard running.isBeingCancelled else { return running }
            _ = try await end(of: running.request.operation)
        }
        return nil
    }

    /// What runs for a product, for whoever would join it: where that is being cancelled, returns when it has ended.
    ///
    /// - Throws: `CancellationError`.
    public func runningToJoin(_ productIdentifier: String) async throws -> DownloadStatus? {
        try await joinable(productIdentifier)?.status
    }

    func makeTask(_ request: DownloadRequest) throws -> DownloadTask {
        guard !isClosing else { throw DownloadError(.shuttingDown, "The daemon is ending. Try again.") }
        begun += 1
        let task = DownloadTask(
            request, number: begun, steps: steps, settings: settings, turnstile: turnstile, network: network,
            events: events, clock: clock
        ) { [weak self, identifier = request.product.productIdentifier, prerequisites = request.prerequisites] in
            try await self?.wait(for: prerequisites, neededBy: identifier)
        }
        tasks[request.product.productIdentifier] = task
        return task
    }

    func begin(_ task: DownloadTask, startedAt: Date) {
        log.info("\(task.request.action) begins", metadata: metadata(task.request))
        var status = task.status
        // Stopped before it began: its end is told once, when it is noted.
        if status.state.isEnd {
            (status.state, status.activity, status.reason, status.error) = (.initializing, .queued, nil, nil)
        }
        events.publish(.download(status))
        work[task.request.operation] = task.start { [weak self] end in
            await self?.ended(task, end, startedAt: startedAt)
        }
    }

    private func wait(for prerequisites: [String], neededBy product: String) async throws {
        for identifier in prerequisites {
            if let running = tasks[identifier] {
                awaited[product] = running.request.operation
                defer { awaited[product] = nil }
                _ = try await end(of: running.request.operation)
            }
            try Task.checkCancellation()
            guard try await library.pack(of: identifier) == nil else { continue }
            let cause = events.lastEndedDownload(of: identifier)?.error
            throw DownloadError(
                .init(ErrorCode.prerequisiteFailed.word, cause?.code.exitCode ?? .conflict),
                "'\(product)' needs '\(identifier)', which was not installed"
                    + (cause.map { ": \($0.message)" } ?? "."))
        }
    }

    // MARK: Ending

    private func ended(_ task: DownloadTask, _ end: DownloadTask.End, startedAt: Date) async {
        let request = task.request
        if end.outcome != .suspended {
            await note(record(of: request, startedAt: startedAt), end.outcome, pack: end.pack)
        }
        // What follows from a pack being there is done when its end is told.
        if let pack = end.pack { await installed(pack, request.action) }
        // The pair leaves the dictionary before the end is told, so that whoever hears of it may begin anew.
        tasks[request.product.productIdentifier] = nil
        endings += 1
        work[request.operation] = nil
        guard end.outcome != .suspended else { return release(request.operation, nil) }
        let status = task.status
        var metadata = metadata(request)
        if let error = status.error { metadata["error"] = "\(error.message)" }
        log.info("\(request.action) ended: \(status.state.rawValue)", metadata: metadata)
        publishEnd(status)
        if let pack = end.pack { announce(pack, request.action) }
        release(request.operation, status)
    }

    /// Counts the end of a download and publishes it; from then on it is among the ended ones that are listed.
    func publishEnd(_ status: DownloadStatus) {
        endFigures.count(ended: status)
        events.publish(.download(status))
    }

    func announce(_ pack: LibraryPack, _ action: OperationAction) {
        events.publish(
            .pack(
                PackChange(
                    productIdentifier: pack.productIdentifier, kind: pack.kind,
                    change: action == .install ? .installed : .updated, version: pack.version)))
    }

    /// Puts an operation's end on the disk.
    func note(
        _ record: OperationRecord, _ outcome: DownloadStateMachine.Outcome, pack: LibraryPack?
    ) async {
        let (end, error): (OperationEnd, ErrorReport?) =
            switch outcome {
            case .finished: (.finished, nil)
            case .cancelled: (.cancelled, nil)
            case .failed(let error): (.failed, error)
            case .suspended: preconditionFailure("a suspended operation has no end to note")
            }
        do {
            try await database.end(record, as: end, at: clock.date(), error: error)
        } catch {
            // The pack is in its place or not, whatever the index says. Should the daemon be killed before the end can be
            // noted, the next start finds out.
            log.error("The end of \(record.operation) could not be noted yet: \(error)")
        }
    }

    private func release(_ operation: OperationID, _ status: DownloadStatus?) {
        for end in waiting.removeValue(forKey: operation) ?? [] { end.keep(status) }
    }

    /// Waits for the end of a task; `nil` where it did not begin, ended before now, or was suspended.
    ///
    /// - Throws: `CancellationError`, at once: a task that is waited for may be paused for days.
    func end(of operation: OperationID) async throws -> DownloadStatus? {
        guard tasks.values.contains(where: { $0.request.operation == operation }) else { return nil }
        let end = Promise<DownloadStatus?>()
        waiting[operation, default: []].append(end)
        return try await end.value()
    }

    private func record(of request: DownloadRequest, startedAt: Date) -> OperationRecord {
        OperationRecord(
            operation: request.operation, action: request.action,
            productIdentifier: request.product.productIdentifier, store: request.store,
            version: request.product.version, startedAt: startedAt)
    }

    private func metadata(_ request: DownloadRequest) -> Logger.Metadata {
        ["product": "\(request.product.productIdentifier)", "operation": "\(request.operation)"]
    }

    // MARK: Asking

    /// The running downloads, in the order in which they began, and the last ones that ended
    /// (``EventBus/endedDownloads``).
    public func all() async -> [DownloadStatus] {
        await broughtBack()
        return tasks.values.sorted { $0.number < $1.number }.map(\.status) + events.endedDownloads
    }

    /// How much there is of everything now, and since the start.
    public func figures() async -> DownloadMetrics {
        await broughtBack()
        let archives = await steps.archives.total()
        var figures = endFigures
        for task in tasks.values { figures.count(running: task.status) }
        figures.keptArchives = archives
        return figures
    }

    /// Whether anything comes of what was begun without anybody's doing: a task that is paused, and one that waits for
    /// such a one, do nothing.
    public var isBusy: Bool {
        get async {
            await broughtBack()
            return !tasks.values.allSatisfy(\.isIdle)
        }
    }

    /// The task that runs for a product, else the last one that ended.
    ///
    /// - Throws: `download.unknown`.
    public func status(of productIdentifier: String) async throws -> DownloadStatus {
        if let running = await running(productIdentifier) { return running }
        if let last = events.lastEndedDownload(of: productIdentifier) { return last }
        throw unknown(productIdentifier)
    }

    /// The task that runs for a product.
    public func running(_ productIdentifier: String) async -> DownloadStatus? {
        await broughtBack()
        return tasks[productIdentifier]?.status
    }

    /// The products that a task runs for.
    public var active: Set<String> {
        get async {
            await broughtBack()
            return Set(tasks.keys)
        }
    }

    /// The products that need one, and that a task runs for.
    public func running(needing productIdentifier: String) async -> [String] {
        await broughtBack()
        return tasks.values.map(\.request.product)
            .filter { $0.dependencies.contains(productIdentifier) && $0.productIdentifier != productIdentifier }
            .map(\.productIdentifier).sorted()
    }
}
