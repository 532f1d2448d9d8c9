/// The state machine that splits the download of one file into ranges and decides which to request next.
///
/// A value without I/O and without a clock: each event passes the current time and returns the next actions.
///
/// A download begins as one transfer. Some servers and links limit the rate of each connection. Therefore, once the rate
/// has been measured, more connections are tried where the rest is large enough, and are kept only if all together are
/// faster than the single one. Ranges are assigned from the front of the file, so that hashing keeps up with receiving.
struct Segmentation: Sendable {
    typealias Instant = ContinuousClock.Instant

    struct Policy: Sendable {
        /// The maximum number of connections for the download of one file.
        var connections = 4
        /// The time for which the rate of a download's single connection is measured.
        var window = Duration.milliseconds(100)
        /// The time for which the rate of several connections for one file is measured before they are kept or dropped.
        var trial = Duration.milliseconds(300)
        /// The factor by which several connections for one file must be faster together than one, to be kept.
        var gain = 1.25
        /// The remaining time of a download, at the measured rate, beyond which more connections are tried.
        var worthwhile = Duration.milliseconds(800)
        /// The rate of a download, in bytes per second, from which on more connections are not tried.
        var fastEnough = 200_000_000.0
        /// The smallest and the largest size of a range, in bytes, into which the download of a file is split.
        var pieces = (1 << 20)...(64 << 20)
    }

    enum Action: Equatable, Sendable {
        /// Request the bytes of the file from `from` up to, but not including, `to`; without `to`, all that follow.
        ///
        /// The first value is the number of the new transfer.
        case request(Int, from: Int, to: Int?)
        /// End the transfer with this number, which has received its range though the server would send more.
        ///
        /// With HTTP/1.1 this closes the connection.
        case stop(Int)
    }

    private struct Transfer {
        /// The offset in the file of the transfer's next byte.
        var next: Int
        /// The offset of the end of the range that the transfer is to deliver; `nil` is the end of the file.
        var end: Int?
        /// The offset of the end of the range that was requested, where the server stops; `nil` is the end of the file.
        var asked: Int?
        let requestedAt: Instant
        var answeredAfter: Duration?
    }

    private enum Phase {
        /// A phase of a file's download: there is one connection, whose rate is measured.
        ///
        /// Ends in `received` when several connections are worth a try, or in `transferDidEnd` where the transfer
        /// failed.
        case single(since: Instant?, bytes: Int)
        /// A phase of a file's download: several connections are tried.
        ///
        /// Their rate is measured once all have responded.
        ///
        /// Ends in `received` after the measurement, or in `transferDidEnd` where one of them failed.
        case trial(rate: Double, since: Instant?, bytes: Int)
        /// The last phase of a file's download: the number of connections is final, and rates are no longer measured.
        case settled
    }

    /// The ranges of the file that have been received, including those that are not written yet.
    private(set) var present: ByteRanges
    /// The size of the complete file in bytes; `nil` where it is not known.
    private(set) var total: Int?
    private let policy: Policy
    private var transfers: [Int: Transfer] = [:]
    private var phase = Phase.single(since: nil, bytes: 0)
    /// The number of connections that the download may use from now on.
    private var allowed = 1
    private var isSplittable = false
    private var lastID = 0
    /// The measured rate of one of the download's connections, in bytes per second.
    private var rate = 0.0

    init(present: ByteRanges = ByteRanges(), total: Int? = nil, policy: Policy = Policy()) {
        self.present = present
        self.total = total
        self.policy = policy
    }

    var isComplete: Bool {
        guard let total else { return false }
        return total == 0 || present.end(ofRunAt: 0) >= total
    }

    // MARK: Events

    /// Begins the download of a file with a request for the first missing range.
    ///
    /// An empty file is requested as well, to learn that it exists. The result is `nil` only where all bytes of a file
    /// that is not empty are there.
    mutating func begin(at now: Instant) -> Action? {
        // An empty file is requested as well, to learn that it exists.
        assign(at: now) ?? (total == 0 ? request(from: 0, to: nil, at: now) : nil)
    }

