import StoreModel
import StoreTransfers

/// The life of one download as a value: every event is a method that returns what to do next. Nothing here reads,
/// writes, waits or tells the time; ``DownloadTask`` does what is returned and reports what came of it.
///
/// An event that can't happen in a state changes nothing and asks for nothing.
struct DownloadStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// Made, and not begun. Left by `start`, `cancel`, `suspend`; `pause` and `resume` say how it is to begin.
        case created
        /// Waits until the packs that it needs are there. Left by `prerequisitesMet`, `failed`, `pause`, `cancel`,
        /// `suspend`.
        case waitingForPrerequisites
        /// Waits for its turn. Left by `admitted`, `networkMissing`, `failed`, `pause`, `cancel`, `suspend`.
        case queued
        /// Makes a connection. Left by `connected`, `transferred`, `transferFailed`, `failed`, `pause`, `cancel`,
        /// `suspend`.
        case connecting
        /// Bytes are coming. Left by `transferred`, `transferFailed`, `failed`, `pause`, `cancel`, `suspend`.
        case transferring
        /// Waits until it tries again. Left by `retryDue`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingToRetry
        /// Waits until there is a network. Left by `networkBack`, `failed`, `pause`, `cancel`, `suspend`.
        case waitingForNetwork
        /// All bytes are here and are what they must be; what is left takes moments and is not worth a pause. Left by
        /// `unpacked`, `failed`, `cancel`, `suspend`.
        case unpacking
        /// Takes its place: what is one step can't be stopped in the middle. Left by `saved`, `failed`.
        case saving
        /// Told to pause; the work that runs has not stopped yet. Left by `stopped` and by whatever else that work
        /// reports, and by `resume`, `cancel`, `suspend`.
        case pausing
        /// Waits for somebody to say that it may go on. Left by `resume`, `cancel`, `suspend`.
        case paused
        /// Told to go on; what ran, or stood still, has not stopped yet. Left by `stopped` and by whatever else that
        /// reports, and by `pause`, `cancel`, `suspend`.
        case resuming
        /// Told to stop; the work that runs has not stopped yet. Left by `stopped` and by whatever else that work
        /// reports; `cancel` makes a suspension a cancellation.
        case stopping(Outcome)
        /// Over. Nothing leaves it.
        case ended(Outcome)
    }

    enum Outcome: Sendable, Equatable {
        case finished
        case cancelled
        case failed(ErrorReport)
        /// The daemon ends; the operation has no end yet and goes on at the next start.
        case suspended
    }

    enum Action: Sendable, Equatable {
        case nothing
        case waitForPrerequisites
        case waitForTurn
        case transfer
        case wait(Duration)
        case waitForNetwork
        case unpack
        case save
        /// Wait for nothing but to be interrupted.
        case standStill
        /// Interrupt the work that runs, which then reports back.
        case interrupt
        /// Clear up, note the end, tell the observers.
        case end(Outcome)
    }

    private(set) var state = State.created
    /// The furthest public state so far: a second attempt does not tell the observers of the first states again.
    private(set) var reached = DownloadState.initializing
    /// Transfers, counted from 1; those after a pause and after a failure, whatever its reason.
    private(set) var attempt = 1
    private(set) var bytesReceived: Int
    private(set) var bytesExpected: Int?
    /// Why it waits.
    private(set) var reason: String?
    /// Who paused it; `nil` where it may run.
    private(set) var pausedBy: String?
    private var budget: RetryBudget
    /// Whether there was a transfer in this attempt.
    private var hasTransferred = false
    private var prerequisites: [String]

    /// - Parameter step: how many bytes an attempt has to bring to count as coming on.
    init(
        policy: RetryPolicy, step: Int = 1, bytesReceived: Int = 0, bytesExpected: Int? = nil,
        prerequisites: [String] = [], pausedBy: String? = nil
    ) {
        budget = RetryBudget(policy, at: bytesReceived, step: step)
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
        self.prerequisites = prerequisites
        if let pausedBy { note(pausedBy) }
    }

    // MARK: Events

    mutating func start() -> Action {
        guard state == .created else { return .nothing }
        guard pausedBy == nil else { return standStill() }
        return begin()
    }

    private mutating func begin() -> Action {
        guard prerequisites.isEmpty else {
            state = .waitingForPrerequisites
            reason = "waits for \(prerequisites.joined(separator: ", "))"
            return .waitForPrerequisites
        }
        return queue()
    }

    mutating func prerequisitesMet() -> Action {
        guard state == .waitingForPrerequisites else { return stopIfTold() }
        prerequisites = []
        return queue()
    }

    private mutating func queue() -> Action {
        state = .queued
        reason = "waits for its turn"
        if hasTransferred { attempt += 1 }
        hasTransferred = false
        return .waitForTurn
    }

    mutating func admitted() -> Action {
        guard state == .queued else { return stopIfTold() }
        state = .connecting
        reason = nil
        hasTransferred = true
        return .transfer
    }

    /// It is its turn, and transfers from its host fail for want of a network.
    mutating func networkMissing() -> Action {
        guard state == .queued else { return stopIfTold() }
        return waitForNetwork()
    }

    private mutating func waitForNetwork() -> Action {
        state = .waitingForNetwork
        reason = "waits for the network"
        return .waitForNetwork
    }

    /// It is worth trying again.
    mutating func networkBack() -> Action {
        guard state == .waitingForNetwork else { return stopIfTold() }
        return queue()
    }

    /// The server answered, and bytes will come.
    ///
    /// - Parameter expected: how many there are in all; `nil` leaves what was known before.
    mutating func connected(expected: Int?) -> Action {
        guard state == .connecting else { return .nothing }
        state = .transferring
        reached = .downloading
        bytesExpected = expected ?? bytesExpected
        return .nothing
    }

    /// - Parameter expected: how many there are to be in all; `nil` leaves what was known before. It changes where parts
    ///   of an archive were to come, and all of it has to.
    mutating func progressed(to received: Int, of expected: Int? = nil) -> Action {
        guard state == .transferring else { return .nothing }
        bytesReceived = received
        bytesExpected = expected ?? bytesExpected
        return .nothing
    }

    /// All bytes are on the disk, and are what the store said they would be.
    mutating func transferred(size: Int) -> Action {
        guard state == .connecting || state == .transferring else { return stopIfTold() }
        state = .unpacking
        reached = .downloaded
        bytesReceived = size
        bytesExpected = size
        return .unpack
    }

    /// - Parameters:
    ///   - isTransient: whether trying again may help.
    ///   - bytes: how many are here, where that is known: more may have come than was told.
    ///   - lacksNetwork: whether it may help only once there is a network, for which it waits, however long that takes.
    ///   - jitter: from 0 to 1, by chance.
    mutating func transferFailed(
        _ error: ErrorReport, isTransient: Bool, at bytes: Int? = nil, lacksNetwork: Bool = false,
        retryAfter: Duration? = nil, jitter: Double
    ) -> Action {
        find(bytes)
        guard state == .connecting || state == .transferring else { return stopIfTold() }
        if lacksNetwork { return waitForNetwork() }
        guard isTransient,
            let wait = budget.wait(afterFailureAt: bytesReceived, retryAfter: retryAfter, jitter: jitter)
        else { return end(.failed(error)) }
        state = .waitingToRetry
        reason = error.message
        return .wait(wait)
    }

    mutating func retryDue() -> Action {
        guard state == .waitingToRetry else { return stopIfTold() }
        return queue()
    }

    mutating func unpacked() -> Action {
        guard state == .unpacking else { return stopIfTold() }
        state = .saving
        return .save
    }

    mutating func saved() -> Action {
        guard state == .saving else { return .nothing }
        return end(.finished)
    }

    /// A step failed in a way that trying again does not mend.
    mutating func failed(_ error: ErrorReport) -> Action {
        switch state {
        case .created, .paused, .ended: .nothing
        case .pausing, .resuming, .stopping: stopIfTold()
        default: end(.failed(error))
        }
    }

    /// The order from outside to wait. What can't be paused any more, or was told to stop, is not; see ``pausedBy``.
    mutating func pause(by who: String) -> Action {
        switch state {
        case .created:
            note(who)
            return .nothing
        case .resuming:
            // What it is to stop was told so.
            state = .pausing
            note(who)
            return .nothing
        case .waitingForPrerequisites, .queued, .connecting, .transferring, .waitingToRetry, .waitingForNetwork:
            state = .pausing
            note(who)
            return .interrupt
        case .unpacking, .saving, .pausing, .paused, .stopping, .ended: return .nothing
        }
    }

    private mutating func note(_ who: String) {
        pausedBy = who
        reason = "paused by \(who)"
    }

    /// The order from outside to go on.
    mutating func resume() -> Action {
        guard state == .created || state == .pausing || state == .paused else { return .nothing }
        let stoodStill = state == .paused
        pausedBy = nil
        reason = nil
        if state != .created { state = .resuming }
        return stoodStill ? .interrupt : .nothing
    }

    /// The order from outside to stop.
    mutating func cancel() -> Action { stop(.cancelled) }

    /// The daemon ends.
    mutating func suspend() -> Action { stop(.suspended) }

    private mutating func stop(_ outcome: Outcome) -> Action {
        switch state {
        case .saving, .ended: return .nothing
        case .created: return end(outcome)
        case .pausing, .resuming, .stopping(.suspended):
            // What runs was told to stop before.
            state = .stopping(outcome)
            return .nothing
        case .stopping: return .nothing
        default:
            state = .stopping(outcome)
            reason = nil
            return .interrupt
        }
    }

    /// The work that ran was interrupted as asked.
    ///
    /// - Parameter bytes: how many are here, where that is known.
    mutating func stopped(at bytes: Int? = nil) -> Action {
        find(bytes)
        return stopIfTold()
    }

    private mutating func find(_ bytes: Int?) {
        switch state {
        case .connecting, .transferring, .pausing, .resuming: bytesReceived = max(bytesReceived, bytes ?? 0)
        default: break
        }
    }

    private mutating func stopIfTold() -> Action {
        switch state {
        case .stopping(let outcome): end(outcome)
        case .pausing: standStill()
        case .resuming: begin()
        default: .nothing
        }
    }

    private mutating func standStill() -> Action {
        state = .paused
        return .standStill
    }

    private mutating func end(_ outcome: Outcome) -> Action {
        state = .ended(outcome)
        reason = nil
        return .end(outcome)
    }
}

