import FoundationEssentials
import StoreDatabase
public import StoreModel
import StoreSystem

/// The part of the downloads manager that begins downloads, or joins those that are running.
extension DownloadsManager {
    /// Begins the download of a product, or joins the download that is running for the product.
    ///
    /// A download that is joined gets the priority of the request, if that is higher. One that is being cancelled is
    /// not joined: the call waits for its end. When the call returns, the download is recorded, so that it goes on after
    /// a crash.
    ///
    /// - Returns: the download; `nil` if the product's version is no longer the one that the request replaces, perhaps
    ///   because of a download that ended a moment ago.
    /// - Throws: `conflict.other-store` if the running download is from another store or is of another file of this
    ///   machine; `daemon.ending`; errors of the database and of the library; `CancellationError`, which does not stop a
    ///   download that has begun.
    public func start(_ request: DownloadRequest) async throws -> Installation? {
        try await start([[request]])[0].get()
    }

    /// Begins or joins the downloads of several products, each with those of its dependencies.
    ///
    /// All downloads are recorded in one transaction, so that a long list waits for the disk once. They are queued in the
    /// order of the requests.
    ///
    /// - Parameter groups: the requests for each product, those of its dependencies first. Where one of them fails, the
    ///   following ones of the same product are not begun; those before it are.
    /// - Returns: for each product what the method for a single request returns or throws, for the last of its requests.
    public func start(_ groups: [[DownloadRequest]]) async -> [Result<Installation?, any Error>] {
        var batch = Batch()
        var prepared: [Result<[Prepared], any Error>] = []
        for requests in groups {
            do {
                var downloads: [Prepared] = []
                for request in requests { downloads.append(try await joinOrPrepare(request, &batch)) }
                prepared.append(.success(downloads))
            } catch {
                prepared.append(.failure(error))
            }
        }
        await begin(&batch)
        var results: [Result<Installation?, any Error>] = []
        for group in prepared {
            do {
                let downloads = try group.get()
                // Only after the begins of this batch are recorded: two batches could otherwise wait for each other.
                // A dependency whose begin can't be recorded is no error here: the product's download has begun, and fails.
                for download in downloads.dropLast() { _ = try? await download.waitForBegin() }
                try await downloads.last?.waitForBegin()
                results.append(batch.result(of: downloads.last?.installation))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// A download that was joined or created for a request.
    private struct Prepared {
        /// The download; `nil` if there is none, because the request is out of date.
        var installation: Installation?
        /// Receives why the begin of a joined download could not be recorded, or `nil` if it was.
        ///
        /// There is no promise if it is recorded already, or if the download was created for this request.
        var begin: Promise<(any Error)?>?

        func waitForBegin() async throws { if let failure = try await begin?.value() ?? nil { throw failure } }
    }

    /// The downloads that one call begins.
    private struct Batch {
        /// The downloads that were created, and whose begins are not recorded yet.
        var prepared: [(task: DownloadTask, record: OperationRecord)] = []
        var begun: [OperationID: DownloadTask] = [:]
        var failures: [OperationID: any Error] = [:]

        /// Returns what became of a download that was created or joined.
        func result(of installation: Installation?) -> Result<Installation?, any Error> {
            guard let operation = installation?.operation else { return .success(installation) }
            // Others of the products may have joined a download that could not be begun.
            if let failure = failures[operation] { return .failure(failure) }
            guard let installation, !installation.joined, let task = begun[operation] else {
                return .success(installation)
            }
            return .success(Installation(download: task.status, joined: false))
        }
    }

    /// Joins the running download of a product, or creates one and adds it to the batch.
    ///
    /// - Returns: the download, or none if the request is out of date.
    private func joinOrPrepare(_ request: DownloadRequest, _ batch: inout Batch) async throws -> Prepared {
        if let joined = try await join(request, &batch) { return joined }
        var seen: Int
        repeat {
            seen = endCount
            // A pack of another kind in its place is refused before the request is made, and again when the pack is staged.
            let pack = try await library.packInPlace(of: request.product.productIdentifier, kind: request.product.kind)
            if pack?.origin?.operation != request.replacing { return Prepared() }
            if let joined = try await join(request, &batch) { return joined }
            // A download that ended during the look at the library may have installed another version.
        } while seen != endCount
        let task = try makeTask(request)
        batch.prepared.append((task, record(of: request, startedAt: clock.date())))
        return Prepared(installation: Installation(download: task.status, joined: false))
    }

    /// Records the begins of the prepared downloads, and runs them.
    ///
    /// If they can't be recorded together, each is tried alone, so that only those fail that can't be recorded.
    private func begin(_ batch: inout Batch) async {
        let prepared = batch.prepared
        batch.prepared = []
        guard !prepared.isEmpty else { return }
        var recorded: [(task: DownloadTask, record: OperationRecord)] = []
        do {
            try await recordBegins(of: prepared)
            recorded = prepared
        } catch {
            for download in prepared {
                do {
                    guard prepared.count > 1 else { throw error }
                    try await recordBegins(of: [download])
                    recorded.append(download)
                } catch {
                    batch.failures[download.task.request.operation] = error
                    fail(download.task, with: error)
                }
            }
        }
        for (task, _) in recorded { batch.begun[task.request.operation] = task }
        begin(recorded.map { ($0.task, $0.record.startedAt) })
    }

    /// Runs downloads that begin together, or that continue after a start.
    func begin(_ downloads: [(task: DownloadTask, startedAt: Date)]) {
        // Which transfers first is decided by the tickets, and not by which task runs first.
        environment.slots.reserve(
            downloads.map(\.task).filter { $0.request.pause == nil && $0.request.prerequisites.isEmpty }.map(\.ticket))
        for (task, startedAt) in downloads { begin(task, startedAt: startedAt) }
    }

    /// Records the begins of downloads in one transaction, each with its request, with which the next start continues it.
    private func recordBegins(of downloads: [(task: DownloadTask, record: OperationRecord)]) async throws {
        let plans = downloads.map(\.task.plan)
        var changes: [(OperationRecord, Data)] = []
        for (download, plan) in zip(downloads, plans) { changes.append((download.record, try JSON.encode(plan))) }
        try await database.write { [changes] in for (record, plan) in changes { $0.begin(record, plan: plan) } }
        // A change may have been ordered before the plan was in the database.
        for (download, plan) in zip(downloads, plans) where download.task.plan != plan {
            try? await save(download.task.plan)
        }
    }

    /// Returns a promise that is kept when the begin of a product's running download is recorded, or can't be.
    ///
    /// The result is `nil` if the begin is recorded already, or if no download of the product is running.
    private func promiseOfBegin(_ productIdentifier: String) -> Promise<(any Error)?>? {
        guard entries[productIdentifier]?.hasBegun == false else { return nil }
        let begin = Promise<(any Error)?>()
        entries[productIdentifier]?.waitersForBegin.append(begin)
        return begin
    }

    /// Waits until the begin of a product's running download is recorded, if there is one.
    ///
    /// Not for a call that has created downloads and has not recorded their begins.
    ///
    /// - Throws: the reason why it could not be recorded; `CancellationError`.
    func waitForBegin(_ productIdentifier: String) async throws {
        if let failure = try await promiseOfBegin(productIdentifier)?.value() ?? nil { throw failure }
    }

    /// Ends a download whose begin could not be recorded.
    private func fail(_ task: DownloadTask, with error: any Error) {
        let entry = entries.removeValue(forKey: task.request.product.productIdentifier)
        // Others may have joined the download meanwhile, and wait for its end.
        var status = task.status
        (status.state, status.activity, status.error) = (.failed, nil, ErrorReport(error))
        publishEnd(status)
        for waiter in entry?.waitersForBegin ?? [] { waiter.keep(error) }
        for waiter in entry?.waiters ?? [] { waiter.keep(status) }
    }

    /// Joins the running download of the requested product; returns `nil` if there is none.
    ///
    /// If the result is `nil`, no download of the product has begun since that was found.
    ///
    /// - Throws: `conflict.other-store` if the running download is from another store or is of another file of this
    ///   machine; `CancellationError`.
    private func join(_ request: DownloadRequest, _ batch: inout Batch) async throws -> Prepared? {
        let identifier = request.product.productIdentifier
        if let running = entries[identifier], !running.hasBegun, running.task.isCancelled {
            // It was cancelled before its begin was recorded, and ends only after that. It may be one of this batch, or one
            // of another batch, which in turn may wait for one of this.
            await begin(&batch)
        }
        guard let running = try await joinable(identifier) else { return nil }
        guard running.request.store == request.store,
            request.store != Receipt.localFiles || running.request.resource.sha256 == request.resource.sha256
        else {
            throw StoreError(.otherStoreDownloading, ["product": identifier, "store": running.request.store])
        }
        let begin = promiseOfBegin(identifier)
        if let priority = request.priority, priority > running.status.priority {
            // The download may have ended meanwhile, which does not concern the caller.
            _ = try? await changeBeforeBegin(identifier, priority: priority)
        }
        if request.action == .install, request.asDependency == nil { try await setRequested(identifier) }
        return Prepared(installation: Installation(download: running.status, joined: true), begin: begin)
    }

    /// Returns the running download of a product; `nil` if there is none.
    ///
    /// If the download is being cancelled, the call first waits for its end.
    ///
    /// - Throws: `CancellationError`.
    private func joinable(_ productIdentifier: String) async throws -> DownloadTask? {
        await resumptionEnded()
        while let running = entries[productIdentifier]?.task {
            guard running.isCancelled else { return running }
            _ = try await end(of: running.request.operation, product: productIdentifier)
        }
        return nil
    }

    /// Returns the status of a product's running download; `nil` if there is none.
    ///
    /// If the download is being cancelled, the call first waits for its end. If its begin is being recorded, the call
    /// waits for that.
    ///
    /// - Throws: the reason why the begin could not be recorded; `CancellationError` if the calling task is cancelled
    ///   while it waits.
    public func runningToJoin(_ productIdentifier: String) async throws -> DownloadStatus? {
        guard let running = try await joinable(productIdentifier) else { return nil }
        try await waitForBegin(productIdentifier)
        return running.status
    }

    /// Creates the download of a request, and the manager's entry for it, without starting it.
    ///
    /// - Parameter bytesOnDisk: the number of bytes of the archive that the daemon's previous process has left.
    /// - Throws: `daemon.ending`.
    func makeTask(_ request: DownloadRequest, bytesOnDisk: Int = 0) throws -> DownloadTask {
        guard !isClosing else { throw StoreError(.daemonShuttingDown) }
        beginCount += 1
        let task = DownloadTask(request, number: beginCount, bytesOnDisk: bytesOnDisk, environment: environment)
        entries[request.product.productIdentifier] = Entry(task: task)
        return task
    }

    /// Publishes the beginning of a download, and starts the download.
    private func begin(_ task: DownloadTask, startedAt: Date) {
        log.info("\(task.request.action) begins", metadata: metadata(task.request))
        let identifier = task.request.product.productIdentifier
        let runner = DownloadRunner(task: task) {
            [weak self, prerequisites = task.request.prerequisites] in
            try await self?.wait(for: prerequisites, neededBy: identifier)
        } didEnd: { [weak self] outcome in
            await self?.ended(task, outcome, startedAt: startedAt)
        }
        entries[identifier]?.hasBegun = true
        for waiter in entries[identifier]?.waitersForBegin ?? [] { waiter.keep(nil) }
        entries[identifier]?.waitersForBegin = []
        let action = task.start()
        // A product that is installed for the first time has no pack yet.
        guard task.request.action != .install else { return runner.proceed(with: action) }
        Task { [packDidChange] in
            await packDidChange(identifier, nil)
            runner.proceed(with: action)
        }
    }

    private func wait(for prerequisites: [String], neededBy product: String) async throws {
        for identifier in prerequisites {
            if let running = entries[identifier]?.operation {
                entries[product]?.awaitedOperation = running
                defer { entries[product]?.awaitedOperation = nil }
                _ = try await end(of: running, product: identifier)
            }
            try Task.checkCancellation()
            guard try await library.pack(of: identifier) == nil else { continue }
            let arguments: ErrorArguments = ["product": product, "prerequisite": identifier]
            guard let cause = events.lastEndedDownload(of: identifier)?.error else {
                throw StoreError(.prerequisiteMissing, ["product": product, "prerequisite": identifier])
            }
            let template = ErrorTemplate.prerequisiteInstallFailed(exitCode: cause.code.exitCode)
            throw StoreError(template, arguments, cause: cause)
        }
    }
}
