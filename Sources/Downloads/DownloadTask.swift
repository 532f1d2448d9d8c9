import FoundationEssentials
import StoreEvents
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers
import Synchronization

/// The running of one download: does what the state machine asks for, and reports back to it.
final class DownloadTask: Sendable {
    /// What it was begun with; how it is to run now is in ``plan``.
    let request: DownloadRequest
    /// Can be changed while it runs.
    let rate: TransferRate
    /// Counted in the order begun.
    let number: Int
    private let steps: DownloadSteps
    private let settings: DownloadSettings
    private let turnstile: PrioritySemaphore
    private let network: NetworkGate
    private let events: EventBus
    /// Ends when the packs that this one needs are there.
    private let prerequisites: @Sendable () async throws -> Void
    private let clock: TimeSource
    private let madeAt: ContinuousClock.Instant

    private struct State {
        var machine: DownloadStateMachine
        var priority: Int
        /// As it is noted on the disk.
        var pause: DownloadRequest.Pause?
        /// Kept when what ran has stopped for the pause.
        var still: Promise<Void>?
        var figures = TransferFigures()
        /// The step that runs, or the last that did.
        var step: Task<DownloadStateMachine.Action, Never>?
    }
    private let state: Mutex<State>

    /// How a task came to its end, for the manager to note.
    struct End: Sendable {
        let outcome: DownloadStateMachine.Outcome
        let pack: LibraryPack?
    }

    init(
        _ request: DownloadRequest, number: Int, steps: DownloadSteps, settings: DownloadSettings,
        turnstile: PrioritySemaphore, network: NetworkGate, events: EventBus, clock: TimeSource,
        prerequisites: @escaping @Sendable () async throws -> Void
    ) {
        self.request = request
        rate = TransferRate(request.rateLimit)
        self.number = number
        self.steps = steps
        self.settings = settings
        self.turnstile = turnstile
        self.network = network
        self.events = events
        self.clock = clock
        madeAt = clock.now()
        self.prerequisites = prerequisites
        let machine = DownloadStateMachine(
            policy: settings.retry, step: settings.timeouts.stall?.bytes ?? 1,
            bytesReceived: request.pause?.bytesReceived ?? 0,
            // Of a repair it shows later how much of the archive has to come.
            bytesExpected: request.pause?.bytesExpected ?? (request.action == .repair ? nil : request.resource.size),
            prerequisites: request.prerequisites, pausedBy: request.pause?.by)
        state = Mutex(
            State(machine: machine, priority: request.priority ?? 0, pause: request.pause))
    }

    /// As it stands now.
    var status: DownloadStatus {
        let now = time
        return state.withLock { status(of: $0, at: now) }
    }

    private func status(of state: State, at now: Double) -> DownloadStatus {
        let machine = state.machine
        let (publicState, activity) = machine.publicState
        var status = DownloadStatus(
            operation: request.operation, action: request.action,
            productIdentifier: request.product.productIdentifier, kind: request.product.kind, store: request.store,
            state: publicState, activity: activity, reason: machine.reason, attempt: machine.attempt,
            priority: state.priority,
            bytesReceived: machine.bytesReceived, bytesExpected: machine.bytesExpected, error: machine.error)
        state.figures.tell(&status, at: now)
        return status
    }

    /// Seconds since it was made, for what is told of its speed.
    private var time: Double {
        let (seconds, rest) = (clock.now() - madeAt).components
        return Double(seconds) + Double(rest) / 1e18
    }

    /// Whether nothing comes of it unless somebody says so, or another task ends.
    var isIdle: Bool { state.withLock { $0.machine.isIdle } }

    /// Whether it was told to end as cancelled, and will.
    var isBeingCancelled: Bool {
        state.withLock { [.stopping(.cancelled), .ended(.cancelled)].contains($0.machine.state) }
    }

    /// What it waits for as it stands now.
    var rest: Rest { state.withLock { $0.machine.rest } }

