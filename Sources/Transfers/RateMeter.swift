import StoreSystem

/// How fast bytes come, smoothed over a few seconds, so that the figure can be read and a short stall is not shown as
/// an end. Time comes from outside, in seconds from any start.
public struct RateMeter: Sendable {
    /// After this many seconds a change of speed shows to two thirds.
    private static let smoothing = 3.0
    /// Two reports closer than this are taken for one: what lies between them says more about the network's
    /// packets than about its speed.
    private static let shortest = 0.1

    /// A silence this long is no longer that between two reports, and counts as one without bytes.
    private static let silence = 1.0

    private var last: (bytes: Int, time: Double)?
    /// Bytes in a second; `nil` until two reports have come.
    public private(set) var rate: Double?

    public init() {}

    /// Takes the number of bytes that were there at `time`. Fewer than before is a new beginning.
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

    /// Bytes in a second as it looks at `time`: where nothing was told for a while, fewer from moment to moment.
    public func rate(at time: Double) -> Double? {
        guard let rate, let last else { return nil }
        return rate * exponential(-max(0, time - last.time - Self.silence) / Self.smoothing)
    }
}