extension DownloadStateMachine {
    /// The public state and what the task is busy with.
    var publicState: (state: DownloadState, activity: DownloadActivity?) {
        switch state {
        case .created: (reached, pausedBy == nil ? .queued : .paused)
        case .queued, .resuming: (reached, .queued)
        case .waitingForPrerequisites, .waitingToRetry, .waitingForNetwork, .stopping: (reached, .waiting)
        case .pausing, .paused: (reached, .paused)
        case .connecting: (reached, .connecting)
        case .transferring: (reached, .transferring)
        case .unpacking: (reached, .unpacking)
        case .saving: (reached, .saving)
        case .ended(.finished): (.finished, nil)
        case .ended(.cancelled): (.cancelled, nil)
        case .ended(.failed): (.failed, nil)
        case .ended(.suspended): (reached, .queued)
        }
    }

    /// Whether the work that runs, or is about to, has to stop.
    var isInterrupted: Bool {
        switch state {
        case .pausing, .resuming, .stopping: true
        default: false
        }
    }

    /// Whether nothing comes of it unless somebody says so, or another task ends.
    var isIdle: Bool {
        switch state {
        case .created: pausedBy != nil
        case .waitingForPrerequisites, .pausing, .paused: true
        default: false
        }
    }

    /// The error that it ended with.
    var error: ErrorReport? {
        if case .ended(.failed(let error)) = state { error } else { nil }
    }
}