    /// What has to be on the disk for the next start to go on as it stands now.
    var plan: DownloadRequest {
        state.withLock { state in
            var plan = request
            plan.priority = state.priority == 0 ? nil : state.priority
            plan.rateLimit = rate.bytesPerSecond
            plan.pause = state.machine.pausedBy == nil ? nil : state.pause
            return plan
        }
    }

    // MARK: Orders from outside

    /// Stops it; where it is already taking its place, it finishes.
    func cancel() { give { $0.cancel() } }

    /// Stops it without an end: the next start goes on.
    func suspend() { give { $0.suspend() } }

    /// Lets it wait until ``resume()``: its transfer stops, its bytes stay, and it keeps its place in the queue.
    ///
    /// - Returns: `false` where all bytes are here and it finishes, or where it is told to end.
    func pause(_ pause: DownloadRequest.Pause) -> Bool {
        give(told: true) { $0.pause(by: pause.by) }
        return state.withLock { state in
            let isPaused = state.machine.pausedBy != nil
            if isPaused { state.pause = pause }
            return isPaused
        }
    }

    /// Returns when what ran has stopped for a pause, and it is known how many bytes are here; at once where nothing
    /// has to stop.
    func standsStill() async {
        let still: Promise<Void>? = state.withLock { state in
            guard state.machine.state == .pausing else { return nil }
            let still = Promise<Void>()
            state.still = still
            return still
        }
        try? await still?.value()
        state.withLock { state in
            state.pause?.bytesReceived = state.machine.bytesReceived
            state.pause?.bytesExpected = state.machine.bytesExpected
        }
    }

    /// Whether it can still be paused, as it stands now.
    var canPause: Bool {
        state.withLock { state in
            var machine = state.machine
            _ = machine.pause(by: "")
            return machine.pausedBy != nil
        }
    }

    /// Lets it go on after a pause.
    func resume() { give(told: true) { $0.resume() } }

    /// Changes its place among those that wait.
    func setPriority(_ priority: Int) {
        let now = time
        state.withLock { state in
            guard state.priority != priority else { return }
            state.priority = priority
            let moved = status(of: state, at: now)
            if !moved.state.isEnd { events.publish(.download(moved)) }
        }
        turnstile.move(number, to: priority)
        network.move(number, to: priority)
    }

    /// - Parameter told: whether observers hear of it at once; of an end they hear when it is there.
    private func give(
        told: Bool = false, _ order: (inout DownloadStateMachine) -> DownloadStateMachine.Action
    ) {
        let now = time
        let running: Task<DownloadStateMachine.Action, Never>? = state.withLock { state in
            let before = state.machine.publicState
            let action = order(&state.machine)
            if told, state.machine.publicState != before {
                state.figures.clear()
                events.publish(.download(status(of: state, at: now)))
            }
            // That which runs in this moment: the one after it is another's affair.
            return action == .interrupt ? state.step : nil
        }
        running?.cancel()
    }

    // MARK: The work

    /// Begins, and calls `ended` once, before observers are told of the end.
    func start(ended: @escaping @Sendable (End) async -> Void) -> Task<Void, Never> {
        Task { await run(ended: ended) }
    }

    // What waits keeps its frame, and each call has room in it for all that it ever holds: these are small, and what
    // works has calls of its own.

    private func run(ended: @Sendable (End) async -> Void) async {
        let work = DownloadWork()
        var action = begin()
        while !action.isEnd {
            if action.waits { letGo(work) }
            action = await interruptible(action, work)
        }
        letGo(work)
        await finish(action, work, ended)
    }

    private func begin() -> DownloadStateMachine.Action {
        advance { machine in
            // Stopped before it began: whoever gave the order had nothing to interrupt, so that the end is told here.
            if case .ended(let outcome) = machine.state { return .end(outcome) }
            return machine.start()
        }
    }

