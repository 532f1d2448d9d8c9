import FoundationEssentials
import StoreEvents
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers
import Synchronization

/// The handle of one download, which holds its state, takes orders, and publishes its status.
///
/// ``DownloadRunner`` performs the steps and reports their results to the handle.
final class DownloadTask: Sendable {
    typealias Machine = DownloadStateMachine<DiskContent>

    /// The request that the download began with; ``plan`` also has the changes that were ordered since.
    let request: DownloadRequest
    /// The rate limit of the download's transfers, which can be changed while they run.
    let rate: TransferRate
    /// The sequence number of the download; orders downloads of equal priority.
    let number: Int
    let environment: DownloadEnvironment
    private let createdAt: ContinuousClock.Instant

    private struct State {
        var machine: Machine
        var priority: Int
        /// The pause of the download that is in effect, as the database has it; `nil` if it is not paused.
        var pause: DownloadRequest.Pause?
        /// Whether the download only installs what another product needs; `nil` if the user named its product.
        var asDependency: Bool?
        /// A promise, resolved once the running step has stopped because of a pause; `nil` if nothing awaits that.
        var pauseAcknowledged: Promise<Void>?
        var progress = ProgressTracker()
        /// The download's running step, or the last one that ran; `nil` before the first.
        var step: Step?
    }

    /// What a download is doing, which an order can interrupt.
    enum Step {
        /// A Swift task does the step.
        case working(Task<Void, Never>)
        /// The download waits for a slot, without a Swift task.
        case waitingForSlot
    }
    private let state: Mutex<State>

    /// Creates the handle of a download that is not started.
    ///
    /// - Parameters:
    ///   - number: the sequence number of the download.
    ///   - bytesOnDisk: the number of bytes of the archive that the daemon's previous process has left.
    init(_ request: DownloadRequest, number: Int, bytesOnDisk: Int = 0, environment: DownloadEnvironment) {
        self.request = request
        rate = TransferRate(request.rateLimit)
        self.number = number
        self.environment = environment
        createdAt = environment.clock.now()
        let settings = environment.settings
        let machine = Machine(
            policy: settings.retry, outages: settings.outages, minimumProgress: settings.timeouts.stall?.bytes ?? 1,
            bytesReceived: request.pause?.bytesReceived ?? bytesOnDisk,
            bytesExpected: request.pause?.bytesExpected ?? (request.mayFetchParts ? nil : request.resource.size),
            prerequisites: request.prerequisites, pausedBy: request.pause?.by)
        state = Mutex(
            State(
                machine: machine, priority: request.priority ?? 0, pause: request.pause,
                asDependency: request.asDependency))
    }

    // MARK: Status

    /// The status of the download now, as responses and events show it.
    var status: DownloadStatus {
        let now = elapsedSeconds
        return state.withLock { status(of: $0, at: now) }
    }

    private func status(of state: State, at now: Double) -> DownloadStatus {
        let machine = state.machine
        let (publicState, activity) = machine.publicState
        var status = DownloadStatus(
            operation: request.operation, action: request.action,
            productIdentifier: request.product.productIdentifier, kind: request.product.kind, store: request.store,
            state: publicState, activity: activity, reason: machine.reason, reasonCode: machine.reasonCode,
            attempt: machine.attempt,
            priority: state.priority,
            bytesReceived: machine.bytesReceived, bytesExpected: machine.bytesExpected, error: machine.error)
        state.progress.apply(to: &status, at: now)
        return status
    }

    /// The time since the download was created.
    var elapsed: Duration { environment.clock.now() - createdAt }

    private var elapsedSeconds: Double { elapsed.seconds }

    /// Whether the download does nothing before an order comes or another download ends.
    var isIdle: Bool { state.withLock { $0.machine.isIdle } }

    /// Whether the download was cancelled, though it may not have ended yet.
    var isCancelled: Bool { state.withLock { $0.machine.isCancelled } }

