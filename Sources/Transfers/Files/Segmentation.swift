/// Which parts of one file are here, which are on their way, and what to ask for next. A value: it is told what happened
/// and when, and says what to do; it neither reads a clock nor touches a byte.
///
/// A file begins as one transfer. Some servers, and some links, give a connection less than they have: after a look at
/// the rate more connections are tried, where the rest is long enough to be worth it. They are kept on only if all of
/// them together are faster than the one was. Pieces are handed out from the front of the file, so that what is hashed
/// keeps up with what has come.
struct Segmentation: Sendable {
    typealias Instant = ContinuousClock.Instant

    struct Policy: Sendable {
        /// Connections for one file at most.
        var connections = 4
        /// How long the rate of one connection is looked at.
        var window = Duration.milliseconds(100)
        /// How long the rate of several is looked at before they are kept on.
        var trial = Duration.milliseconds(300)
        /// By how much several must be faster than one.
        var gain = 1.25
        /// The time that the rest must take at the present rate for more connections to be tried.
        var worthwhile = Duration.milliseconds(800)
        /// Bytes a second from which on the server is not what takes the time.
        var fastEnough = 200_000_000.0
        /// In bytes.
        var pieces = (1 << 20)...(64 << 20)

        /// A file is never split.
        static let never = Policy(connections: 1)
    }

    enum Action: Equatable, Sendable {
        /// Ask for these bytes; without an end for all that follow.
        case request(Int, from: Int, to: Int?)
        /// All that this transfer is for is here, though more would come.
        case stop(Int)
    }

    private struct Transfer {
        /// The byte that comes next.
        var next: Int
        /// The byte before which it is to stop; `nil` is the end of the file.
        var end: Int?
        /// The byte before which the server stops.
        let asked: Int?
        let requestedAt: Instant
        var answeredAfter: Duration?
    }

    private enum Phase {
        /// One connection, whose rate is looked at. Left by `received` when several are worth a try.
        case single(since: Instant?, bytes: Int)
        /// Several are tried; they are looked at once all have answered. Left by `received` after the look, and by
        /// `ended` where one of them failed.
        case trial(rate: Double, since: Instant?, bytes: Int)
        /// It is known how many connections to use. Nothing leaves it.
        case settled
    }

    /// The bytes that came, those too that are not written yet.
    private(set) var here: ByteRanges
    /// Of the whole file; `nil` where nobody has said.
    private(set) var total: Int?
    private let policy: Policy
    private var transfers: [Int: Transfer] = [:]
    private var phase = Phase.single(since: nil, bytes: 0)
    /// How many connections are used now.
    private var allowed = 1
    private var isSplittable = false
    private var lastID = 0
    /// Bytes a second of one connection, as far as is known.
    private var rate = 0.0

    init(here: ByteRanges = ByteRanges(), total: Int? = nil, policy: Policy = Policy()) {
        self.here = here
        self.total = total
        self.policy = policy
    }

    var isComplete: Bool {
        guard let total else { return false }
        return total == 0 || here.end(ofRunAt: 0) >= total
    }

    /// No transfer runs.
    var isIdle: Bool { transfers.isEmpty }

    // MARK: Events

    /// Nothing runs yet: asks for what is missing first.
    mutating func begin(at now: Instant) -> Action? {
        // That an empty file is there has to be asked for, too.
        handOut(at: now) ?? (total == 0 ? request(from: 0, to: nil, at: now) : nil)
    }

    /// A transfer brings the bytes that it was asked for.
    ///
    /// - Parameters:
    ///   - total: of the whole file, as the server says.
    ///   - isSplittable: whether parts of the file can be asked for, and put together with proof.
    mutating func answered(_ id: Int, total: Int?, isSplittable: Bool, at now: Instant) {
        guard let transfer = transfers[id] else { return }
        self.total = self.total ?? total
        self.isSplittable = isSplittable
        transfers[id]?.answeredAfter = now - transfer.requestedAt
        if case .trial(let rate, nil, _) = phase, transfers.values.allSatisfy({ $0.answeredAfter != nil }) {
            phase = .trial(rate: rate, since: now, bytes: 0)
        }
    }

    /// A transfer brings the whole file from its first byte, whatever it was asked for.
    mutating func restarted(_ id: Int) {
        here = ByteRanges()
        transfers[id]?.next = 0
        transfers[id]?.end = nil
    }

    /// How many bytes a transfer may still bring; `nil` is any number.
    func room(_ id: Int) -> Int? {
        guard let transfer = transfers[id], let end = transfer.end ?? total else { return nil }
        return max(0, end - transfer.next)
    }