    private func finish(
        _ action: DownloadStateMachine.Action, _ work: DownloadWork, _ ended: @Sendable (End) async -> Void
    ) async {
        guard case .end(let outcome) = action else { return }
        if outcome == .finished, let downloaded = work.downloaded { await steps.keep(downloaded, of: request) }
        if outcome == .suspended {
            await steps.clearStaging(request.operation)
        } else {
            await steps.clear(request.operation)
        }
        await ended(End(outcome: outcome, pack: work.pack))
    }

    /// Takes a step in a task of its own, which can be interrupted while the download goes on.
    private func interruptible(
        _ action: DownloadStateMachine.Action, _ work: DownloadWork
    ) async -> DownloadStateMachine.Action {
        let step = Task { await self.take(action, work) }
        let isInterrupted = state.withLock { state in
            state.step = step
            return state.machine.isInterrupted
        }
        if isInterrupted { step.cancel() }
        return await step.value
    }

    /// Leaves its place among those that transfer, and whatever it stood in line for.
    private func letGo(_ work: DownloadWork) {
        if work.isInside { turnstile.leave() } else { turnstile.withdraw(number) }
        work.isInside = false
        network.leave(number)
    }

    private func take(
        _ action: DownloadStateMachine.Action, _ work: DownloadWork
    ) async -> DownloadStateMachine.Action {
        do {
            return try await perform(action, work)
        } catch {
            return failed(with: error, work)
        }
    }

    private func failed(with error: any Error, _ work: DownloadWork) -> DownloadStateMachine.Action {
        reach(work.transfer)
        if error is CancellationError { return advance { $0.stopped(at: work.bytes) } }
        guard let failure = error as? TransferError else { return advance { $0.failed(ErrorReport(error)) } }
        let hosts = hosts
        let waitsForNetwork = failure.lacksNetwork && !hosts.isEmpty
        if waitsForNetwork { network.lose(hosts) }
        return advance { machine in
            machine.transferFailed(
                ErrorReport(failure), isTransient: failure.isTransient, at: work.bytes,
                lacksNetwork: waitsForNetwork, retryAfter: failure.retryAfter, jitter: clock.jitter())
        }
    }

    /// Where its bytes may come from over a network; empty where a file of this machine has them.
    private var hosts: [String] {
        let urls = [request.resource.url] + request.product.mirrors(of: request.resource)
        if urls.contains(where: \.isFileURL) { return [] }
        return urls.reduce(into: []) { hosts, url in
            if let host = url.host(), !hosts.contains(host) { hosts.append(host) }
        }
    }

    /// Tells of the hosts that answered, or refused to.
    private func reach(_ transfer: DownloadSteps.Transfer) {
        for url in transfer.reached { if let host = url.host() { network.reach(host) } }
    }

    private var place: Place { Place(priority: state.withLock { $0.priority }, number: number) }

    private func perform(
        _ action: DownloadStateMachine.Action, _ work: DownloadWork
    ) async throws -> DownloadStateMachine.Action {
        switch action {
        case .waitForPrerequisites: try await waitForPrerequisites()
        case .waitForTurn: try await waitForTurn(work)
        case .transfer: try await transfer(work)
        case .wait(let duration): try await wait(duration)
        case .waitForNetwork: try await waitForNetwork()
        case .standStill: try await standStill()
        case .unpack: try await unpack(work)
        case .save: try await save(work)
        // The machine answers a report on work with the next piece of work or with the end.
        case .nothing, .interrupt, .end: throw LostStep()
        }
    }

    private func waitForPrerequisites() async throws -> DownloadStateMachine.Action {
        try await prerequisites()
        return advance { $0.prerequisitesMet() }
    }

    private func waitForTurn(_ work: DownloadWork) async throws -> DownloadStateMachine.Action {
        try await turnstile.enter(place)
        work.isInside = true
        return network.allows(number, hosts) ? advance { $0.admitted() } : advance { $0.networkMissing() }
    }

