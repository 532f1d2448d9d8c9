import StoreSystem

/// A meter of throughput, smoothed exponentially over a few seconds, so that the value is readable and survives a
/// stall.
///
/// The caller passes times, in seconds from any epoch.
public struct RateMeter: Sendable {
    /// The time constant of the smoothing in seconds: after it, a change of the throughput shows to about two thirds.
    private static let smoothing = 3.0
    /// Reports that follow each other faster than this, in seconds, are merged into the next one: they measure packets,
    /// not throughput.
    private static let shortest = 0.1

    /// A gap between reports that is longer than this, in seconds, counts as a time without bytes.
    private static let silence = 1.0

    private var last: (bytes: Int, time: Double)?
    /// The throughput in bytes per second at the last report; `nil` before there are two reports.
    public private(set) var rate: Double?

    /// Creates a meter without reports.
    public init() {}

    /// Records the total number of bytes that were there at `time`.
    ///
    /// A smaller number than before resets the meter. A number that follows the last one within 0.1 s is ignored.
    public mutating func add(bytes: Int, at time: Double) {
        guard let last, bytes >= last.bytes else {
            self.last = (bytes, time)
            rate = nil
            return
        }
        let passed = time - last.time
        guard passed >= Self.shortest else { return }
        let now = Double(bytes - last.bytes) / passed
        if let rate {
            self.rate = rate + (now - rate) * (1 - exponential(-passed / Self.smoothing))
        } else {
            rate = now
        }
        self.last = (bytes, time)
    }

    /// Returns the throughput at `time` in bytes per second; `nil` before the second report.
    ///
    /// It decays when there has been no report for more than a second.
    public func rate(at time: Double) -> Double? {
        guard let rate, let last else { return nil }
        return rate * exponential(-max(0, time - last.time - Self.silence) / Self.smoothing)
    }
}
