import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// A runner that performs the steps of one download, as the download's state machine requests them.
///
/// It does each action of the state machine in a Swift task of its own, and reports the result. Nearly all downloads of a
/// long queue wait for a slot, which they do without a task: a suspended task keeps its whole stack. So the other calls that
/// wait are small functions of their own, no task waits for the task of an action, and data of the steps is in the state
/// machine.
struct DownloadRunner: Sendable {
    typealias Machine = DownloadTask.Machine

    let task: DownloadTask
    /// A function that waits for the running downloads of the packs that this download's product needs.
    ///
    /// It throws an error if one of the packs is not installed then.
    let waitForPrerequisites: @Sendable () async throws -> Void
    /// Called once, when the download has ended or is suspended, and its files are removed.
    let didEnd: @Sendable (Machine.Outcome) async -> Void

    private var environment: DownloadEnvironment { task.environment }
    private var request: DownloadRequest { task.request }

    /// Does an action of the state machine, and those that follow from it, until the download ends or is suspended.
    ///
    /// Each action has a task of its own: a pause cancels that task, and the download goes on with the next action.
    func proceed(with action: Machine.Action) {
        if !action.usesSlot { release(isEnding: action.endsDownload) }
        switch action {
        case .end(let outcome):
            Task {
                await finish(outcome)
                await didEnd(outcome)
                environment.slots.release(task.number)
            }
        case .waitForSlot: waitForSlot()
        default: task.beginStep { .working(Task { proceed(with: await perform(action)) }) }
        }
    }

    /// Releases the download's slot, and removes the download from the wait queues of its hosts.
    ///
    /// - Parameter isEnding: whether the download needs no slot any more, but still waits for the disk.
    private func release(isEnding: Bool) {
        environment.slots.release(task.number, isEnding: isEnding)
        environment.circuitBreaker.leave(task.number)
    }

    private func finish(_ outcome: Machine.Outcome) async {
        let steps = environment.steps
        switch outcome {
        case .finished(let archive, _):
            await steps.cacheArchive(archive, of: request)
            await steps.removeFiles(of: request.operation)
        case .failed(let error) where error.code.exitCode == .network:
            await steps.removeFiles(ofFailed: request, keepingWithin: environment.settings.partials)
        case .failed, .stopped(.cancelled): await steps.removeFiles(of: request.operation)
        case .stopped(.suspended): await steps.removeStaging(of: request.operation)
        }
    }

    private func perform(_ action: Machine.Action) async -> Machine.Action {
        do {
            switch action {
            case .waitForPrerequisites: return try await waitUntilPrerequisitesAreInstalled()
            case .fetch(let partial): return await fetch(partial)
            case .wait(let delay): return try await wait(delay)
            case .waitForNetwork: return try await waitForNetwork()
            case .waitForResume: return try await waitForOrder()
            case .unpack(let archive): return try await unpack(archive)
            case .commit(_, let pack): return try await commit(pack)
            // No step to run: only an order can change the state. A wait for a slot and an end have no step.
            case .none, .interrupt, .waitForSlot, .end: return try await waitForOrder()
            }
        } catch is CancellationError {
            return task.report { $0.stopped() }
        } catch {
            let report = ErrorReport(error)
            return task.report { $0.failed(report) }
        }
    }

    // MARK: Waiting

    private func waitUntilPrerequisitesAreInstalled() async throws -> Machine.Action {
        try await waitForPrerequisites()
        return task.report { $0.prerequisitesInstalled() }
    }

    private func waitForSlot() {
        let ticket = task.ticket
        task.beginStep {
            environment.slots.acquire(ticket) { isAdmitted in Task { proceed(with: slotWaitEnded(isAdmitted)) } }
            return .waitingForSlot
        }
    }

    private func slotWaitEnded(_ isAdmitted: Bool) -> Machine.Action {
        guard isAdmitted else { return task.report { $0.stopped() } }
        let isAllowed = environment.circuitBreaker.allows(task.number, request.hosts)
        return task.report { isAllowed ? $0.admitted() : $0.circuitOpen() }
    }

    private func wait(_ delay: Duration) async throws -> Machine.Action {
        try await environment.clock.sleep(delay, request.product.productIdentifier)
        return task.report { $0.retryDue() }
    }

    private func waitForNetwork() async throws -> Machine.Action {
        try await environment.circuitBreaker.wait(task.ticket, for: request.hosts)
        return task.report { $0.circuitClosed() }
    }

