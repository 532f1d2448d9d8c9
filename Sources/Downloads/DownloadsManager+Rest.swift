/// Whether anything is about to happen by itself. For those who move the clock: it may stand still until then.
extension DownloadsManager {
    /// Whether no task does anything before time passes, or somebody asks for something.
    ///
    /// - Parameter waits: whether a wait of a product's task is under way on the clock: until it tries again, or until
    ///   the bytes come that a transfer waits for; or one of that name, of nobody's.
    public func isAtRest(_ waits: @Sendable (_ who: String) -> Bool) -> Bool {
        bringingBack == nil && changes.isEmpty && network.isAtRest(waits)
            && tasks.allSatisfy { identifier, task in
                switch task.rest {
                case .none: false
                case .clock: waits(identifier)
                case .turn: turnstile.isWaiting(task.number)
                case .network: network.isWaiting(task.number)
                case .others: tasks.values.contains { $0.request.operation == awaited[identifier] }
                case .somebody: true
                }
            }
    }
}

extension DownloadTask {
    /// What a task waits for that does nothing itself.
    enum Rest {
        /// It works, or is about to.
        case none
        case clock
        /// Until others have left their places.
        case turn
        case network
        /// Until others have ended.
        case others
        /// To be let go on.
        case somebody
    }
}

extension DownloadStateMachine {
    /// What it waits for, if it has begun to.
    var rest: DownloadTask.Rest {
        switch state {
        case .connecting, .transferring, .waitingToRetry: .clock
        case .queued: .turn
        case .waitingForPrerequisites: .others
        case .waitingForNetwork: .network
        case .paused: .somebody
        case .created, .unpacking, .saving, .pausing, .resuming, .stopping, .ended: .none
        }
    }
}
