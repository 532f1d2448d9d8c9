import StoreModel
import StoreTransfers

/// The types of the values that a download's steps produce and hand on; tests use simple ones.
protocol DownloadContent: Sendable {
    /// What attempts to fetch the archive have brought so far.
    associatedtype Partial: PartialContent
    /// A fetched and verified archive.
    associatedtype Archive: Sendable
    /// Unpacked content in staging.
    associatedtype Staged: Sendable
    /// A committed pack.
    associatedtype Pack: Sendable
}

/// What attempts to fetch an archive have brought so far.
protocol PartialContent: Sendable {
    /// The state before the first attempt.
    static var none: Self { get }
    /// The number of bytes on disk; `nil` before the first attempt.
    var bytesReceived: Int? { get }
}

/// The life of one download as a value: each event is a mutating method that returns the next action.
///
/// The machine does no I/O, never waits and never reads a clock: ``DownloadTask`` performs the actions and reports the
/// results as events. Each state carries the data that is valid in it, and each action the input of its step. An event
/// that can't happen in a state changes nothing and returns ``Action/none``.
struct DownloadStateMachine<Content: DownloadContent>: Sendable {
    indirect enum State: Sendable {
        /// Not started. Left by `start`, `cancel`, `suspend` and `pause`.
        case created
        /// Not started, and paused. Left by `start`, `cancel`, `suspend` and `resume`.
        case createdPaused(by: String)
        /// Waits for the packs that the product needs. Left by `prerequisitesInstalled`, `failed`, `pause`, `cancel`,
        /// `suspend`.
        case waitingForPrerequisites
        /// Waits for a slot. Left by `admitted`, `circuitOpen`, `failed`, `pause`, `cancel`, `suspend`.
        case queued
        /// Connects to a server. Left by `progressed`, `fetched`, `fetchFailed`, `failed`, `pause`, `cancel`, `suspend`.
        case connecting
        /// Receives bytes. Left by `fetched`, `fetchFailed`, `failed`, `pause`, `cancel`, `suspend`.
        case transferring
        /// Waits before the next attempt. Left by `retryDue`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingToRetry(after: ErrorReport)
        /// Waits until a host can be reached. Left by `circuitClosed`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingForNetwork
        /// Unpacks the archive; too short to be worth a pause. Left by `unpacked`, `failed`, `cancel`, `suspend`.
        case unpacking(Content.Archive)
        /// Commits the pack in one step that can't be interrupted. Left by `committed`, `failed`.
        case committing(Content.Archive, Content.Staged)
        /// Pause was ordered, and the running step has not stopped yet. Left by `stopped` and any other report of the
        /// step, and by `resume`, `cancel`, `suspend`.
        case pausing(by: String)
        /// Paused. Left by `resume`, `cancel`, `suspend`.
        case paused(by: String)
        /// Resume was ordered, and the running step or the pause has not stopped yet. Left by `stopped` and any other
        /// report of the step, and by `pause`, `cancel`, `suspend`.
        case resuming
        /// A stop was ordered, and the running step has not stopped yet. Left by `stopped` and any other report of the
        /// step; `cancel` turns a suspension into a cancellation.
        case stopping(Stop)
        /// Ended; the final state.
        case ended(Outcome)
    }

    /// Why a download stops before it is complete.
    enum Stop: Sendable, Equatable {
        case cancelled
        /// The daemon shuts down; the operation has no end and continues at the next start.
        case suspended
    }

    /// How a download ended.
    indirect enum Outcome: Sendable {
        case finished(Content.Archive, Content.Pack)
        case failed(ErrorReport)
        case stopped(Stop)
    }

    /// What the runner does next.
    indirect enum Action: Sendable {
        /// Nothing: the running step goes on.
        case none
        case waitForPrerequisites
        case waitForSlot
        case fetch(Content.Partial)
        case wait(Duration)
        case waitForNetwork
        case unpack(Content.Archive)
        case commit(Content.Archive, Content.Staged)
        /// Wait until interrupted.
        case waitForResume
        /// Interrupt the running step, which then reports.
        case interrupt
        /// Clean up, record the end, publish it.
        case end(Outcome)
    }

    private(set) var state = State.created
    /// The furthest public state so far: a second attempt does not publish earlier states again.
    private(set) var furthestState = DownloadState.initializing
    /// The number of the current transfer, counted from 1; a failure or a pause, whatever its reason, begins another.
    private(set) var attempt = 1
    private(set) var bytesReceived: Int
    private(set) var bytesExpected: Int?
    private var partial = Content.Partial.none
    private var budget: RetryBudget
    /// Whether there was a transfer in this attempt.
    private var hasTransferred = false
    /// The products that must be installed first; empty once they are.
    private var prerequisites: [String]

    var prerequisiteList: String { prerequisites.joined(separator: ", ") }

