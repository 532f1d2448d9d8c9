import StoreModel
import StoreTransfers

/// The states of one download as a value: each event is a mutating method that returns the next action.
///
/// The state machine does no I/O, never waits and never reads a clock: ``DownloadRunner`` performs the actions and
/// reports the results as events. Each state carries the data that is valid in it, and each action the input of its
/// step. An event that can't happen in a state changes nothing and returns ``Action/none``.
struct DownloadStateMachine<Content: DownloadContent>: Sendable {
    indirect enum State: Sendable {
        /// The download is not started; the state is left by `start`, `cancel`, `suspend` and `pause`.
        case created
        /// The download is not started, and paused; the state is left by `start`, `cancel`, `suspend` and `resume`.
        case createdPaused(by: String)
        /// The download waits for the installation of packs that its product needs.
        ///
        /// The state is left by `prerequisitesInstalled`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingForPrerequisites
        /// The download waits for a slot, which limits the number of running downloads.
        ///
        /// The state is left by `admitted`, `circuitOpen`, `failed`, `pause`, `cancel`, `suspend`.
        case queued
        /// The download connects to a server of its archive.
        ///
        /// The state is left by `progressed`, `fetched`, `fetchFailed`, `failed`, `pause`, `cancel`, `suspend`.
        case connecting
        /// The download receives bytes of its archive.
        ///
        /// The state is left by `fetched`, `fetchFailed`, `failed`, `pause`, `cancel`, `suspend`.
        case transferring
        /// The download waits before the next attempt to fetch its archive.
        ///
        /// The state is left by `retryDue`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingToRetry(after: ErrorReport)
        /// The download waits until a host of its archive can be reached.
        ///
        /// The state is left by `circuitClosed`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingForNetwork
        /// The download unpacks its archive, too briefly for a pause; left by `unpacked`, `failed`, `cancel`, `suspend`.
        case unpacking(Content.Archive)
        /// The download commits its pack, in one step that can't be interrupted; left by `committed`, `failed`.
        case committing(Content.Archive, Content.Staged)
        /// A pause of the download was ordered, and the running step has not stopped yet.
        ///
        /// The state is left by `stopped` and any other report of the step, and by `resume`, `cancel`, `suspend`.
        case pausing(by: String)
        /// The download is paused; the state is left by `resume`, `cancel`, `suspend`.
        case paused(by: String)
        /// Resumption of the download was ordered, and the running step or the pause has not stopped yet.
        ///
        /// The state is left by any report of the step, and by `pause`, `cancel`, `suspend`.
        case resuming
        /// A stop of the download was ordered, and the running step has not stopped yet.
        ///
        /// The state is left by any report of the step; `cancel` turns a suspension into a cancellation.
        case stopping(Stop)
        /// The download has ended or was suspended by a shutdown; the final state.
        case ended(Outcome)
    }

    /// The reason for which a download stops before it is complete: cancelled, or suspended by a shutdown.
    enum Stop: Sendable, Equatable {
        case cancelled
        /// The download stops because the daemon shuts down; its operation has no end and continues at the next start.
        case suspended
    }

    /// The way in which a download ended: finished, failed or stopped.
    indirect enum Outcome: Sendable {
        case finished(Content.Archive, Content.Pack)
        case failed(ErrorReport)
        case stopped(Stop)
    }

    /// The next action for a download, as the state machine decides it; ``DownloadRunner`` does all but ``interrupt``.
    indirect enum Action: Sendable {
        /// The runner of the download has nothing new to do: the running step goes on.
        case none
        case waitForPrerequisites
        case waitForSlot
        case fetch(Content.Partial)
        case wait(Duration)
        case waitForNetwork
        case unpack(Content.Archive)
        case commit(Content.Archive, Content.Staged)
        /// The runner of the download waits until an order, such as resume, interrupts the wait.
        case waitForResume
        /// ``DownloadTask`` cancels the running step of the download, which then reports that it has stopped.
        case interrupt
        /// The runner cleans up after the download, and, unless it is suspended, records its end and publishes it.
        case end(Outcome)
    }

    private(set) var state = State.created
    /// The furthest public state of the download so far; a second attempt does not publish earlier states again.
    private(set) var furthestState = DownloadState.initializing
    /// The number of the download's current attempt to fetch its archive, counted from 1: one more after each failure.
    private(set) var attempt = 1
    private(set) var bytesReceived: Int
    private(set) var bytesExpected: Int?
    private var partial = Content.Partial.none
    private var budget: RetryBudget
    private var outage: OutageBudget
    /// Whether the attempt of the download with the number ``attempt`` failed.
    private var hasFailed = false
    /// Whether a server has answered in this download, so that its address is right.
    private var hasAnswered = false
    /// The identifiers of products that must be installed before this download; empty once all are installed.
    private var prerequisites: [String]

    var prerequisiteList: String { prerequisites.joined(separator: ", ") }

