import Synchronization

/// How many bytes a second the transfers of an engine may bring. Limits of a body, not of what TLS and HTTP add to it.
public struct BandwidthLimits: Sendable, Hashable {
    /// For all together, in bytes a second; `nil` is without limit.
    public var total: Int?
    /// What each class of transfers (``TransferRequest/bandwidthClass``) gets of ``total``, in percent. What is not used
    /// by one is divided among the others, in proportion; a class that is not named shares what is left of 100, and at
    /// least one in a hundred.
    public var shares: [String: Int]

    public init(total: Int? = nil, shares: [String: Int] = [:]) {
        self.total = total
        self.shares = shares
    }
}

/// How many bytes of one download may come in a second. It can be changed while the download runs
/// (``TransferEngine/setRate(_:of:)``), and is kept to by all its connections together.
public final class TransferRate: Sendable {
    /// 0 is without limit.
    private let value: Atomic<Int>

    /// - Parameter bytesPerSecond: at least 1; `nil` is without limit.
    public init(_ bytesPerSecond: Int? = nil) { value = Atomic(Self.value(of: bytesPerSecond)) }

    public var bytesPerSecond: Int? {
        let value = self.value.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }

    /// What runs takes it when the one that brings the bytes is told (``Transferring/setRate(_:of:)``).
    public func set(_ bytesPerSecond: Int?) { value.store(Self.value(of: bytesPerSecond), ordering: .relaxed) }

    private static func value(of bytesPerSecond: Int?) -> Int { bytesPerSecond.map { max(1, $0) } ?? 0 }
}

/// Says when bytes may come. A value without a clock: it is told the time with each question.
struct Pacer {
    typealias Instant = ContinuousClock.Instant

    /// Fills with bytes that may come, at a steady rate. What comes may be more than is in it, and is then waited for
    /// afterwards: pieces have the size that libcurl gives them.
    private struct Bucket {
        var rate: Double
        private var level = 0.0
        private var filledAt: Instant

        /// So much may come at once after a silence.
        private var capacity: Double { rate * 0.05 }

        init(rate: Double, at now: Instant) {
            self.rate = rate
            filledAt = now
        }

        mutating func wait(at now: Instant) -> Duration? {
            level = min(capacity, level + rate * (now - filledAt).timeInterval)
            filledAt = now
            return level >= 0 ? nil : .seconds(-level / rate)
        }

        mutating func take(_ count: Int) { level -= Double(count) }
    }

    private var limits = BandwidthLimits()
    /// How many transfers of each class run.
    private var running: [String: Int] = [:]
    private var classes: [String: Bucket] = [:]
    private struct Single {
        /// How many share it.
        var transfers = 0
        /// `nil` is without limit.
        var bucket: Bucket?
    }
    private var single: [Int: Single] = [:]

    /// New limits, for what runs too.
    mutating func set(_ limits: BandwidthLimits, at now: Instant) {
        self.limits = limits
        classes = [:]
        share(at: now)
    }

    /// A transfer begins.
    ///
    /// - Parameters:
    ///   - id: the same for transfers of parts of one file.
    ///   - name: of its class; the empty name is that of all that have none.
    ///   - rate: a limit of its own, in bytes a second.
    mutating func began(_ id: Int, of name: String, rate: Int?, at now: Instant) {
        running[name, default: 0] += 1
        single[id, default: Single()].transfers += 1
        setRate(rate, of: id, at: now)
        share(at: now)
    }

    /// A new limit for one that runs, or the one that it has.
    mutating func setRate(_ rate: Int?, of id: Int, at now: Instant) {
        guard let single = single[id], single.bucket != nil || rate != nil else { return }
        let wanted = rate.map { Double(max(1, $0)) }
        // What is owed at the old rate is owed at the new one.
        if single.bucket != nil, let wanted {
            self.single[id]?.bucket?.rate = wanted
        } else {
            self.single[id]?.bucket = wanted.map { Bucket(rate: $0, at: now) }
        }
    }

    mutating func ended(_ id: Int, of name: String, at now: Instant) {
        single[id]?.transfers -= 1
        if single[id]?.transfers == 0 { single[id] = nil }
        running[name, default: 1] -= 1
        if running[name] == 0 {
            running[name] = nil
            classes[name] = nil
        }
        share(at: now)
    }

    /// Whether bytes of a transfer may come now; else how long to wait.
    mutating func wait(_ id: Int, of name: String, at now: Instant) -> Duration? {
        let waits = [single[id]?.bucket?.wait(at: now), classes[name]?.wait(at: now)].compactMap { $0 }
        return waits.max()
    }

    /// Bytes came that were waited for.
    mutating func received(_ id: Int, of name: String, _ count: Int) {
        single[id]?.bucket?.take(count)
        classes[name]?.take(count)
    }

    private mutating func share(at now: Instant) {
        guard let total = limits.total else {
            classes = [:]
            return
        }
        let named = limits.shares.values.reduce(0, +)
        func weight(_ name: String) -> Double { Double(limits.shares[name] ?? max(1, 100 - named)) }
        let sum = running.keys.reduce(0) { $0 + weight($1) }
        for name in running.keys {
            let rate = max(1, Double(total) * weight(name) / max(sum, 1))
            if classes[name] == nil { classes[name] = Bucket(rate: rate, at: now) }
            classes[name]?.rate = rate
        }
    }
}