    /// - Parameters:
    ///   - minimumProgress: The number of bytes that an attempt has to bring to count as progress.
    ///   - pausedBy: Who paused the download before the daemon was restarted; `nil` if it was running.
    init(
        policy: RetryPolicy, minimumProgress: Int = 1, bytesReceived: Int = 0, bytesExpected: Int? = nil,
        prerequisites: [String] = [], pausedBy: String? = nil
    ) {
        budget = RetryBudget(policy, at: bytesReceived, step: minimumProgress)
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
        self.prerequisites = prerequisites
        if let pausedBy { state = .createdPaused(by: pausedBy) }
    }

    // MARK: Reports of steps

    /// The runner starts the download.
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

    /// All prerequisites are installed.
    mutating func prerequisitesInstalled() -> Action {
        guard case .waitingForPrerequisites = state else { return continueOrder() }
        prerequisites = []
        return queue()
    }

    private mutating func queue() -> Action {
        state = .queued
        if hasTransferred { attempt += 1 }
        hasTransferred = false
        return .waitForSlot
    }

    /// A slot was acquired.
    mutating func admitted() -> Action {
        guard case .queued = state else { return continueOrder() }
        state = .connecting
        hasTransferred = true
        return .fetch(partial)
    }

    /// A slot was acquired, and the circuits of all hosts are open.
    mutating func circuitOpen() -> Action {
        guard case .queued = state else { return continueOrder() }
        state = .waitingForNetwork
        return .waitForNetwork
    }

    /// A host is worth another attempt.
    mutating func circuitClosed() -> Action {
        guard case .waitingForNetwork = state else { return continueOrder() }
        return queue()
    }

    /// Bytes were received, or the server's headers were.
    ///
    /// - Parameter expected: The total number of bytes; `nil` keeps what was known. It changes when the parts of an
    ///   archive can't be fetched and the whole archive has to be.
    mutating func progressed(to received: Int, of expected: Int? = nil) {
        switch state {
        case .connecting:
            state = .transferring
            furthestState = .downloading
        case .transferring: break
        default: return
        }
        bytesReceived = received
        bytesExpected = expected ?? bytesExpected
    }

    /// The archive is on disk and verified.
    ///
    /// - Parameter size: The number of bytes that came over the network.
    mutating func fetched(_ archive: Content.Archive, size: Int) -> Action {
        guard isFetching else { return continueOrder() }
        state = .unpacking(archive)
        furthestState = .downloaded
        bytesReceived = size
        bytesExpected = size
        return .unpack(archive)
    }

    /// The fetch failed.
    ///
    /// - Parameters:
    ///   - partial: What is on disk, for the next attempt.
    ///   - isTransient: Whether another attempt may succeed.
    ///   - lacksNetwork: Whether another attempt may succeed only when a host can be reached.
    ///   - jitter: A random number from 0 to 1.
    mutating func fetchFailed(
        _ error: ErrorReport, leaving partial: Content.Partial, isTransient: Bool, lacksNetwork: Bool = false,
        retryAfter: Duration? = nil, jitter: Double
    ) -> Action {
        keep(partial)
        guard isFetching else { return continueOrder() }
        if lacksNetwork {
            state = .waitingForNetwork
            return .waitForNetwork
        }
        guard isTransient,
            let delay = budget.wait(afterFailureAt: bytesReceived, retryAfter: retryAfter, jitter: jitter)
        else { return end(.failed(error)) }
        state = .waitingToRetry(after: error)
        return .wait(delay)
    }

    /// The fetch was interrupted as ordered.
    mutating func fetchStopped(leaving partial: Content.Partial) -> Action {
        keep(partial)
        return continueOrder()
    }

    /// Keeps what a fetch has left; more bytes may have come than were reported as progress.
    private mutating func keep(_ partial: Content.Partial) {
        switch state {
        case .connecting, .transferring, .pausing, .resuming:
            self.partial = partial
            bytesReceived = max(bytesReceived, partial.bytesReceived ?? 0)
        default: break
        }
    }

    /// The delay before the next attempt has passed.
    mutating func retryDue() -> Action {
        guard case .waitingToRetry = state else { return continueOrder() }
        return queue()
    }

    /// The archive was unpacked.
    mutating func unpacked(_ staged: Content.Staged) -> Action {
        guard case .unpacking(let archive) = state else { return continueOrder() }
        state = .committing(archive, staged)
        return .commit(archive, staged)
    }

    /// The pack was committed.
    mutating func committed(_ pack: Content.Pack) -> Action {
        guard case .committing(let archive, _) = state else { return .none }
        return end(.finished(archive, pack))
    }

    /// A step failed in a way that another attempt does not change.
    mutating func failed(_ error: ErrorReport) -> Action {
        switch state {
        case .created, .createdPaused, .paused, .ended: .none
        case .pausing, .resuming, .stopping: continueOrder()
        default: end(.failed(error))
        }
    }

    /// The running step was interrupted as ordered.
    mutating func stopped() -> Action { continueOrder() }

    /// Does what was ordered while a step was running; without an order, nothing.
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

    /// Pause is ordered; a download that is unpacked already, or that was told to stop, does not pause.
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

    /// Resume is ordered.
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

    /// Cancellation is ordered; a download that commits its pack finishes.
    mutating func cancel() -> Action { stop(.cancelled) }

    /// The daemon shuts down.
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
