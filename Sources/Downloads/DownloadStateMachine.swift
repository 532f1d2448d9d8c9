import StoreModel
import Transfers

/// The life of one download as a value: every event is a method that returns what to do next. Nothing here reads,
/// writes, waits or tells the time; ``DownloadTask`` does what is returned and reports what came of it.
///
/// An event that can't happen in a state changes nothing and asks for nothing.
struct DownloadStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// Made, and not begun. Left by `start`, `cancel`, `suspend`.
        case created
        /// Waits until the packs that it needs are there. Left by `prerequisitesMet`, `failed`, `cancel`, `suspend`.
        case waitingForPrerequisites
        /// Waits for its turn. Left by `admitted`, `failed`, `cancel`, `suspend`.
        case queued
        /// Makes a connection. Left by `connected`, `transferred`, `transferFailed`, `failed`, `cancel`, `suspend`.
        case connecting
        /// Bytes are coming. Left by `transferred`, `transferFailed`, `failed`, `cancel`, `suspend`.
        case transferring
        /// Waits until it tries again. Left by `retryDue`, `failed`, `cancel`, `suspend`.
        case waitingToRetry
        /// All bytes are here and are what they must be. Left by `unpacked`, `failed`, `cancel`, `suspend`.
        case unpacking
        /// Takes its place: what is one step can't be stopped in the middle. Left by `saved`, `failed`.
        case saving
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
        case unpack
        case save
        /// Interrupt the work that runs, which then reports back.
        case interrupt
        /// Clear up, note the end, tell the observers.
        case end(Outcome)
    }

    private(set) var state = State.created
    /// The furthest public state so far: a second attempt does not tell the observers of the first states again.
    private(set) var reached = DownloadState.initializing
    /// Counted from 1.
    private(set) var attempt = 1
    private(set) var bytesReceived = 0
    private(set) var bytesExpected: Int?
    /// Why it waits.
    private(set) var reason: String?
    private let policy: RetryPolicy
    private let prerequisites: [String]

    init(policy: RetryPolicy, bytesExpected: Int? = nil, prerequisites: [String] = []) {
        self.policy = policy
        self.bytesExpected = bytesExpected
        self.prerequisites = prerequisites
    }

    // MARK: Events

    mutating func start() -> Action {
        guard state == .created else { return .nothing }
        guard prerequisites.isEmpty else {
            state = .waitingForPrerequisites
            reason = "waits for \(prerequisites.joined(separator: ", "))"
            return .waitForPrerequisites
        }
        return queue()
    }

    mutating func prerequisitesMet() -> Action {
        guard state == .waitingForPrerequisites else { return stopIfStopping() }
        return queue()
    }

    private mutating func queue() -> Action {
        state = .queued
        reason = "waits for its turn"
        return .waitForTurn
    }

    mutating func admitted() -> Action {
        guard state == .queued else { return stopIfStopping() }
        return transfer()
    }

    private mutating func transfer() -> Action {
        state = .connecting
        reason = nil
        return .transfer
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
        guard state == .connecting || state == .transferring else { return stopIfStopping() }
        state = .unpacking
        reached = .downloaded
        bytesReceived = size
        bytesExpected = size
        return .unpack
    }

    /// - Parameters:
    ///   - isTransient: whether trying again may help.
    ///   - jitter: from 0 to 1, by chance.
    mutating func transferFailed(
        _ error: ErrorReport, isTransient: Bool, retryAfter: Duration? = nil, jitter: Double
    ) -> Action {
        guard state == .connecting || state == .transferring else { return stopIfStopping() }
        guard isTransient, let wait = policy.wait(after: attempt, retryAfter: retryAfter, jitter: jitter) else {
            return end(.failed(error))
        }
        state = .waitingToRetry
        reason = error.message
        return .wait(wait)
    }

    mutating func retryDue() -> Action {
        guard state == .waitingToRetry else { return stopIfStopping() }
        attempt += 1
        return transfer()
    }

    mutating func unpacked() -> Action {
        guard state == .unpacking else { return stopIfStopping() }
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
        case .created, .ended: return .nothing
        case .stopping: return stopIfStopping()
        default: return end(.failed(error))
        }
    }

    /// The order from outside to stop.
    mutating func cancel() -> Action { stop(.cancelled) }

    /// The daemon ends.
    mutating func suspend() -> Action { stop(.suspended) }

    private mutating func stop(_ outcome: Outcome) -> Action {
        switch state {
        case .saving, .ended: return .nothing
        case .created: return end(outcome)
        case .stopping(.suspended):
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
    mutating func stopped() -> Action { stopIfStopping() }

    private mutating func stopIfStopping() -> Action {
        guard case .stopping(let outcome) = state else { return .nothing }
        return end(outcome)
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
        case .created, .queued: (reached, .queued)
        case .waitingForPrerequisites, .waitingToRetry, .stopping: (reached, .waiting)
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

    /// The error that it ended with.
    var error: ErrorReport? {
        if case .ended(.failed(let error)) = state { error } else { nil }
    }
}
