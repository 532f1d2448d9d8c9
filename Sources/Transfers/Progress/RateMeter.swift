import StoreSystem

/// A throughput meter with exponential smoothing over a few seconds, so that the value is readable and survives a short
/// stall.
///
/// The caller passes times, in seconds from any epoch.
public struct RateMeter: Sendable {
    /// The time constant in seconds: after it, a change of the throughput shows to two thirds.
    private static let smoothing = 3.0
    /// Reports that follow each other faster than this, in seconds, are merged: they measure packets, not throughput.
    private static let shortest = 0.1

    /// A gap between reports that is longer than this, in seconds, counts as a time without bytes.
    private static let silence = 1.0

    private var last: (bytes: Int, time: Double)?
    /// The throughput in bytes per second at the last report; `nil` before the second report.
    public private(set) var rate: Double?

    /// Creates a meter without reports.
    public init() {}

    /// Records the number of bytes that were there at `time`.
    ///
    /// A smaller number than before resets the meter.
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

    /// Returns the throughput at `time` in bytes per second, which decays when there have been no reports for a while.
    public func rate(at time: Double) -> Double? {
        guard let rate, let last else { return nil }
        return rate * exponential(-max(0, time - last.time - Self.silence) / Self.smoothing)
    }
}