    /// Records that the response of the transfer with the number `id` has begun.
    ///
    /// - Parameters:
    ///   - total: the size of the complete file in bytes; `nil` where the server does not declare it.
    ///   - isSplittable: whether the server supports ranges, and the assembled file can be verified.
    mutating func responseDidBegin(_ id: Int, total: Int?, isSplittable: Bool, at now: Instant) {
        guard let transfer = transfers[id] else { return }
        self.total = self.total ?? total
        self.isSplittable = isSplittable
        transfers[id]?.answeredAfter = now - transfer.requestedAt
        if case .trial(let rate, nil, _) = phase, transfers.values.allSatisfy({ $0.answeredAfter != nil }) {
            phase = .trial(rate: rate, since: now, bytes: 0)
        }
    }

    /// Records that a transfer delivers the complete file from its first byte instead of the requested range.
    ///
    /// - Parameter total: the size that the file must have; `nil` where it is not known: that of the response counts then.
    mutating func didRestart(_ id: Int, total: Int?) {
        present = ByteRanges()
        self.total = total
        transfers[id]?.next = 0
        transfers[id]?.end = nil
        transfers[id]?.asked = nil
    }

    /// Returns the number of bytes of the file that a transfer may still deliver.
    ///
    /// `nil` is unlimited, as where the file's size is unknown.
    func room(_ id: Int) -> Int? {
        guard let transfer = transfers[id], let end = transfer.end ?? total else { return nil }
        return max(0, end - transfer.next)
    }

    /// Returns the offset in the file of the next byte of a transfer; 0 for a transfer that is not running.
    func position(_ id: Int) -> Int { transfers[id]?.next ?? 0 }

    /// Records `count` bytes that a transfer received, at most ``room(_:)``, and returns what to do next.
    mutating func received(_ id: Int, _ count: Int, at now: Instant) -> [Action] {
        guard var transfer = transfers[id] else { return [] }
        let next = transfer.next + count
        present.insert(transfer.next..<next)
        transfer.next = next
        // Faster than a change in place, which allocates memory for each 16 KiB that arrive.
        transfers[id] = transfer
        // At the end of the requested range the server stops by itself, and the connection can be used again.
        if let end = transfer.end, next >= end, end < transfer.asked ?? total ?? Int.max { return [.stop(id)] }
        return measure(count, at: now)
    }

    /// Records the end of one of the download's transfers, and returns the request that takes its place, if any.
    ///
    /// - Parameter failed: whether the transfer ended before it had delivered its range.
    mutating func transferDidEnd(_ id: Int, failed: Bool, at now: Instant) -> [Action] {
        guard let transfer = transfers.removeValue(forKey: id) else { return [] }
        if !failed, transfer.end == nil, total == nil { total = transfer.next }
        if failed {
            // The server may reject so many connections: use no more than are still running.
            allowed = max(1, transfers.count)
            phase = .settled
            extend()
            return []
        }
        return fill(at: now)
    }

    /// Records the end of one of several transfers that was ended so that something else has its connection.
    ///
    /// The download goes on with the others, and tries as many connections as before when one of them ends; where only one is
    /// left of a trial, when its rate has been measured again. Returns a request only where no other transfer is left.
    mutating func connectionWasTaken(_ id: Int, at now: Instant) -> [Action] {
        guard transfers.removeValue(forKey: id) != nil else { return [] }
        if case .trial(let rate, _, _) = phase {
            if transfers.count > 1 {
                let haveAnswered = transfers.values.allSatisfy { $0.answeredAfter != nil }
                phase = .trial(rate: rate, since: haveAnswered ? now : nil, bytes: 0)
            } else {
                allowed = 1
                phase = .single(since: nil, bytes: 0)
                extend()
            }
        }
        return transfers.isEmpty ? fill(at: now) : []
    }

    /// Requests ranges until as many transfers are running as may be, or nothing is left to assign.
    private mutating func fill(at now: Instant) -> [Action] {
        var actions: [Action] = []
        while !isComplete, transfers.count < allowed, let next = assign(at: now) ?? steal(at: now) {
            actions.append(next)
        }
        return actions
    }

    // MARK: Measuring