    /// Waits until an order to the download, such as resume or cancel, interrupts the step.
    private func waitForOrder() async throws -> Machine.Action {
        try await Promise<Void>().value()
        return task.report { $0.stopped() }
    }

    // MARK: Working

    private func fetch(_ partial: PartialFetch) async -> Machine.Action {
        var partial = partial
        let step = FetchStep(
            environment: environment.steps, request: request, settings: environment.settings, rate: task.rate)
        do {
            let archive = try await step.run(&partial) { [weak task] received, expected, source in
                task?.reportProgress(received, of: expected, from: source)
            }
            recordReachability(partial)
            return task.report { $0.fetched(archive, size: archive.size) }
        } catch {
            recordReachability(partial)
            return fetchFailed(with: error, leaving: partial)
        }
    }

    private func fetchFailed(with error: any Error, leaving partial: PartialFetch) -> Machine.Action {
        if error is CancellationError { return task.report { $0.fetchStopped(leaving: partial) } }
        guard let error = error as? StoreError, error.isTransferFailure else {
            let report = ErrorReport(error)
            return task.report { $0.failed(report) }
        }
        let hosts = request.hosts
        if let mismatch = partial.contentMismatch, error.code == .transferUnreachable {
            // The servers that can be reached deliver something else; a mirror that is down does not hide that.
            let report = ErrorReport(mismatch)
            return task.report { $0.failed(report) }
        }
        let failure = FetchFailure(error, report: report(error, leaving: partial), hasHosts: !hosts.isEmpty)
        if failure.lacksNetwork { environment.circuitBreaker.open(hosts) }
        let (now, jitter) = (task.elapsed, environment.clock.jitter())
        return task.report { $0.fetchFailed(failure, leaving: partial, at: now, jitter: jitter) }
    }

    /// Returns the report of a transfer's error, which says how much of the archive is kept if the download fails.
    private func report(_ error: StoreError, leaving partial: PartialFetch) -> ErrorReport {
        if let mismatch = partial.contentMismatch { return ErrorReport(mismatch) }
        guard error.code.exitCode == .network, case .whole(let file, _, _) = partial,
            request.resource.sha256 != nil, let size = request.resource.size, size > 0,
            environment.settings.partials.keeps(file.size)
        else { return ErrorReport(error) }
        let percent = min(99, file.size * 100 / size)
        return ErrorReport(StoreError(.downloadResumable, ["percent": percent], cause: error))
    }

    /// Closes the circuits of hosts to which the fetch attempt had a network path, even if a server refused.
    ///
    /// Downloads that wait for these hosts then continue.
    private func recordReachability(_ partial: PartialFetch) {
        for url in partial.reachedURLs {
            if let host = url.host() { environment.circuitBreaker.close(host) }
        }
    }

    private func unpack(_ archive: FetchedArchive) async throws -> Machine.Action {
        let step = UnpackStep(
            environment: environment.steps, request: request, settings: environment.settings, fetched: archive)
        let staged = try await step.run(ticket: task.ticket)
        try Task.checkCancellation()
        return task.report { $0.unpacked(staged) }
    }

    /// Commits the downloaded pack to the library; once the commit has begun, it is not cancelled.
    private func commit(_ prepared: PreparedPack) async throws -> Machine.Action {
        let pack = try await environment.steps.library.commit(
            prepared, waitingForOthers: environment.slots.isBusy)
        return task.report { $0.committed(pack) }
    }
}

extension DownloadStateMachine.Action {
    /// Whether the download's action needs a slot or acquires one; the slot is released before any other action.
    ///
    /// A commit needs none: it waits for the disk together with others (group commit), and the more packs are ready,
    /// the fewer syncs are needed.
    fileprivate var usesSlot: Bool {
        switch self {
        case .none, .waitForSlot, .fetch, .unpack, .interrupt: true
        case .waitForPrerequisites, .wait, .waitForNetwork, .waitForResume, .commit, .end: false
        }
    }

    /// Whether the action is one of the last of the download: it commits the pack, or records the download's end.
    fileprivate var endsDownload: Bool {
        switch self {
        case .commit, .end: true
        case .none, .waitForPrerequisites, .waitForSlot, .fetch, .wait, .waitForNetwork, .waitForResume, .unpack,
            .interrupt:
            false
        }
    }
}
