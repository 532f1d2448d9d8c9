public import StoreModel

/// Counts of running, ended and failed downloads and of cached archives, for the daemon's metrics.
public struct DownloadMetrics: Sendable {
    /// The number of running downloads in each state.
    public internal(set) var states: [DownloadState: Int] = [:]
    /// The number of running downloads with each activity.
    public internal(set) var activities: [DownloadActivity: Int] = [:]
    /// The number of downloads that have ended since the daemon's start, by how they ended.
    public internal(set) var ends: [DownloadState: Int] = [:]
    /// The number of downloads that have failed since the daemon's start, by error code.
    public internal(set) var errors: [ErrorCode: Int] = [:]
    /// The number of archives in the archive cache, and their total size in bytes.
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