    private mutating func measure(_ count: Int, at now: Instant) -> [Action] {
        switch phase {
        case .single(nil, _):
            phase = .single(since: now, bytes: 0)
        case .single(let since?, var bytes):
            bytes += count
            let time = now - since
            guard time >= policy.window else {
                phase = .single(since: since, bytes: bytes)
                return []
            }
            rate = Double(bytes) / time.timeInterval
            // Measured again from now on, because the rate may drop later.
            phase = .single(since: now, bytes: 0)
            return isWorthSplitting ? split(at: now) : []
        case .trial(let single, let since?, var bytes):
            bytes += count
            let time = now - since
            guard time >= policy.trial else {
                phase = .trial(rate: single, since: since, bytes: bytes)
                return []
            }
            phase = .settled
            let together = Double(bytes) / time.timeInterval
            if together < single * policy.gain {
                allowed = 1
                extend()
            } else {
                rate = together / Double(max(transfers.count, 1))
            }
        case .trial(_, nil, _), .settled: break
        }
        return []
    }

    private var isWorthSplitting: Bool {
        guard isSplittable, let total, policy.connections > 1, rate > 0, rate < policy.fastEnough else { return false }
        let rest = total - present.count
        return rest >= policy.connections * policy.pieces.lowerBound
            && Double(rest) / rate > policy.worthwhile.timeInterval
    }

    private mutating func split(at now: Instant) -> [Action] {
        guard let id = transfers.keys.first, let transfer = transfers[id] else { return [] }
        allowed = policy.connections
        phase = .trial(rate: rate, since: nil, bytes: 0)
        let end = min(transfer.end ?? Int.max, transfer.next + pieceSize)
        transfers[id]?.end = end
        return (1..<allowed).compactMap { _ in assign(at: now) }
    }

    // MARK: Assigning ranges

    /// The size in bytes of the next range of the file to assign to a transfer.
    ///
    /// It is large enough that latency does not matter, and small enough that all transfers end at about the same time.
    private var pieceSize: Int {
        let size = rate * max(0.25, 20 * latency)
        let share = ((total ?? 0) - present.count) / policy.connections
        return min(max(Int(min(size, Double(share))), policy.pieces.lowerBound), policy.pieces.upperBound)
    }

    /// The longest time in seconds from the request to the response of a running transfer; 0 before the first response.
    private var latency: Double { transfers.values.compactMap(\.answeredAfter).max()?.timeInterval ?? 0 }

    /// Requests the first bytes of the file that are neither received nor assigned to a transfer.
    ///
    /// `nil` where there are none.
    private mutating func assign(at now: Instant) -> Action? {
        var assigned = present
        for transfer in transfers.values {
            assigned.insert(transfer.next..<max(transfer.next, transfer.end ?? total ?? Int.max))
        }
        let gap = assigned.gap()
        if let total, gap.from >= total { return nil }
        var end = gap.to
        if allowed > 1 { end = min(end ?? Int.max, total ?? Int.max, gap.from + pieceSize) }
        return request(from: gap.from, to: end, at: now)
    }

    /// Extends the running transfers to the end of their requested ranges, or to the next assigned range.
    ///
    /// No other transfer will deliver the bytes in between sooner.
    private mutating func extend() {
        for (id, transfer) in transfers {
            guard let end = transfer.end else { continue }
            let others = transfers.filter { $0.key != id }.values.map(\.next) + present.ranges.map(\.lowerBound)
            let next = others.filter { $0 >= end }.min()
            transfers[id]?.end = [transfer.asked, next].compactMap { $0 }.min()
        }
    }

    /// Requests the second half of the range of which most is left; `nil` where the halves would be too small.
    ///
    /// A half must take twice as long as the response to its request, and as the connection that the other transfer loses.
    private mutating func steal(at now: Instant) -> Action? {
        func rest(_ transfer: Transfer) -> Int { (transfer.end ?? total ?? 0) - transfer.next }
        guard let (id, transfer) = transfers.max(by: { rest($0.value) < rest($1.value) }),
            rest(transfer) / 2 >= max(policy.pieces.lowerBound, Int(min(2 * rate * latency, Double(Int32.max))))
        else { return nil }
        let middle = transfer.next + rest(transfer) / 2
        transfers[id]?.end = middle
        return request(from: middle, to: transfer.end ?? total, at: now)
    }

    private mutating func request(from: Int, to: Int?, at now: Instant) -> Action {
        lastID += 1
        transfers[lastID] = Transfer(next: from, end: to, asked: to, requestedAt: now)
        return .request(lastID, from: from, to: to)
    }
}

extension Duration {
    var timeInterval: Double {
        let (seconds, rest) = components
        return Double(seconds) + Double(rest) / 1e18
    }
}
