import StoreModel

/// What the state means to others.
extension DownloadStateMachine {
    /// The public state, and what the download is busy with.
    var publicState: (state: DownloadState, activity: DownloadActivity?) {
        switch state {
        case .created, .queued, .resuming: (furthestState, .queued)
        case .waitingForPrerequisites, .waitingToRetry, .waitingForNetwork, .stopping: (furthestState, .waiting)
        case .createdPaused, .pausing, .paused: (furthestState, .paused)
        case .connecting: (furthestState, .connecting)
        case .transferring: (furthestState, .transferring)
        case .unpacking: (furthestState, .unpacking)
        case .committing: (furthestState, .saving)
        case .ended(.finished): (.finished, nil)
        case .ended(.stopped(.cancelled)): (.cancelled, nil)
        case .ended(.failed): (.failed, nil)
        case .ended(.stopped(.suspended)): (furthestState, .queued)
        }
    }

    /// Why the download waits, for people; `nil` if it does not wait.
    var reason: String? {
        switch state {
        case .createdPaused(let who), .pausing(let who), .paused(let who): "paused by \(who)"
        case .waitingForPrerequisites: "waiting for \(prerequisiteList)"
        case .queued: "waiting for a free slot"
        case .waitingToRetry(let error): error.message
        case .waitingForNetwork: "waiting for the network"
        case .created, .connecting, .transferring, .unpacking, .committing, .resuming, .stopping, .ended: nil
        }
    }

    /// The error that the download failed with.
    var error: ErrorReport? {
        if case .ended(.failed(let error)) = state { error } else { nil }
    }

    /// Whether the archive is being fetched.
    var isFetching: Bool {
        switch state {
        case .connecting, .transferring: true
        default: false
        }
    }

    /// Whether the server has not answered yet.
    var isConnecting: Bool {
        if case .connecting = state { true } else { false }
    }

    /// Whether pause was ordered and not taken back by resume or a stop.
    var isPaused: Bool {
        switch state {
        case .createdPaused, .pausing, .paused: true
        default: false
        }
    }

    /// Whether an order to pause would be accepted, or was.
    var canPause: Bool {
        switch state {
        case .unpacking, .committing, .stopping, .ended: false
        default: true
        }
    }

    /// Whether a step of a paused download has not stopped yet.
    var isPausing: Bool {
        if case .pausing = state { true } else { false }
    }

    /// Whether the running step has to stop.
    var mustInterrupt: Bool {
        switch state {
        case .pausing, .resuming, .stopping: true
        default: false
        }
    }

    /// Whether the download was cancelled, though it may not have ended yet.
    var isCancelled: Bool {
        switch state {
        case .stopping(.cancelled), .ended(.stopped(.cancelled)): true
        default: false
        }
    }

    /// Whether the download has ended.
    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// Whether nothing happens without an order, or before another download ends.
    var isIdle: Bool {
        switch state {
        case .createdPaused, .waitingForPrerequisites, .pausing, .paused: true
        default: false
        }
    }

    /// What the download waits for, if it waits.
    var pendingEvent: PendingEvent {
        switch state {
        case .connecting, .transferring, .waitingToRetry: .time
        case .queued: .slot
        case .waitingForPrerequisites: .otherDownloads
        case .waitingForNetwork: .network
        case .paused: .order
        case .created, .createdPaused, .unpacking, .committing, .pausing, .resuming, .stopping, .ended: .none
        }
    }
}

/// What a download waits for that does no work itself.
enum PendingEvent {
    /// Nothing: it works, or is about to.
    case none
    /// The clock: the next attempt, or bytes that a transfer waits for.
    case time
    /// A slot of the semaphore.
    case slot
    /// A host that can be reached.
    case network
    /// The end of other downloads.
    case otherDownloads
    /// An order to resume.
    case order
}