    /// Creates the state machine of a download that is not started.
    ///
    /// - Parameters:
    ///   - policy: the number of attempts without progress, and the delays between them.
    ///   - outages: the times for which a server that can't be reached is tried again.
    ///   - minimumProgress: the number of bytes that an attempt has to bring to count as progress.
    ///   - bytesReceived: the number of bytes on disk, as far as it is known.
    ///   - bytesExpected: the number of bytes to fetch; `nil` if it is unknown.
    ///   - prerequisites: the identifiers of products that must be installed first.
    ///   - pausedBy: who paused the download before the daemon was restarted; `nil` if it was not paused.
    init(
        policy: RetryPolicy, outages: OutagePolicy = OutagePolicy(), minimumProgress: Int = 1, bytesReceived: Int = 0,
        bytesExpected: Int? = nil,
        prerequisites: [String] = [], pausedBy: String? = nil
    ) {
        budget = RetryBudget(policy, at: bytesReceived, step: minimumProgress)
        outage = OutageBudget(outages)
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
        self.prerequisites = prerequisites
        // After a restart, clients must not see an earlier state than before.
        if bytesReceived > 0 { furthestState = bytesReceived == bytesExpected ? .downloaded : .downloading }
        if let pausedBy { state = .createdPaused(by: pausedBy) }
    }

    // MARK: Reports of steps

    /// Reports to the state machine that the runner starts the download, and returns the next action.
    mutating func start() -> Action {
        switch state {
        case .created: begin()
        case .createdPaused(let who): waitForResume(pausedBy: who)
        default: .none
        }
    }

    private mutating func begin() -> Action {
        guard prerequisites.isEmpty else {
            state = .waitingForPrerequisites
            return .waitForPrerequisites
        }
        return queue()
    }

    /// Reports to the state machine that all products that the download needs are installed.
    mutating func prerequisitesInstalled() -> Action {
        guard case .waitingForPrerequisites = state else { return continueOrder() }
        prerequisites = []
        return queue()
    }

    private mutating func queue() -> Action {
        state = .queued
        if hasFailed { attempt += 1 }
        hasFailed = false
        return .waitForSlot
    }

    /// Reports to the state machine that the download acquired a slot and its archive can be fetched.
    mutating func admitted() -> Action {
        guard case .queued = state else { return continueOrder() }
        state = .connecting
        return .fetch(partial)
    }

    /// Reports to the state machine that the download acquired a slot, but no host of its archive can be reached.
    mutating func circuitOpen() -> Action {
        guard case .queued = state else { return continueOrder() }
        state = .waitingForNetwork
        return .waitForNetwork
    }

    /// Reports to the state machine that a host may be reachable, so that another attempt is worth it.
    mutating func circuitClosed() -> Action {
        guard case .waitingForNetwork = state else { return continueOrder() }
        return queue()
    }

    /// Reports to the state machine that bytes were received, or the headers of the server's response.
    ///
    /// - Parameter expected: the total number of bytes; `nil` keeps what was known. It changes when the parts of an
    ///   archive can't be fetched and the whole archive has to be.
    mutating func progressed(to received: Int, of expected: Int? = nil) {
        switch state {
        case .connecting:
            state = .transferring
            if furthestState == .initializing { furthestState = .downloading }
        case .transferring: break
        default: return
        }
        serverDidAnswer()
        bytesReceived = received
        bytesExpected = expected ?? bytesExpected
    }

    /// Reports to the state machine that the download's archive is on disk and verified.
    ///
    /// - Parameter size: the number of bytes that had to come over the network.
    mutating func fetched(_ archive: Content.Archive, size: Int) -> Action {
        guard isFetching else { return continueOrder() }
        state = .unpacking(archive)
        furthestState = .downloaded
        bytesReceived = size
        bytesExpected = size
        return .unpack(archive)
    }

    /// Reports to the state machine that an attempt to fetch the download's archive failed.
    ///
    /// - Parameters:
    ///   - partial: the bytes on disk, for the next attempt.
    ///   - now: the time of the failure since any fixed moment.
    ///   - jitter: a random number from 0 to 1 that shortens the delay by up to half.
    mutating func fetchFailed(
        _ failure: FetchFailure, leaving partial: Content.Partial, at now: Duration, jitter: Double
    ) -> Action {
        keep(partial)
        guard isFetching else { return continueOrder() }
        hasFailed = true
        if failure.lacksNetwork {
            state = .waitingForNetwork
            return .waitForNetwork
        }
        guard failure.isTransient, let delay = delay(after: failure, partial, at: now, jitter: jitter) else {
            return end(.failed(failure.error))
        }
        state = .waitingToRetry(after: failure.error)
        return .wait(delay)
    }

    /// Returns the delay before another attempt to fetch the archive; `nil` if there is none.
    private mutating func delay(
        after failure: FetchFailure, _ partial: Content.Partial, at now: Duration, jitter: Double
    ) -> Duration? {
        if failure.hasResponse { serverDidAnswer() }
        if failure.isUnreachable {
            return outage.delay(
                afterFailureAt: now, hasAnswered: hasAnswered || partial.isContinued, jitter: jitter)
        }
        return budget.wait(afterFailureAt: bytesReceived, retryAfter: failure.retryAfter, jitter: jitter)
    }

