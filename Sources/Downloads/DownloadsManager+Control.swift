public import StoreModel

/// The part of the downloads manager that changes or cancels a running download, or stops all.
///
/// A change is recorded in the database before it is carried out.
extension DownloadsManager {
    /// Pauses or resumes a product's download, or changes its priority or rate limit; `nil` leaves a value unchanged.
    ///
    /// Changes of one download are made one after another; once its begin is recorded, in the order of the calls, and
    /// whether or not the calling task is cancelled. A paused download has stopped its transfer and released its slot,
    /// and keeps its bytes, its operation and its position in the queue. A download that is unpacking already is not
    /// paused: it finishes, as the returned status shows.
    ///
    /// - Parameters:
    ///   - paused: `true` pauses the download, `false` resumes it.
    ///   - priority: the new priority, the higher first; 0 is the default.
    ///   - rateLimit: the maximum number of bytes per second; 0 removes the limit.
    /// - Returns: the status after the change.
    /// - Throws: `download.ended` if the product's download has ended; `download.unknown` if there is none;
    ///   `daemon.ending`; errors of the database; `CancellationError` if the caller is cancelled before the begin of
    ///   the download is recorded.
    public func change(
        _ productIdentifier: String, paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> DownloadStatus {
        await resumptionEnded()
        // A change is recorded with the download.
        try await waitForBegin(productIdentifier)
        return try await changeBeforeBegin(productIdentifier, paused: paused, priority: priority, rateLimit: rateLimit)
    }

    /// Changes a product's download as ``change(_:paused:priority:rateLimit:)`` does, also before its begin is recorded.
    ///
    /// For a call that waits for the begin afterwards.
    func changeBeforeBegin(
        _ productIdentifier: String, paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> DownloadStatus {
        try await change(productIdentifier) { plan, task in
            if let priority { plan.priority = priority == 0 ? nil : priority }
            if let rateLimit { plan.rateLimit = rateLimit == 0 ? nil : rateLimit }
            switch paused {
            case true? where plan.pause == nil && task.canPause:
                let status = task.status
                plan.pause = .init(bytesReceived: status.bytesReceived, bytesExpected: status.bytesExpected)
            case false?: plan.pause = nil
            default: break
            }
        }
    }

    /// Records that the user asked for a product by name that is downloaded, or was installed, for another product.
    ///
    /// - Throws: errors of the database and of the library.
    public func setRequested(_ productIdentifier: String) async throws {
        await resumptionEnded()
        if entries[productIdentifier]?.task.plan.asDependency == true {
            do {
                _ = try await change(productIdentifier) { plan, _ in plan.asDependency = nil }
            } catch let error as StoreError where [.downloadEnded, .downloadMissing].contains(error.code) {
                // It has ended meanwhile.
            }
        }
        guard try await library.packInPlace(of: productIdentifier)?.origin?.asDependency == true else { return }
        try await library.setRequested(productIdentifier)
    }

    /// Changes the plan of a product's download, after the changes that were ordered before.
    private func change(
        _ productIdentifier: String,
        _ body: @escaping @Sendable (_ plan: inout DownloadRequest, DownloadTask) -> Void
    ) async throws -> DownloadStatus {
        await resumptionEnded()
        guard !isClosing else { throw StoreError(.daemonShuttingDown) }
        let entry = try entry(toChange: productIdentifier)
        let (task, previous) = (entry.task, entry.pendingChange)
        changesInProgress += 1
        defer { changesInProgress -= 1 }
        let change = Task {
            _ = await previous?.result
            try await apply(body, to: task)
        }
        entries[productIdentifier]?.pendingChange = change
        defer {
            if entries[productIdentifier]?.pendingChange == change { entries[productIdentifier]?.pendingChange = nil }
        }
        try await change.value
        return task.status
    }

    private func apply(
        _ change: @Sendable (_ plan: inout DownloadRequest, DownloadTask) -> Void, to task: DownloadTask
    ) async throws {
        let plan = task.plan
        var changed = plan
        change(&changed, task)
        guard changed != plan else { return }
        try await save(changed)
        if changed.asDependency != plan.asDependency { task.setRequested() }
        if changed.priority != plan.priority { task.setPriority(changed.priority ?? 0) }
        if changed.rateLimit != plan.rateLimit {
            environment.steps.transfers.setRate(changed.rateLimit, of: task.rate)
        }
        if let pause = changed.pause {
            guard plan.pause == nil else { return }
            // All bytes may have come while the plan was saved; and more may be on disk than were reported.
            if task.pause(pause) { await task.waitUntilPaused() }
            if task.plan != changed { try await save(task.plan) }
        } else if plan.pause != nil {
            task.resume()
        }
    }

    /// Returns the running download of a product, for an order to it.
    ///
    /// - Throws: `download.ended` if the product's last download has ended; `download.unknown` if there is none.
    private func entry(toChange productIdentifier: String) throws(StoreError) -> Entry {
        if let entry = entries[productIdentifier] { return entry }
        guard let ended = events.lastEndedDownload(of: productIdentifier) else {
            throw StoreError(.downloadNotFound, ["product": productIdentifier])
        }
        throw StoreError(
            ended.state == .finished ? .downloadFinishedBefore : .downloadEndedBefore,
            ["product": productIdentifier, "state": ended.state.rawValue])
    }

    /// Saves a download's request with all its changes in the database, for the next start of the daemon.
    func save(_ plan: DownloadRequest) async throws {
        let data = try JSON.encode(plan)
        try await database.write { $0.replan(plan.operation, with: data) }
    }

    /// Cancels a product's download and waits for its end; a download that is committing its pack finishes instead.
    ///
    /// - Returns: the status at the end; the current one if the daemon shuts down before.
    /// - Throws: `download.ended` if the product's download has ended; `download.unknown` if there is none;
    ///   `CancellationError` if the calling task is cancelled, and the download is cancelled all the same.
    public func cancel(_ productIdentifier: String) async throws -> DownloadStatus {
        await resumptionEnded()
        let task = try entry(toChange: productIdentifier).task
        task.cancel()
        return try await end(of: task.request.operation, product: productIdentifier) ?? task.status
    }

    /// Suspends all downloads, and returns when none is running.
    ///
    /// A download that is committing finishes, and one that is being cancelled ends; both ends are recorded. The others
    /// have no recorded end, and the next start of the daemon continues them. New downloads are refused with
    /// `daemon.ending` from then on.
    public func close() async {
        isClosing = true
        await resumptionEnded()
        for entry in entries.values { entry.task.suspend() }
        await library.stopWaitingForCommits()
        await waitUntilIdle()
        // Breaks a retain cycle: both closures hold engine objects that hold this manager.
        (didInstall, packDidChange) = ({ _, _ in }, { _, _ in })
    }
}
