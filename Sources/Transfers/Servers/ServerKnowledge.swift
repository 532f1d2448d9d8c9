import FoundationEssentials

/// What was learned of servers since the process began: which of them fail, and how fast the others are. A value without
/// a clock: it is told the time with each event.
struct ServerKnowledge {
    typealias Instant = ContinuousClock.Instant

    private struct Server {
        /// In a row.
        var failures = 0
        var isAvoidedUntil: Instant?
        /// Bytes a second of a transfer, smoothed.
        var rate: Double?
    }
    private var servers: [String: Server] = [:]

    /// Of smaller transfers the time is that of asking, and says nothing of the rate.
    static let telling = 1 << 20
    /// How long a server is asked after others for each failure in a row, and at most.
    static let (avoided, longestAvoided) = (Duration.seconds(30), Duration.seconds(600))

    /// By name and port: what one of them does says nothing of another.
    static func name(of url: URL) -> String {
        "\(url.scheme?.lowercased() ?? "")://\(url.host()?.lowercased() ?? ""):\(url.port ?? 0)"
    }

    /// The server brought bytes.
    mutating func brought(_ url: URL, _ count: Int, in time: Duration) {
        let name = Self.name(of: url)
        var server = servers[name] ?? Server()
        server.failures = 0
        server.isAvoidedUntil = nil
        if count >= Self.telling, time > .zero {
            let rate = Double(count) / time.timeInterval
            server.rate = server.rate.map { 0.7 * $0 + 0.3 * rate } ?? rate
        }
        servers[name] = server
    }

    /// A transfer from the server failed.
    ///
    /// - Parameter rest: how long it asked to be left alone.
    mutating func failed(_ url: URL, rest: Duration?, at now: Instant) {
        let name = Self.name(of: url)
        var server = servers[name] ?? Server()
        server.failures += 1
        let time = max(Self.avoided * min(server.failures, 1000), rest ?? .zero)
        server.isAvoidedUntil = now + min(time, Self.longestAvoided)
        servers[name] = server
    }

    /// The best first: those that do not fail before those that do, the fast before the slow, else as they are given.
    /// One whose rate nobody knows counts as the fastest, so that it becomes known.
    func order(_ urls: [URL], at now: Instant) -> [URL] {
        let known = urls.map { servers[Self.name(of: $0)] ?? Server() }
        let fastest = known.compactMap(\.rate).max() ?? 1
        let ranks = zip(urls.indices, known).map { place, server in
            let isAvoided = server.isAvoidedUntil.map { now < $0 } ?? false
            // Rates that are about the same do not overrule the order that the publisher gave.
            let slowness = (fastest / max(server.rate ?? fastest, 1)).rounded(.down)
            return (isAvoided ? server.failures : 0, slowness, place)
        }
        return ranks.sorted { $0 < $1 }.map { urls[$0.2] }
    }
}
