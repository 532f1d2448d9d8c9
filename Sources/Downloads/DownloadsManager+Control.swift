public import StoreModel

/// Orders about what runs. Each is on the disk before it is carried out, so that the next start finds what whoever
/// ordered it was told.
extension DownloadsManager {
    /// Pauses a product's task or lets it go on, changes its place among those that wait, or how many bytes a second it may
    /// bring (0 for no limit of its own); what is `nil` stays as it is. Several changes of one task are made one after another, in the order that they came.
    ///
    /// A paused task has stopped its transfer and left its turn to others, and keeps its bytes, its operation and its
    /// place in the order. What is unpacked already is not paused: it finishes, as the status answered shows.
    ///
    /// - Throws: `download.unknown` where none runs; `daemon.ending`; what the database says, and nothing has changed
    ///   then.
    public func change(
        _ productIdentifier: String, paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> DownloadStatus {
        await broughtBack()
        guard !isClosing else { throw DownloadError(.shuttingDown, "The daemon is ending. Try again.") }
        guard let task = tasks[productIdentifier] else { throw unknown(productIdentifier) }
        let operation = task.request.operation
        let before = changes[operation]
        let change = Task {
            _ = await before?.result
            try await make(paused: paused, priority: priority, rateLimit: rateLimit, of: task)
        }
        changes[operation] = change
        defer { if changes[operation] == change { changes[operation] = nil } }
        try await change.value
        return task.status
    }

    private func make(paused: Bool?, priority: Int?, rateLimit: Int?, of task: DownloadTask) async throws {
        let plan = task.plan
        var wanted = plan
        if let priority { wanted.priority = priority == 0 ? nil : priority }
        if let rateLimit { wanted.rateLimit = rateLimit == 0 ? nil : rateLimit }
        switch paused {
        case true? where plan.pause == nil && task.canPause:
            let status = task.status
            wanted.pause = .init(bytesReceived: status.bytesReceived, bytesExpected: status.bytesExpected)
        case false?: wanted.pause = nil
        default: break
        }
        guard wanted != plan else { return }
        try await note(wanted)
        if wanted.priority != plan.priority { task.setPriority(wanted.priority ?? 0) }
        if wanted.rateLimit != plan.rateLimit { steps.transfers.setRate(wanted.rateLimit, of: task.rate) }
        if let pause = wanted.pause {
            guard plan.pause == nil else { return }
            // All bytes may have come while that was written. Else some more may be here than were told of.
            if task.pause(pause) { await task.standsStill() }
            if task.plan != wanted { try await note(task.plan) }
        } else if plan.pause != nil {
            task.resume()
        }
    }

    /// Puts what a task is to do now on the disk.
    func note(_ plan: DownloadRequest) async throws {
        let data = try JSON.encode(plan)
        try await database.write { $0.replan(plan.operation, with: data) }
    }

    /// Stops the task that runs for a product and waits until it has ended. One that is already taking its place
    /// finishes.
    ///
    /// - Throws: `download.unknown` where none runs; `CancellationError`, and it ends all the same.
    public func cancel(_ productIdentifier: String) async throws -> DownloadStatus {
        await broughtBack()
        guard let task = tasks[productIdentifier] else { throw unknown(productIdentifier) }
        task.cancel()
        return try await end(of: task.request.operation) ?? task.status
    }

    func unknown(_ productIdentifier: String) -> DownloadError {
        DownloadError(.downloadMissing, "Nothing is being downloaded for '\(productIdentifier)'.")
    }

    /// Stops everything without an end, for the next start to go on with. Returns when nothing runs.
    public func close() async {
        isClosing = true
        await broughtBack()
        for task in tasks.values { task.suspend() }
        for work in Array(work.values) { await work.value }
    }
}
