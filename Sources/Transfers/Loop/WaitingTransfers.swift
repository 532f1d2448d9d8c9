/// Transfers that were asked for and have not begun, because their server has enough to do. Belongs to the engine's
/// thread.
struct WaitingTransfers {
    struct Waiting {
        let job: TransferJob
        let makeSink: @Sendable () -> any BodySink
    }
    /// By server, in the order they came.
    private var waiting: [String: [Waiting]] = [:]
    private(set) var manners = HostConcurrencyLimiter()

    enum Turn {
        /// It is counted as running.
        case now
        case later
        /// It is one more connection for a file that comes already, and would take another's turn.
        case never
    }

    mutating func begin(_ one: Waiting, at now: HostConcurrencyLimiter.Instant) -> Turn {
        // What goes to a process of this machine never waits: it says itself what it takes.
        guard let host = one.job.host else { return .now }
        if waiting[host] == nil, manners.begin(host, at: now) { return .now }
        if one.job.isExtra { return .never }
        waiting[host, default: []].append(one)
        return .later
    }

    /// A transfer that might begin is over, perhaps before it did.
    ///
    /// - Parameters:
    ///   - begun: when it did.
    ///   - answer: what it was told, if it was told anything.
    mutating func ended(
        _ job: TransferJob, begun: HostConcurrencyLimiter.Instant? = nil, _ answer: TransferResponse? = nil,
        at now: HostConcurrencyLimiter.Instant
    ) {
        guard let host = job.host else { return }
        let rest = answer?.retryAfter
        let isRefused = answer?.status == 429 || (answer?.status == 503 && rest != nil)
        manners.ended(host, begun: begun ?? now, isRefused: isRefused, rest: rest, at: now)
    }

    /// Takes out those whose turn it is.
    mutating func admit(at now: HostConcurrencyLimiter.Instant) -> [Waiting] {
        var admitted: [Waiting] = []
        for (host, line) in waiting {
            let count = line.prefix { _ in manners.begin(host, at: now) }.count
            admitted += line.prefix(count)
            waiting[host] = count == line.count ? nil : Array(line.dropFirst(count))
        }
        return admitted
    }

    /// When the next may begin because of the time alone; `nil` where none waits for that.
    func next(at now: HostConcurrencyLimiter.Instant) -> HostConcurrencyLimiter.Instant? {
        waiting.keys.compactMap { manners.restsUntil($0, at: now) }.min()
    }

    /// Takes out one that is not to begin any more.
    mutating func remove(_ job: TransferJob) -> Waiting? {
        guard let host = job.host, let place = waiting[host]?.firstIndex(where: { $0.job === job }) else { return nil }
        let one = waiting[host]?.remove(at: place)
        if waiting[host]?.isEmpty ?? false { waiting[host] = nil }
        return one
    }

    mutating func removeAll() -> [Waiting] {
        defer { waiting = [:] }
        return waiting.values.flatMap { $0 }
    }
}
