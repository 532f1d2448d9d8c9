import StoreSystem

/// A meter of throughput in bytes per second, smoothed exponentially over a few seconds.
///
/// The smoothing makes the value readable, and lets it survive a stall.
///
/// The caller passes times, in seconds from any epoch.
public struct RateMeter: Sendable {
    /// The time constant of the throughput's smoothing, in seconds.
    ///
    /// After this time, a change of the throughput shows to about two thirds.
    private static let smoothing = 3.0
    /// The shortest time between two reports, in seconds, from which the throughput is computed.
    ///
    /// Reports that follow each other faster are merged into the next one: they measure packets, not throughput.
    private static let shortest = 0.1

    /// The longest time between two reports, in seconds, after which the throughput decays: no bytes have arrived.
    private static let silence = 1.0

    private var last: (bytes: Int, time: Double)?
    /// The throughput in bytes per second at the last report; `nil` before there are two reports.
    public private(set) var rate: Double?

    /// Creates a meter of throughput that has received no reports yet.
    public init() {}

    /// Records the total number of bytes that had been received at `time`, in seconds.
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