    /// The event that the download waits for; ``PendingEvent/none`` if it works.
    var pendingEvent: PendingEvent { state.withLock { $0.machine.pendingEvent } }

    /// The request for the download with all changes that were ordered since.
    ///
    /// The database stores it, so that the next start of the daemon can continue the download.
    var plan: DownloadRequest {
        state.withLock { state in
            var plan = request
            plan.priority = state.priority == 0 ? nil : state.priority
            plan.rateLimit = rate.bytesPerSecond
            plan.pause = state.pause
            plan.asDependency = state.asDependency
            return plan
        }
    }

    /// The download's position in the queues in which it waits, for a slot or for a host.
    var ticket: Ticket { Ticket(priority: state.withLock { $0.priority }, number: number) }

    // MARK: Orders

    /// Cancels the download; one that is committing its pack finishes instead.
    func cancel() { apply { $0.cancel() } }

    /// Stops the download without recording an end; the next start of the daemon continues it.
    func suspend() { apply { $0.suspend() } }

    /// Pauses the download until ``resume()``: it stops its transfer, and keeps its bytes and its queue position.
    ///
    /// The running step may not have stopped yet when the method returns (``waitUntilPaused()``).
    ///
    /// - Returns: `false` if the download is unpacking or committing and so finishes, was told to stop, or has ended.
    func pause(_ pause: DownloadRequest.Pause) -> Bool {
        apply(publishing: true) { $0.pause(by: pause.by) }
        return state.withLock { state in
            if state.machine.isPaused { state.pause = pause }
            return state.machine.isPaused
        }
    }

    /// Waits until the download's running step has stopped because of a pause.
    ///
    /// It records in the pause how many bytes are on disk, and returns at once if no pause is being carried out.
    func waitUntilPaused() async {
        let acknowledged: Promise<Void>? = state.withLock { state in
            guard state.machine.isPausing else { return nil }
            let acknowledged = Promise<Void>()
            state.pauseAcknowledged = acknowledged
            return acknowledged
        }
        try? await acknowledged?.value()
        state.withLock { state in
            state.pause?.bytesReceived = state.machine.bytesReceived
            state.pause?.bytesExpected = state.machine.bytesExpected
        }
    }

    /// Whether an order to pause the download would be accepted now, or the download is paused already.
    var canPause: Bool { state.withLock { $0.machine.canPause } }

    /// Continues a paused download; any other download is not changed.
    func resume() {
        state.withLock { $0.pause = nil }
        apply(publishing: true) { $0.resume() }
    }

    /// Records that the user named the product of the download, which another product needs.
    func setRequested() { state.withLock { $0.asDependency = nil } }

    /// Changes the priority of the download, also in the queues in which it waits.
    func setPriority(_ priority: Int) {
        let now = elapsedSeconds
        state.withLock { state in
            guard state.priority != priority else { return }
            state.priority = priority
            let changed = status(of: state, at: now)
            if !changed.state.isEnd { environment.events.publish(.download(changed)) }
        }
        environment.slots.setPriority(priority, of: number)
        environment.steps.unpackQueue.setPriority(priority, of: number)
        environment.circuitBreaker.setPriority(priority, of: number)
    }

    /// Applies an order to the download's state machine, and interrupts the running step if the machine says so.
    ///
    /// - Parameter isPublished: whether a change of the public state is published at once; an end is published when it
    ///   is reached.
    private func apply(publishing isPublished: Bool = false, _ order: (inout Machine) -> Machine.Action) {
        let now = elapsedSeconds
        let interrupted: Task<Void, Never>? = state.withLock { state in
            let before = state.machine.publicState
            let action = order(&state.machine)
            if isPublished, state.machine.publicState != before {
                state.progress.reset()
                environment.events.publish(.download(status(of: state, at: now)))
            }
            // The step that runs now, and not one that begins after the lock is released.
            if case .interrupt = action, let step = state.step { return interrupt(step) }
            return nil
        }
        interrupted?.cancel()
    }