    private func wait(_ duration: Duration) async throws -> DownloadStateMachine.Action {
        try await clock.sleep(duration, request.product.productIdentifier)
        return advance { $0.retryDue() }
    }

    private func waitForNetwork() async throws -> DownloadStateMachine.Action {
        try await network.wait(place, for: hosts)
        return advance { $0.networkBack() }
    }

    private func standStill() async throws -> DownloadStateMachine.Action {
        try await Promise<Void>().value()
        return advance { $0.stopped() }
    }

    private func transfer(_ work: DownloadWork) async throws -> DownloadStateMachine.Action {
        var transfer = work.transfer
        defer { work.transfer = transfer }
        let manner = DownloadSteps.Manner(settings: settings, rate: rate)
        let downloaded = try await steps.download(request, &transfer, manner) {
            [weak self] received, expected, source in
            self?.tell(received, of: expected, from: source)
        }
        reach(transfer)
        work.downloaded = downloaded
        return advance { $0.transferred(size: downloaded.size) }
    }

    private func unpack(_ work: DownloadWork) async throws -> DownloadStateMachine.Action {
        guard let downloaded = work.downloaded else { throw LostStep() }
        work.unpacked = try await steps.unpack(downloaded, request, place, settings: settings)
        try Task.checkCancellation()
        // What is left is a wait for the disk, which many share: the more are ready, the fewer waits.
        turnstile.leave()
        work.isInside = false
        return advance { $0.unpacked() }
    }

    private func save(_ work: DownloadWork) async throws -> DownloadStateMachine.Action {
        guard let downloaded = work.downloaded, let unpacked = work.unpacked else { throw LostStep() }
        work.pack = try await steps.save(unpacked, downloaded, request)
        return advance { $0.saved() }
    }

    /// A step that was asked for before the one that it rests on: a defect of the state machine.
    private struct LostStep: Error {}

    private func tell(_ received: Int, of expected: Int?, from source: URL) {
        let isFirst = state.withLock { $0.machine.state == .connecting }
        if isFirst, let host = source.host() { network.reach(host) }
        advance(at: received, from: source.forMessages) { machine in
            _ = machine.connected(expected: expected)
            return machine.progressed(to: received, of: expected)
        }
    }

    /// Gives the machine an event, and tells the observers what is new. In one step, so that they hear of the states
    /// in the order that they were in. An end is told by the manager, who notes it on the disk first.
    ///
    /// - Parameters:
    ///   - bytes: where the event is that so many came.
    ///   - source: where those came from, as it is told.
    @discardableResult
    private func advance(
        at bytes: Int? = nil, from source: String? = nil,
        _ event: (inout DownloadStateMachine) -> DownloadStateMachine.Action
    ) -> DownloadStateMachine.Action {
        let now = time
        let (action, still) = state.withLock { state in
            let before = status(of: state, at: now)
            let action = event(&state.machine)
            state.figures.follow(
                state.machine.state, action, bytes: bytes, source: source, at: now, date: clock.date())
            let after = status(of: state, at: now)
            let isProgress =
                after.state == before.state && after.activity == before.activity && after.activity == .transferring
            if after != before, !after.state.isEnd, !isProgress || state.figures.mayTell(at: now) {
                state.figures.told(at: now)
                events.publish(.download(after))
            }
            guard state.machine.state != .pausing else { return (action, Promise<Void>?.none) }
            defer { state.still = nil }
            return (action, state.still)
        }
        still?.keep(())
        return action
    }
}

extension DownloadStateMachine.Action {
    /// Whether nothing is transferred, nor about to be, before something else has happened.
    fileprivate var waits: Bool {
        switch self {
        case .waitForPrerequisites, .wait, .waitForNetwork, .standStill, .end: true
        case .nothing, .waitForTurn, .transfer, .unpack, .save, .interrupt: false
        }
    }

    fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
