/// A limiter of the rates of all running transfers by token buckets.
///
/// There is one bucket for each bandwidth class, and one for each download with a limit of its own.
///
/// A value without a clock: each question passes the current time.
struct RateLimiter {
    typealias Instant = ContinuousClock.Instant

    private struct Download {
        /// The number of the download's running transfers, which share its token bucket.
        var transfers = 0
        /// The token bucket of the download's own rate limit; `nil` is unlimited.
        var bucket: TokenBucket?
    }

    private var limits = BandwidthLimits()
    /// The number of running transfers by bandwidth class.
    private var running: [String: Int] = [:]
    private var classes: [String: TokenBucket] = [:]
    private var downloads: [Int: Download] = [:]

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
        downloads[id, default: Download()].transfers += 1
        setRate(rate, of: id, at: now)
        divide(at: now)
    }

    /// Sets a running download's own rate limit in bytes per second; `nil` is unlimited.
    ///
    /// Does nothing where no transfer of the download is running.
    mutating func setRate(_ rate: Int?, of id: Int, at now: Instant) {
        guard let download = downloads[id], download.bucket != nil || rate != nil else { return }
        let newRate = rate.map { Double(max(1, $0)) }
        // A negative level must survive the change of the rate.
        if download.bucket != nil, let newRate {
            downloads[id]?.bucket?.rate = newRate
        } else {
            downloads[id]?.bucket = newRate.map { TokenBucket(rate: $0, at: now) }
        }
    }

    /// Records that a transfer, whose rate was limited, ended.
    ///
    /// - Parameters:
    ///   - id: the download's number.
    ///   - name: the bandwidth class that the transfer began with.
    mutating func transferDidEnd(_ id: Int, of name: String, at now: Instant) {
        downloads[id]?.transfers -= 1
        if downloads[id]?.transfers == 0 { downloads[id] = nil }
        running[name, default: 1] -= 1
        if running[name] == 0 {
            running[name] = nil
            classes[name] = nil
        }
        divide(at: now)
    }

    /// Returns how long a transfer has to wait before it receives more bytes; `nil` where it may receive now.
    mutating func wait(_ id: Int, of name: String, at now: Instant) -> Duration? {
        let waits = [downloads[id]?.bucket?.wait(at: now), classes[name]?.wait(at: now)].compactMap { $0 }
        return waits.max()
    }

    /// Records that a transfer received `count` bytes, which use up its rate limit.
    mutating func received(_ id: Int, of name: String, _ count: Int) {
        downloads[id]?.bucket?.take(count)
        classes[name]?.take(count)
    }

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