    /// Interrupts a step; to be called under the lock of the state, so that a wait for a slot that begins later is not ended.
    ///
    /// - Returns: the task that does the step, which the caller cancels without the lock: its handlers may need it.
    private func interrupt(_ step: Step) -> Task<Void, Never>? {
        switch step {
        case .working(let task): return task
        case .waitingForSlot:
            environment.slots.cancelWait(number)
            return nil
        }
    }

    // MARK: Reports of the runner

    /// Starts the download, publishes its first status, and returns the first action for its runner.
    func start() -> Machine.Action {
        let now = elapsedSeconds
        return state.withLock { state in
            // A download that was stopped before it began has no step to interrupt: its end is returned here. That end is
            // published once, when it is recorded.
            if case .ended(let outcome) = state.machine.state {
                var status = status(of: state, at: now)
                if status.state.isEnd { (status.state, status.activity, status.error) = (.initializing, .queued, nil) }
                environment.events.publish(.download(status))
                return .end(outcome)
            }
            let action = state.machine.start()
            environment.events.publish(.download(status(of: state, at: now)))
            return action
        }
    }

    /// Begins a step of the download, and cancels it at once if the download has been paused, cancelled or suspended.
    ///
    /// - Parameter start: starts the step. It is called under the lock of the state, because the step may end and begin the
    ///   next one at once, and must not do so before this one is recorded.
    func beginStep(_ start: () -> Step) {
        let interrupted = state.withLock { state in
            let step = start()
            state.step = step
            return state.machine.mustInterrupt ? interrupt(step) : nil
        }
        interrupted?.cancel()
    }

    /// Reports progress of the download's running transfer; the first report also closes the circuit of the host.
    ///
    /// Closing the circuit lets other downloads that wait for the host continue.
    ///
    /// - Parameters:
    ///   - received: the number of bytes on disk.
    ///   - expected: the total number of bytes; `nil` if it is unknown.
    ///   - source: the URL that the bytes come from.
    func reportProgress(_ received: Int, of expected: Int?, from source: URL) {
        let isFirst = state.withLock { $0.machine.isConnecting }
        if isFirst, let host = source.host() { environment.circuitBreaker.close(host) }
        report(received: (received, source.withoutSecrets)) { machine in
            machine.progressed(to: received, of: expected)
            return .none
        }
    }

    /// Applies an event to the download's state machine, and publishes the status if it has changed.
    ///
    /// Both are done under one lock, so that statuses are published in the order of the states. The end is published by
    /// ``DownloadsManager``, which records it in the database first.
    ///
    /// - Returns: the next action of the runner.
    @discardableResult
    func report(
        received: (bytes: Int, source: String)? = nil, _ event: (inout Machine) -> Machine.Action
    ) -> Machine.Action {
        let now = elapsedSeconds
        let (action, acknowledged) = state.withLock { state in
            let before = status(of: state, at: now)
            let action = event(&state.machine)
            state.progress.follow(
                action, isTransferring: state.machine.publicState.activity == .transferring, received: received,
                at: now, date: environment.clock.date())
            let after = status(of: state, at: now)
            if after != before, !after.state.isEnd { environment.events.publish(.download(after)) }
            guard !state.machine.isPausing else { return (action, Promise<Void>?.none) }
            defer { state.pauseAcknowledged = nil }
            return (action, state.pauseAcknowledged)
        }
        acknowledged?.keep(())
        return action
    }
}

extension ProgressTracker {
    /// Updates the progress after an event of a download: records bytes or a wait, or forgets what has ended.
    fileprivate mutating func follow(
        _ action: DownloadTask.Machine.Action, isTransferring: Bool, received: (bytes: Int, source: String)?,
        at now: Double, date: Date
    ) {
        if isTransferring {
            if let received { record(bytes: received.bytes, from: received.source, at: now) }
        } else if case .wait(let delay) = action {
            recordWait(until: date + delay.seconds)
        } else if case .none = action {
            // The state is the same as before.
        } else {
            reset()
        }
    }
}
