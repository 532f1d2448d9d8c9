public import FoundationEssentials

/// The public states of a download; a task ends in exactly one of the last three.
public enum DownloadState: String, Sendable, Codable, CaseIterable {
    /// The task is queued or connecting.
    case initializing = "Initializing"
    /// The transfer runs, and bytes are being received.
    case downloading = "Downloading"
    /// All bytes were received; unpacking and committing are pending.
    case downloaded = "Downloaded"
    /// All steps of the download succeeded, and the pack is installed.
    case finished = "Finished"
    /// Cancelled by a request, which is not a failure.
    case cancelled = "Cancelled"
    /// A step of the download failed.
    case failed = "Failed"

    /// Whether the state is final.
    public var isEnd: Bool { self == .finished || self == .cancelled || self == .failed }
}

/// What a download is doing at the moment, in more detail than its state.
public enum DownloadActivity: String, Sendable, Codable, CaseIterable {
    case queued, connecting, transferring, paused, waiting, verifying, unpacking, saving
}

/// The current status of a download, in absolute values: a newer status replaces all earlier ones.
public struct DownloadStatus: Sendable, Hashable, Codable {
    /// The operation that the download belongs to.
    public var operation: OperationID
    public var action: OperationAction
    public var productIdentifier: String
    /// The kind of the product; `nil` for an ended download of which only the record in the history is left.
    @OrNull public var kind: ProductKind?
    public var store: String
    public var state: DownloadState
    /// What the download is doing; `nil` after its end.
    @OrNull public var activity: DownloadActivity?
    /// Why the download waits, or who paused it.
    @OrNull public var reason: String?
    /// When a waiting download continues by itself; `nil` if it does not wait, or if the time is unknown.
    @OrNull public var retryAt: Date?
    /// The number of the current transfer, counted from 1; it increases after each transfer that failed or was paused.
    ///
    /// The setting `downloads.attempts`, the limit of failures in a row, does not count transfers that received bytes.
    public var attempt: Int
    /// The priority of the download; of the queued downloads, those with a greater priority start first.
    public var priority: Int
    /// The number of bytes received.
    public var bytesReceived: Int
    /// The total number of bytes to download; `nil` if unknown.
    @OrNull public var bytesExpected: Int?
    /// The fraction completed, from 0 to 1; `nil` if unknown.
    @OrNull public var fraction: Double?
    /// The transfer rate in bytes per second, smoothed over a few seconds; `nil` if nothing is being transferred.
    @OrNull public var rate: Int?
    /// The seconds until all bytes are received at the current rate, rounded up; `nil` if unknown.
    @OrNull public var secondsLeft: Int?
    /// The address of the current transfer, without secrets; `nil` if there is none.
    @OrNull public var source: String?
    /// Why the download failed, or `nil`.
    @OrNull public var error: ErrorReport?

    public init(
        operation: OperationID, action: OperationAction, productIdentifier: String, kind: ProductKind? = nil,
        store: String, state: DownloadState = .initializing, activity: DownloadActivity? = .queued,
        reason: String? = nil, attempt: Int = 1, priority: Int = 0, bytesReceived: Int = 0,
        bytesExpected: Int? = nil, error: ErrorReport? = nil
    ) {
        self.operation = operation
        self.action = action
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.store = store
        self.state = state
        self.activity = activity
        self.reason = reason
        self.attempt = attempt
        self.priority = priority
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
        self.error = error
        fraction = Self.fraction(of: bytesReceived, in: bytesExpected)
    }

    /// Sets the number of bytes received and expected, and the fraction that follows from them.
    public mutating func setProgress(received: Int, expected: Int?) {
        bytesReceived = received
        bytesExpected = expected
        fraction = Self.fraction(of: received, in: expected)
    }

    /// Sets the transfer rate in bytes per second, and the time left that follows from it.
    public mutating func setRate(_ bytesPerSecond: Double?) {
        rate = bytesPerSecond.map { Int($0.rounded()) }
        secondsLeft = nil
        guard let bytesPerSecond, let bytesExpected, bytesExpected >= bytesReceived else { return }
        let seconds = (Double(bytesExpected - bytesReceived) / bytesPerSecond).rounded(.up)
        // For a transfer that almost stalled the estimate is meaningless.
        if seconds.isFinite, seconds < 1e9 { secondsLeft = Int(seconds) }
    }

    private static func fraction(of received: Int, in expected: Int?) -> Double? {
        guard let expected else { return nil }
        return expected == 0 ? 1 : min(1, Double(received) / Double(expected))
    }
}

extension DownloadStatus {
    /// How the operation ended; `nil` while it runs.
    public var end: OperationEnd? {
        switch state {
        case .finished: .finished
        case .cancelled: .cancelled
        case .failed: .failed
        case .initializing, .downloading, .downloaded: nil
        }
    }

    /// Sets state and error to those of an ended operation, for downloads of which only the history's record is left.
    public mutating func end(as end: OperationEnd, error: ErrorReport?) {
        activity = nil
        reason = nil
        self.error = error
        switch end {
        case .finished:
            state = .finished
            setProgress(received: bytesExpected ?? bytesReceived, expected: bytesExpected)
        case .cancelled: state = .cancelled
        case .failed: state = .failed
        }
    }
}
