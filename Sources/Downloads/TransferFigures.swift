import FoundationEssentials
import StoreModel
import StoreTransfers

/// What is told of a download beside its state: how fast it is, where its bytes come from, when it goes on. A value;
/// times are seconds from any start.
struct TransferFigures: Sendable {
    /// The least time between two reports that differ in nothing but progress.
    private static let interval = 0.09

    private var meter = RateMeter()
    private var source: String?
    private var retryAt: Date?
    private var lastTold = -Double.infinity

    /// Takes what has happened.
    ///
    /// - Parameters:
    ///   - state: after it.
    ///   - action: what came of it.
    ///   - bytes: how many are here, where some came.
    ///   - source: where they came from; `nil` where none did.
    ///   - date: the time of day.
    mutating func follow(
        _ state: DownloadStateMachine.State, _ action: DownloadStateMachine.Action, bytes: Int?, source: String?,
        at now: Double, date: Date
    ) {
        switch state {
        case .transferring:
            self.source = source ?? self.source
            if let bytes { meter.add(bytes: bytes, at: now) }
        case .waitingToRetry where action == .nothing: break
        default:
            clear()
            guard case .wait(let duration) = action else { return }
            let (seconds, rest) = duration.components
            retryAt = date + (Double(seconds) + Double(rest) / 1e18)
        }
    }

    /// No bytes come any more, and nothing is waited for.
    mutating func clear() { (meter, source, retryAt) = (RateMeter(), nil, nil) }

    /// Puts the figures into a status.
    func tell(_ status: inout DownloadStatus, at now: Double) {
        status.source = source
        status.retryAt = retryAt
        status.setRate(source == nil ? nil : meter.rate(at: now))
    }

    /// Whether progress may be told again.
    func mayTell(at now: Double) -> Bool { now - lastTold >= Self.interval }

    mutating func told(at now: Double) { lastTold = now }
}