    private mutating func serverDidAnswer() {
        hasAnswered = true
        outage.serverDidAnswer()
    }

    /// Reports to the state machine that fetching the download's archive was interrupted as ordered.
    ///
    /// - Parameter partial: the bytes on disk, for the next attempt.
    mutating func fetchStopped(leaving partial: Content.Partial) -> Action {
        keep(partial)
        return continueOrder()
    }

    /// Records the bytes that a fetch has left on disk; more may have come than were reported as progress.
    private mutating func keep(_ partial: Content.Partial) {
        switch state {
        case .connecting, .transferring, .pausing, .resuming:
            self.partial = partial
            bytesReceived = max(bytesReceived, partial.bytesReceived ?? 0)
        default: break
        }
    }

    /// Reports to the state machine that the delay before the next attempt to fetch the archive has passed.
    mutating func retryDue() -> Action {
        guard case .waitingToRetry = state else { return continueOrder() }
        return queue()
    }

    /// Reports to the state machine that the download's archive was unpacked.
    mutating func unpacked(_ staged: Content.Staged) -> Action {
        guard case .unpacking(let archive) = state else { return continueOrder() }
        state = .committing(archive, staged)
        return .commit(archive, staged)
    }

    /// Reports to the state machine that the download's pack was committed (moved to its final location).
    mutating func committed(_ pack: Content.Pack) -> Action {
        guard case .committing(let archive, _) = state else { return .none }
        return end(.finished(archive, pack))
    }

    /// Reports to the state machine that a step of the download failed for good: another attempt would not help.
    ///
    /// The download ends with the error, unless a pause or a stop was ordered before, which then takes effect.
    mutating func failed(_ error: ErrorReport) -> Action {
        switch state {
        case .created, .createdPaused, .paused, .ended: .none
        case .pausing, .resuming, .stopping: continueOrder()
        default: end(.failed(error))
        }
    }

    /// Reports to the state machine that the running step of the download was interrupted as ordered.
    mutating func stopped() -> Action { continueOrder() }

    /// Does what was ordered while a step of the download was running; returns ``Action/none`` without an order.
    private mutating func continueOrder() -> Action {
        switch state {
        case .stopping(let stop): end(.stopped(stop))
        case .pausing(let who): waitForResume(pausedBy: who)
        case .resuming: begin()
        default: .none
        }
    }

    private mutating func waitForResume(pausedBy who: String) -> Action {
        state = .paused(by: who)
        return .waitForResume
    }

    private mutating func end(_ outcome: Outcome) -> Action {
        state = .ended(outcome)
        return .end(outcome)
    }

    // MARK: Orders

    /// Orders the download to pause, and returns the next action of its runner.
    ///
    /// A download that is being unpacked or committed does not pause, nor one that was told to stop or has ended.
    ///
    /// - Parameter who: who paused the download, as the status shows it.
    mutating func pause(by who: String) -> Action {
        switch state {
        case .created:
            state = .createdPaused(by: who)
            return .none
        case .resuming:
            // The running step was told to stop before.
            state = .pausing(by: who)
            return .none
        case .waitingForPrerequisites, .queued, .connecting, .transferring, .waitingToRetry, .waitingForNetwork:
            state = .pausing(by: who)
            return .interrupt
        case .createdPaused, .unpacking, .committing, .pausing, .paused, .stopping, .ended: return .none
        }
    }

    /// Orders a paused download to continue, and returns the next action; any other download is not changed.
    mutating func resume() -> Action {
        switch state {
        case .createdPaused:
            state = .created
            return .none
        case .pausing:
            state = .resuming
            return .none
        case .paused:
            state = .resuming
            return .interrupt
        default: return .none
        }
    }

    /// Orders the download's cancellation; a download that is committing its pack finishes instead.
    mutating func cancel() -> Action { stop(.cancelled) }

    /// Orders the download to stop because the daemon shuts down; the next start continues it.
    mutating func suspend() -> Action { stop(.suspended) }

    private mutating func stop(_ stop: Stop) -> Action {
        switch state {
        case .committing, .ended, .stopping(.cancelled): return .none
        case .stopping(.suspended) where stop == .suspended: return .none
        case .created, .createdPaused: return end(.stopped(stop))
        case .pausing, .resuming, .stopping:
            // The running step was told to stop before.
            state = .stopping(stop)
            return .none
        default:
            state = .stopping(stop)
            return .interrupt
        }
    }
}

extension DownloadStateMachine.State: Equatable
where Content.Archive: Equatable, Content.Staged: Equatable, Content.Pack: Equatable {}
extension DownloadStateMachine.Outcome: Equatable where Content.Archive: Equatable, Content.Pack: Equatable {}
extension DownloadStateMachine.Action: Equatable
where
    Content.Partial: Equatable, Content.Archive: Equatable, Content.Staged: Equatable, Content.Pack: Equatable
{}
