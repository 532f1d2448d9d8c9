public import FoundationEssentials

/// The state of a download as clients see it; every download ends as `finished`, `cancelled` or `failed`.
public enum DownloadState: String, Sendable, Codable, CaseIterable {
    /// The download is queued, or is connecting to the server.
    case initializing = "Initializing"
    /// The download receives the bytes of the product's archive.
    case downloading = "Downloading"
    /// All bytes of the download were received; unpacking and moving the pack to its final place are pending.
    case downloaded = "Downloaded"
    /// The download has ended with success: the product is unpacked and installed.
    case finished = "Finished"
    /// The download was ended by a user's or client's request, which is not a failure.
    case cancelled = "Cancelled"
    /// A step of the download failed, so the download has ended.
    case failed = "Failed"

    /// Whether this is a state in which a download has ended: `finished`, `cancelled` or `failed`.
    public var isEnd: Bool { self == .finished || self == .cancelled || self == .failed }
}

/// What a download is doing at the moment, such as connecting or unpacking, in more detail than its state.
public enum DownloadActivity: String, Sendable, Codable, CaseIterable {
    case queued, connecting, transferring, paused, waiting, verifying, unpacking, saving
}

/// Why a download waits or is paused, as a stable word for programs.
public enum DownloadReason: String, Sendable, Codable, CaseIterable {
    /// The download is paused until an order resumes it.
    case paused
    /// The download waits until the products that its product needs are installed.
    case prerequisites
    /// The download waits for one of the slots that limit how many downloads run at once.
    case slot
    /// The download waits before its next attempt, because the last one failed.
    case retry
    /// The download waits for the network.
    case network
}

/// A snapshot of one product's download: its state, progress and error, in absolute values.
///
/// A newer status replaces all earlier ones.
public struct DownloadStatus: Sendable, Hashable, Codable {
    /// The identifier of the operation (an install, update or repair) that the download is part of.
    public var operation: OperationID
    public var action: OperationAction
    public var productIdentifier: String
    /// The kind of the downloaded product, such as sticker pack.
    ///
    /// `nil` for an ended download of which only the record in the history of operations is left.
    @OrNull public var kind: ProductKind?
    public var store: String
    public var state: DownloadState
    /// The download's activity, in more detail than its state; `nil` after the download has ended.
    @OrNull public var activity: DownloadActivity?
    /// Text for display that says why the download waits, or who paused it; `nil` if it neither waits nor is paused.
    @OrNull public var reason: String?
    /// Why the download waits or is paused, for programs; the daemon sends `nil` exactly if ``reason`` is.
    @OrNull public var reasonCode: DownloadReason?
    /// When a waiting download continues by itself; `nil` if it does not wait, or if the time is unknown.
    @OrNull public var retryAt: Date?
    /// The number of the current attempt to fetch the archive, counted from 1: one more after each attempt that failed.
    ///
    /// A pause is no failure. The setting `downloads.attempts`, the limit of failures in a row, does not count attempts
    /// that received bytes or could not reach the server.
    public var attempt: Int
    /// The priority of the download; of the queued downloads, those with a greater priority start first.
    public var priority: Int
    /// The number of bytes of the product's archive that the download has received.
    public var bytesReceived: Int
    /// The total number of bytes that the download has to receive; `nil` if unknown.
    @OrNull public var bytesExpected: Int?
    /// The fraction of the download's bytes that was received, from 0 to 1; `nil` if unknown.
    @OrNull public var fraction: Double?
    /// The download's transfer rate in bytes per second, smoothed over a few seconds; `nil` if nothing is transferred.
    @OrNull public var rate: Int?
    /// The estimated seconds until the download has received all bytes, rounded up; `nil` if unknown.
    @OrNull public var secondsLeft: Int?
    /// The URL that the download reads from at present, without user, password, query and fragment; `nil` if none.
    @OrNull public var source: String?
    /// The error that the download failed with; `nil` if it did not fail.
    @OrNull public var error: ErrorReport?

    public init(
        operation: OperationID, action: OperationAction, productIdentifier: String, kind: ProductKind? = nil,
        store: String, state: DownloadState = .initializing, activity: DownloadActivity? = .queued,
        reason: String? = nil, reasonCode: DownloadReason? = nil, attempt: Int = 1, priority: Int = 0,
        bytesReceived: Int = 0,
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
        self.reasonCode = reasonCode
        self.attempt = attempt
        self.priority = priority
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
        self.error = error
        fraction = Self.fraction(of: bytesReceived, in: bytesExpected)
    }

    /// Sets the download's bytes received and expected, in bytes, and computes the fraction from them.
    public mutating func setProgress(received: Int, expected: Int?) {
        bytesReceived = received
        bytesExpected = expected
        fraction = Self.fraction(of: received, in: expected)
    }

    /// Sets the download's rate in bytes per second, and computes the seconds left from it; `nil` sets both to `nil`.
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
    /// How the operation that the download belongs to has ended; `nil` while the download runs.
    public var end: OperationEnd? {
        switch state {
        case .finished: .finished
        case .cancelled: .cancelled
        case .failed: .failed
        case .initializing, .downloading, .downloaded: nil
        }
    }

    /// Sets state and error to those of an ended operation.
    ///
    /// It is used for a download of which only the record in the history of operations is left.
    public mutating func end(as end: OperationEnd, error: ErrorReport?) {
        activity = nil
        (reason, reasonCode) = (nil, nil)
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
