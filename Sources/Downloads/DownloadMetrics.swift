public import StoreModel

/// The counts of running, ended and failed downloads and of cached archives, for the daemon's metrics.
public struct DownloadMetrics: Sendable {
    /// The number of running downloads in each state, such as downloading.
    public internal(set) var states: [DownloadState: Int] = [:]
    /// The number of running downloads with each activity, such as fetching or unpacking.
    public internal(set) var activities: [DownloadActivity: Int] = [:]
    /// The number of downloads that have ended since the daemon's start, by their final state.
    public internal(set) var ends: [DownloadState: Int] = [:]
    /// The number of downloads that have failed since the daemon's start, by error code.
    public internal(set) var errors: [ErrorCode: Int] = [:]
    /// The number and the total size in bytes of the archives in the cache of downloaded archives.
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