    /// Where the next byte of a transfer belongs.
    func position(_ id: Int) -> Int { transfers[id]?.next ?? 0 }

    /// Bytes came, no more than there was ``room(_:)`` for.
    mutating func received(_ id: Int, _ count: Int, at now: Instant) -> [Action] {
        guard let transfer = transfers[id] else { return [] }
        let next = transfer.next + count
        here.insert(transfer.next..<next)
        transfers[id]?.next = next
        // At the end of the file the server stops by itself, and the connection can be used again.
        if let end = transfer.end, next >= end, end != total { return [.stop(id)] }
        return look(count, at: now)
    }

    /// A transfer is over.
    ///
    /// - Parameter failed: whether it ended before it had brought what it was for.
    mutating func ended(_ id: Int, failed: Bool, at now: Instant) -> [Action] {
        guard let transfer = transfers.removeValue(forKey: id) else { return [] }
        if !failed, transfer.end == nil, total == nil { total = transfer.next }
        if failed {
            // The server may have had enough of so many: no more than still run.
            allowed = max(1, transfers.count)
            phase = .settled
            lengthen()
            return []
        }
        guard !isComplete, transfers.count < allowed else { return [] }
        return (handOut(at: now) ?? steal(at: now)).map { [$0] } ?? []
    }

    // MARK: Looking

    private mutating func look(_ count: Int, at now: Instant) -> [Action] {
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
            // From now on again: it may become slower later.
            phase = .single(since: now, bytes: 0)
            return isWorthMore ? split(at: now) : []
        case .trial(let single, let since?, var bytes):
            bytes += count
            let time = now - since
            guard time >= policy.trial else {
                phase = .trial(rate: single, since: since, bytes: bytes)
                return []
            }
            phase = .settled
            if Double(bytes) / time.timeInterval < single * policy.gain {
                allowed = 1
                lengthen()
            }
        case .trial(_, nil, _), .settled: break
        }
        return []
    }

    private var isWorthMore: Bool {
        guard isSplittable, let total, policy.connections > 1, rate > 0, rate < policy.fastEnough else { return false }
        let rest = total - here.count
        return rest >= policy.connections * policy.pieces.lowerBound
            && Double(rest) / rate > policy.worthwhile.timeInterval
    }

    private mutating func split(at now: Instant) -> [Action] {
        guard let id = transfers.keys.first, let transfer = transfers[id] else { return [] }
        allowed = policy.connections
        phase = .trial(rate: rate, since: nil, bytes: 0)
        let end = min(transfer.end ?? Int.max, transfer.next + pieceSize)
        transfers[id]?.end = end
        return (1..<allowed).compactMap { _ in handOut(at: now) }
    }

    // MARK: Handing out

    /// Long enough that the wait for each answer does not count, short enough that all end at about the same time.
    private var pieceSize: Int {
        let answer = transfers.values.compactMap(\.answeredAfter).max() ?? .zero
        let size = rate * max(0.25, 20 * answer.timeInterval)
        let share = ((total ?? 0) - here.count) / policy.connections
        return min(max(Int(min(size, Double(share))), policy.pieces.lowerBound), policy.pieces.upperBound)
    }

    /// The first bytes that are neither here nor on their way.
    private mutating func handOut(at now: Instant) -> Action? {
        var taken = here
        for transfer in transfers.values {
            taken.insert(transfer.next..<max(transfer.next, transfer.end ?? total ?? Int.max))
        }
        let gap = taken.gap()
        if let total, gap.from >= total { return nil }
        var end = gap.to
        if allowed > 1 { end = min(end ?? Int.max, total ?? Int.max, gap.from + pieceSize) }
        return request(from: gap.from, to: end, at: now)
    }

    /// Has those that run go on as far as they were asked to, or to where others begin: what was cut from them nobody
    /// else will bring sooner.
    private mutating func lengthen() {
        for (id, transfer) in transfers {
            guard let end = transfer.end else { continue }
            let others = transfers.filter { $0.key != id }.values.map(\.next) + here.ranges.map(\.lowerBound)
            let next = others.filter { $0 >= end }.min()
            transfers[id]?.end = [transfer.asked, next].compactMap { $0 }.min()
        }
    }

    /// The second half of what the slowest has yet to bring.
    private mutating func steal(at now: Instant) -> Action? {
        func rest(_ transfer: Transfer) -> Int { (transfer.end ?? total ?? 0) - transfer.next }
        guard let (id, transfer) = transfers.max(by: { rest($0.value) < rest($1.value) }),
            rest(transfer) >= 2 * policy.pieces.lowerBound
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
