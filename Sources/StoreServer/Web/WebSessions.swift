import StoreModel

/// The one-time links and sessions of browsers at the web listener.
///
/// A value without input and output. It ends with the daemon, and all sessions with it: a cookie that another program
/// receives at the port later is worth nothing.
struct WebSessions {
    /// The time for which a one-time link works.
    static let linkLifetime = Duration.seconds(120)
    /// The time without a request after which a session ends.
    static let idleLifetime = Duration.seconds(12 * 3600)
    /// The number of wrong links and tokens after which further ones are refused for ``failureWindow``.
    static let failureLimit = 10
    /// The time for which failures count.
    static let failureWindow = Duration.seconds(60)
    /// The number of browsers that can be logged in at once; the one that was used least recently is logged out.
    static let limit = 32

    /// A one-time link that was not used yet.
    private struct Link {
        let expiry: ContinuousClock.Instant
        /// The path of the page that the link opens.
        let page: String
    }

    private var links: [SHA256Digest: Link] = [:]
    private var sessions: [SHA256Digest: ContinuousClock.Instant] = [:]
    private var failures: [ContinuousClock.Instant] = []

    /// The number of browsers that are logged in.
    var count: Int { sessions.count }

    /// Creates a one-time link.
    ///
    /// - Parameter page: the path of the page that the link opens. It is kept here instead of in the link, so that the
    ///   link can't be changed into one to another page.
    /// - Returns: the secret of the link.
    mutating func makeLink(to page: String, now: ContinuousClock.Instant) -> WebSecret {
        links = links.filter { now < $0.value.expiry }
        let secret = WebSecret()
        links[secret.digest] = Link(expiry: now + Self.linkLifetime, page: page)
        return secret
    }

    /// Uses a one-time link, which does not work again, and begins a session.
    ///
    /// - Returns: the secret of the session, and the path of the page that the link opens.
    /// - Throws: `web.link`, or `web.too-many-attempts`.
    mutating func redeem(
        _ text: String, now: ContinuousClock.Instant
    ) throws(StoreError) -> (secret: WebSecret, page: String) {
        // A valid link is not refused because of what others tried.
        guard let link = links.removeValue(forKey: WebSecret.digest(of: text)), now < link.expiry else {
            try checkFailures(now: now)
            failures.append(now)
            throw StoreError(.webLinkInvalid)
        }
        if sessions.count >= Self.limit, let oldest = sessions.min(by: { $0.value < $1.value }) {
            sessions[oldest.key] = nil
        }
        let secret = WebSecret()
        sessions[secret.digest] = now
        return (secret, link.page)
    }

    /// Returns whether a text is the secret of a session, and records that the session is in use.
    mutating func use(_ text: String, now: ContinuousClock.Instant) -> Bool {
        let digest = WebSecret.digest(of: text)
        guard let used = sessions[digest], now < used + Self.idleLifetime else { return false }
        sessions[digest] = now
        return true
    }

    /// When the session expires that was used least recently, unless it is used before; `nil` without a session.
    var nextExpiry: ContinuousClock.Instant? { sessions.values.min().map { $0 + Self.idleLifetime } }

    /// Removes the sessions that have expired, and returns whether there were any.
    mutating func removeExpired(now: ContinuousClock.Instant) -> Bool {
        let before = sessions.count
        sessions = sessions.filter { now < $0.value + Self.idleLifetime }
        return sessions.count < before
    }

    /// Ends a session.
    mutating func end(_ text: String) { sessions[WebSecret.digest(of: text)] = nil }

    /// Ends all sessions, and makes all links invalid.
    mutating func endAll() {
        sessions = [:]
        links = [:]
    }

    /// Records that a wrong access token was presented.
    mutating func recordFailure(now: ContinuousClock.Instant) { failures.append(now) }

    /// Checks that not too many wrong links and tokens were presented recently.
    ///
    /// - Throws: `web.too-many-attempts`.
    mutating func checkFailures(now: ContinuousClock.Instant) throws(StoreError) {
        failures.removeAll { $0 + Self.failureWindow <= now }
        guard failures.count < Self.failureLimit else { throw StoreError(.webAttemptsExceeded) }
    }
}
