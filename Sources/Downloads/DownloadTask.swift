import Library
import StoreModel
import Synchronization
import Transfers

/// The running of one download: does what the state machine asks for, and reports back to it.
final class DownloadTask: Sendable {
    let request: DownloadRequest
    /// Can be changed while it runs.
    let rate: TransferRate
    private let steps: DownloadSteps
    private let turnstile: Turnstile
    private let events: EventLog
    /// Ends when the packs that this one needs are there.
    private let prerequisites: @Sendable () async throws -> Void

    private struct State {
        var machine: DownloadStateMachine
        var settings: DownloadSettings
        var running: Task<Void, Never>?
        var isInterrupted = false
    }
    private let state: Mutex<State>

    /// How a task came to its end, for the manager to note.
    struct End: Sendable {
        let outcome: DownloadStateMachine.Outcome
        let pack: LibraryPack?
    }

    init(
        _ request: DownloadRequest, steps: DownloadSteps, settings: DownloadSettings, turnstile: Turnstile,
        events: EventLog, prerequisites: @escaping @Sendable () async throws -> Void
    ) {
        self.request = request
        rate = TransferRate(request.rateLimit)
        self.steps = steps
        self.turnstile = turnstile
        self.events = events
        self.prerequisites = prerequisites
        let machine = DownloadStateMachine(
            policy: settings.retry,
            // Of a repair it shows later how much of the archive has to come.
            bytesExpected: request.action == .repair ? nil : request.resource.size,
            prerequisites: request.prerequisites)
        state = Mutex(State(machine: machine, settings: settings))
    }

    /// As it stands now.
    var status: DownloadStatus { state.withLock { status(of: $0.machine) } }

    private func status(of machine: DownloadStateMachine) -> DownloadStatus {
        let (publicState, activity) = machine.publicState
        return DownloadStatus(
            operation: request.operation, action: request.action,
            productIdentifier: request.product.productIdentifier, kind: request.product.kind, store: request.store,
            state: publicState, activity: activity, reason: machine.reason, attempt: machine.attempt,
            bytesReceived: machine.bytesReceived, bytesExpected: machine.bytesExpected, error: machine.error)
    }

    // MARK: Orders from outside

    /// Stops it; where it is already taking its place, it finishes.
    func cancel() { interrupt { $0.cancel() } }

    /// Stops it without an end: the next start goes on.
    func suspend() { interrupt { $0.suspend() } }

    private func interrupt(_ event: (inout DownloadStateMachine) -> DownloadStateMachine.Action) {
        let running: Task<Void, Never>? = state.withLock { state in
            guard event(&state.machine) == .interrupt else { return nil }
            state.isInterrupted = true
            return state.running
        }
        running?.cancel()
    }

    // MARK: The work

    /// Begins, and calls `ended` once, before observers are told of the end.
    func start(ended: @escaping @Sendable (End) async -> Void) -> Task<Void, Never> {
        let task = Task { await run(ended: ended) }
        let isLate = state.withLock { state in
            state.running = task
            return state.isInterrupted
        }
        if isLate { task.cancel() }
        return task
    }

    private func run(ended: @Sendable (End) async -> Void) async {
        var work = Work()
        var action = advance { machine in
            // Stopped before it began: whoever gave the order had nothing to interrupt, so that the end is told here.
            if case .ended(let outcome) = machine.state { return .end(outcome) }
            return machine.start()
        }
        while true {
            if case .end(let outcome) = action {
                if work.isInside { turnstile.leave() }
                if outcome == .finished, let downloaded = work.downloaded { await steps.keep(downloaded, of: request) }
                if outcome != .suspended { await steps.clear(request.operation) }
                await ended(End(outcome: outcome, pack: work.pack))
                return
            }
            do {
                action = try await perform(action, &work)
            } catch is CancellationError {
                action = advance { $0.stopped() }
            } catch {
                action = advance { machine in
                    guard let failure = error as? TransferError else { return machine.failed(ErrorReport(error)) }
                    return machine.transferFailed(
                        ErrorReport(failure), isTransient: failure.isTransient, retryAfter: failure.retryAfter,
                        jitter: .random(in: 0...1))
                }
            }
        }
    }

    /// What the steps so far have brought.
    private struct Work {
        var isInside = false
        var transfer = DownloadSteps.Transfer.undecided
        var downloaded: DownloadSteps.Downloaded?
        var unpacked: DownloadSteps.Unpacked?
        var pack: LibraryPack?
    }

    private func perform(
        _ action: DownloadStateMachine.Action, _ work: inout Work
    ) async throws -> DownloadStateMachine.Action {
        let settings = state.withLock { $0.settings }
        switch action {
        case .waitForPrerequisites:
            try await prerequisites()
            return advance { $0.prerequisitesMet() }
        case .waitForTurn:
            try await turnstile.enter()
            work.isInside = true
            return advance { $0.admitted() }
        case .transfer:
            let downloaded = try await steps.download(
                request, &work.transfer, .init(settings: settings, rate: rate)
            ) { [weak self] received, expected in
                self?.tell(received, of: expected)
            }
            work.downloaded = downloaded
            return advance { $0.transferred(size: downloaded.size) }
        case .wait(let duration):
            try await Task.sleep(for: duration)
            return advance { $0.retryDue() }
        case .unpack:
            guard let downloaded = work.downloaded else { return advance { $0.failed(.init(LostStep())) } }
            work.unpacked = try await steps.unpack(downloaded, request, settings: settings)
            try Task.checkCancellation()
            // What is left is a wait for the disk, which many share: the more are ready, the fewer waits.
            turnstile.leave()
            work.isInside = false
            return advance { $0.unpacked() }
        case .save:
            guard let downloaded = work.downloaded, let unpacked = work.unpacked else {
                return advance { $0.failed(.init(LostStep())) }
            }
            work.pack = try await steps.save(unpacked, downloaded, request)
            return advance { $0.saved() }
        case .nothing, .interrupt, .end:
            // The machine answers a report on work with the next piece of work or with the end.
            return advance { $0.failed(.init(LostStep())) }
        }
    }

    /// A step that was asked for before the one that it rests on: a defect of the state machine.
    private struct LostStep: Error {}

    private func tell(_ received: Int, of expected: Int?) {
        advance { machine in
            _ = machine.connected(expected: expected)
            return machine.progressed(to: received, of: expected)
        }
    }

    /// Gives the machine an event, and tells the observers what is new. In one step, so that they hear of the states
    /// in the order that they were in. An end is told by the manager, who notes it on the disk first.
    @discardableResult
    private func advance(
        _ event: (inout DownloadStateMachine) -> DownloadStateMachine.Action
    ) -> DownloadStateMachine.Action {
        state.withLock { state in
            let before = status(of: state.machine)
            let action = event(&state.machine)
            let after = status(of: state.machine)
            if after != before, !after.state.isEnd { events.publish(.download(after)) }
            return action
        }
    }
}
