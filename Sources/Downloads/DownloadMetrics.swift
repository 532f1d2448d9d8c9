public import StoreModel

/// How much there is of everything about downloads: for metrics.
public struct DownloadMetrics: Sendable {
    /// Of the tasks that run, wait or are paused, how many are in each state.
    public internal(set) var states: [DownloadState: Int] = [:]
    /// And busy with what.
    public internal(set) var activities: [DownloadActivity: Int] = [:]
    /// How many have reached each end since the start.
    public internal(set) var ends: [DownloadState: Int] = [:]
    /// Of those that failed, why.
    public internal(set) var errors: [ErrorCode: Int] = [:]
    /// The archives that are kept, and their bytes.
    public internal(set) var keptArchives = (count: 0, size: 0)

    mutating func count(running status: DownloadStatus) {
        states[status.state, default: 0] += 1
        if let activity = status.activity { activities[activity, default: 0] += 1 }
    }

    mutating func count(ended status: DownloadStatus) {
        ends[status.state, default: 0] += 1
        if status.state == .failed, let error = status.error { errors[error.code, default: 0] += 1 }
    }
}
