import StoreModel

/// The part of the state machine with a download's public state and other derived properties.
extension DownloadStateMachine {
    /// The download's state for display, and what the download is busy with; no activity once it has ended.
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

    /// The reason for which the download waits or is paused, as text; `nil` if it does neither.
    var reason: String? {
        switch state {
        case .createdPaused(let who), .pausing(let who), .paused(let who):
            EnglishText.filled("paused by {who}", ["who": who])
        case .waitingForPrerequisites:
            EnglishText.filled("waiting for {prerequisites}", ["prerequisites": prerequisiteList])
        case .queued: EnglishText.filled("waiting for a free slot")
        case .waitingToRetry(let error): error.message
        case .waitingForNetwork: EnglishText.filled("waiting for the network")
        case .created, .connecting, .transferring, .unpacking, .committing, .resuming, .stopping, .ended: nil
        }
    }

    /// The reason for which the download waits or is paused, for programs; `nil` exactly if ``reason`` is.
    var reasonCode: DownloadReason? {
        switch state {
        case .createdPaused, .pausing, .paused: .paused
        case .waitingForPrerequisites: .prerequisites
        case .queued: .slot
        case .waitingToRetry: .retry
        case .waitingForNetwork: .network
        case .created, .connecting, .transferring, .unpacking, .committing, .resuming, .stopping, .ended: nil
        }
    }

    /// The error that the download failed with; `nil` if it has not failed.
    var error: ErrorReport? {
        if case .ended(.failed(let error)) = state { error } else { nil }
    }

    /// Whether the archive is being fetched: the download connects to a server or receives bytes.
    var isFetching: Bool {
        switch state {
        case .connecting, .transferring: true
        default: false
        }
    }

    /// Whether the download connects, and the server of its archive has not answered yet.
    var isConnecting: Bool {
        if case .connecting = state { true } else { false }
    }

    /// Whether the download is paused or about to be: pause was ordered, and no resume or stop since.
    var isPaused: Bool {
        switch state {
        case .createdPaused, .pausing, .paused: true
        default: false
        }
    }

    /// Whether an order to pause the download would be accepted now, or the download is paused already.
    var canPause: Bool {
        switch state {
        case .unpacking, .committing, .stopping, .ended: false
        default: true
        }
    }

    /// Whether a pause of the download was ordered and the running step has not stopped yet.
    var isPausing: Bool {
        if case .pausing = state { true } else { false }
    }

    /// Whether the download's running step has to stop because of a pause, a resume after it, or the download's end.
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

    /// Whether the download has ended or was suspended by a shutdown, so that no step follows.
    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// Whether the download does nothing before an order comes or another download ends.
    ///
    /// It is paused, or waits for the downloads of products that it needs.
    var isIdle: Bool {
        switch state {
        case .createdPaused, .waitingForPrerequisites, .pausing, .paused: true
        default: false
        }
    }

    /// The event that the download waits for; ``PendingEvent/none`` if it works.
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

/// The event that a download waits for, if it does no work itself.
enum PendingEvent {
    /// The download waits for no event: it works, or is about to.
    case none
    /// The download waits for time to pass: before the next attempt, or until a transfer receives bytes.
    case time
    /// The download waits for a free slot of the semaphore that limits the number of running downloads.
    case slot
    /// The download waits until a host of its archive can be reached.
    case network
    /// The download waits for the end of the downloads of products that must be installed before.
    case otherDownloads
    /// The download waits for an order to resume it.
    case order
}
