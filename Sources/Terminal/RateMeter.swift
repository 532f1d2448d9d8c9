import Glibc

/// How fast bytes come, smoothed over a few seconds, so that the figure can be read and a short stall is not shown as
/// an end. Time comes from outside, in seconds from any start.
package struct RateMeter {
    /// After this many seconds a change of speed shows to two thirds.
    private static let smoothing = 3.0
    /// Two reports closer than this are taken for one: what lies between them says more about the network's
    /// packets than about its speed.
    private static let shortest = 0.1

    private var last: (bytes: Int, time: Double)?
    /// Bytes in a second; `nil` until two reports have come.
    package private(set) var rate: Double?

    /// Takes the number of bytes that were there at `time`. Fewer than before is a new beginning.
    package mutating func add(bytes: Int, at time: Double) {
        guard let last, bytes >= last.bytes else {
            self.last = (bytes, time)
            rate = nil
            return
        }
        let passed = time - last.time
        guard passed >= Self.shortest else { return }
        let now = Double(bytes - last.bytes) / passed
        if let rate {
            self.rate = rate + (now - rate) * (1 - exp(-passed / Self.smoothing))
        } else {
            rate = now
        }
        self.last = (bytes, time)
    }

    /// Seconds until `remaining` bytes are here, where that can be told.
    package func timeLeft(remaining: Int) -> Double? {
        guard let rate, rate > 0 else { return nil }
        return Double(max(0, remaining)) / rate
    }
}
