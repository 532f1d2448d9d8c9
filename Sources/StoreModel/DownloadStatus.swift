public import FoundationEssentials

/// The six public states of a download. The last three are its ends; a task reaches exactly one of them.
public enum DownloadState: String, Sendable, Codable, CaseIterable {
    /// The task is making the connection it needs, or waits for its turn.
    case initializing = "Initializing"
    /// Connected; bytes are coming.
    case downloading = "Downloading"
    /// All bytes are here; unzip and save are still to do.
    case downloaded = "Downloaded"
    case finished = "Finished"
    /// Stopped by order from outside, which is not to have failed.
    case cancelled = "Cancelled"
    case failed = "Failed"

    public var isEnd: Bool { self == .finished || self == .cancelled || self == .failed }
}

/// What a download is busy with: the detail beside its state.
public enum DownloadActivity: String, Sendable, Codable, CaseIterable {
    case queued, connecting, transferring, paused, waiting, verifying, unpacking, saving
}

/// A download as it stands. Every value is absolute: the newest one makes all before it unnecessary.
public struct DownloadStatus: Sendable, Hashable, Codable {
    public var operation: OperationID
    public var action: OperationAction
    public var productIdentifier: String
    /// What the product is; `nil` where only the history still tells of the download.
    @OrNull public var kind: ProductKind?
    public var store: String
    public var state: DownloadState
    /// `nil` once it has ended.
    @OrNull public var activity: DownloadActivity?
    /// Why it waits, or who paused it.
    @OrNull public var reason: String?
    /// When it goes on by itself; `nil` where it does not wait, or nobody can tell.
    @OrNull public var retryAt: Date?
    /// The transfers so far, counted from 1 and only growing: one more after each that failed or was paused. Of how many
    /// may fail in a row see `downloads.attempts`: those that brought bytes are not counted there.
    public var attempt: Int
    /// Among those that wait for their turn the higher comes first.
    public var priority: Int
    public var bytesReceived: Int
    /// `nil` where unknown.
    @OrNull public var bytesExpected: Int?
    /// From 0 to 1; `nil` where unknown.
    @OrNull public var fraction: Double?
    /// Bytes in a second, smoothed over a few; `nil` where none come, or too few came yet.
    @OrNull public var rate: Int?
    /// Until all bytes are here, at this rate, rounded up; `nil` where unknown.
    @OrNull public var secondsLeft: Int?
    /// Where the bytes come from now, without what may be secret; `nil` where none come.
    @OrNull public var source: String?
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

    /// Sets how far it has come; the fraction follows.
    public mutating func setProgress(received: Int, expected: Int?) {
        bytesReceived = received
        bytesExpected = expected
        fraction = Self.fraction(of: received, in: expected)
    }

    /// Sets how fast it comes along, in bytes a second; the time left follows.
    public mutating func setRate(_ bytesPerSecond: Double?) {
        rate = bytesPerSecond.map { Int($0.rounded()) }
        secondsLeft = nil
        guard let bytesPerSecond, let bytesExpected, bytesExpected >= bytesReceived else { return }
        let seconds = (Double(bytesExpected - bytesReceived) / bytesPerSecond).rounded(.up)
        // One that has all but come to a halt takes longer than anybody can tell.
        if seconds.isFinite, seconds < 1e9 { secondsLeft = Int(seconds) }
    }

    private static func fraction(of received: Int, in expected: Int?) -> Double? {
        guard let expected else { return nil }
        return expected == 0 ? 1 : min(1, Double(received) / Double(expected))
    }
}

extension DownloadStatus {
    /// The end of the operation; `nil` while it runs.
    public var end: OperationEnd? {
        switch state {
        case .finished: .finished
        case .cancelled: .cancelled
        case .failed: .failed
        case .initializing, .downloading, .downloaded: nil
        }
    }

    /// Makes it the status that an operation, of which only the history knows the end, had in the end.
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
