/// A limiter of the rates of all running transfers by token buckets.
///
/// There is one bucket for each bandwidth class, and one for each download with a limit of its own.
///
/// A value without a clock: each question passes the current time.
struct RateLimiter {
    typealias Instant = ContinuousClock.Instant

    private var limits = BandwidthLimits()
    /// The number of running transfers by bandwidth class.
    private var running: [String: Int] = [:]
    private var classes: [String: TokenBucket] = [:]
    /// The number of running transfers by download; those of one download share its token bucket.
    private var transfers: [Int: Int] = [:]
    /// The token bucket of each download that has a rate limit of its own.
    private var buckets: [Int: TokenBucket] = [:]

    /// Sets new bandwidth limits, also for running transfers.
    mutating func set(_ limits: BandwidthLimits, at now: Instant) {
        self.limits = limits
        classes = [:]
        divide(at: now)
    }

    /// Records that a transfer begins, so that its rate is limited.
    ///
    /// - Parameters:
    ///   - id: the download's number; transfers of parts of one file have the same.
    ///   - name: the bandwidth class; transfers without a class have the empty name.
    ///   - rate: the download's own limit in bytes per second; `nil` is unlimited.
    mutating func transferDidBegin(_ id: Int, of name: String, rate: Int?, at now: Instant) {
        running[name, default: 0] += 1
        transfers[id, default: 0] += 1
        setRate(rate, of: id, at: now)
        divide(at: now)
    }

    /// Sets a running download's own rate limit in bytes per second; `nil` is unlimited.
    ///
    /// Does nothing where no transfer of the download is running.
    mutating func setRate(_ rate: Int?, of id: Int, at now: Instant) {
        let bucket = buckets[id]
        guard bucket != nil || rate != nil, transfers[id] != nil else { return }
        let newRate = rate.map { Double(max(1, $0)) }
        // A negative level must survive the change of the rate.
        if bucket != nil, let newRate {
            buckets[id]?.rate = newRate
        } else {
            buckets[id] = newRate.map { TokenBucket(rate: $0, at: now) }
        }
    }

    /// Records that a transfer, whose rate was limited, ended.
    ///
    /// - Parameters:
    ///   - id: the download's number.
    ///   - name: the bandwidth class that the transfer began with.
    mutating func transferDidEnd(_ id: Int, of name: String, at now: Instant) {
        transfers[id, default: 1] -= 1
        if transfers[id] == 0 { (transfers[id], buckets[id]) = (nil, nil) }
        running[name, default: 1] -= 1
        if running[name] == 0 {
            running[name] = nil
            classes[name] = nil
        }
        divide(at: now)
    }

    /// Returns how long a transfer has to wait before it receives more bytes; `nil` where it may receive now.
    mutating func wait(_ id: Int, of name: String, at now: Instant) -> Duration? {
        if hasNoLimits { return nil }
        let waits = [buckets[id]?.wait(at: now), classes[name]?.wait(at: now)].compactMap { $0 }
        return waits.max()
    }

    /// Records that a transfer received `count` bytes, which use up its rate limit.
    mutating func received(_ id: Int, of name: String, _ count: Int) {
        if hasNoLimits { return }
        buckets[id]?.take(count)
        classes[name]?.take(count)
    }

    /// Whether no transfer is limited, which is found out for each 16 KiB that arrive.
    private var hasNoLimits: Bool { buckets.isEmpty && classes.isEmpty }

    /// Divides the total bandwidth among the bandwidth classes that have running transfers.
    ///
    /// Without a total, no class is limited.
    private mutating func divide(at now: Instant) {
        guard let total = limits.total else {
            classes = [:]
            return
        }
        let listed = limits.shares.values.reduce(0, +)
        func weight(_ name: String) -> Double { Double(limits.shares[name] ?? max(1, 100 - listed)) }
        let sum = running.keys.reduce(0) { $0 + weight($1) }
        for name in running.keys {
            let rate = max(1, Double(total) * weight(name) / max(sum, 1))
            if classes[name] == nil { classes[name] = TokenBucket(rate: rate, at: now) }
            classes[name]?.rate = rate
        }
    }
}
