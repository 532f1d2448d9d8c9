import FoundationEssentials
import Hummingbird
import StoreModel
import StoreSystem
import Synchronization

/// Who may use the web listener: browsers with a session, and programs with an access token.
final class WebAccess: Sendable {
    private struct State {
        var sessions = WebSessions()
        var tokens: [WebTokenFile.Entry]
    }

    private let file: WebTokenFile
    private let state: Mutex<State>
    /// Called when a client may do less than before, so that what it still receives ends.
    private let didRevoke: @Sendable () -> Void

    /// Reads the access tokens of a home.
    ///
    /// - Parameters:
    ///   - data: the data directory of the home.
    ///   - didRevoke: called when a token was revoked or a session ended.
    init(data: Directory, didRevoke: @escaping @Sendable () -> Void = {}) throws {
        file = WebTokenFile(directory: data)
        self.didRevoke = didRevoke
        state = Mutex(State(tokens: try file.read()))
    }

    // MARK: Browsers

    /// Creates a one-time link to a page, and returns its secret.
    func makeLink(to page: String) -> String { state.withLock { $0.sessions.makeLink(to: page, now: .now).text } }

    /// Uses a one-time link, and returns the secret of the new session and the path of the page that the link opens.
    ///
    /// One browser too many logs out the one that was used least recently.
    ///
    /// - Throws: `web.link`, or `web.too-many-attempts`.
    func redeem(_ link: String) throws -> (secret: String, page: String) {
        let (secret, page, isOtherLoggedOut) = try state.withLock { state in
            let before = state.sessions.count
            let (secret, page) = try state.sessions.redeem(link, now: .now)
            return (secret, page, state.sessions.count == before)
        }
        if isOtherLoggedOut { didRevoke() }
        return (secret.text, page)
    }

    /// Ends the session with one of these secrets.
    func endSession(_ secrets: [String]) {
        state.withLock { state in for secret in secrets { state.sessions.end(secret) } }
        didRevoke()
    }

    /// Ends each session when it expires, until the task is cancelled.
    ///
    /// A page that is open receives events without a further request, which would find that the session has expired.
    func endSessionsOnExpiry() async {
        repeat {
            endExpiredSessions(at: .now)
            // No session that begins meanwhile expires earlier.
            let next = state.withLock { $0.sessions.nextExpiry } ?? ContinuousClock.now + WebSessions.idleLifetime
            try? await Task.sleep(until: next, clock: .continuous)
        } while !Task.isCancelled
    }

    /// Ends the sessions that have expired.
    func endExpiredSessions(at now: ContinuousClock.Instant) {
        if state.withLock({ $0.sessions.removeExpired(now: now) }) { didRevoke() }
    }

    /// Ends all sessions, and makes all one-time links invalid.
    func endAllSessions() { state.withLock { $0.sessions.endAll() } }

    /// The number of browsers that are logged in.
    var sessions: Int { state.withLock { $0.sessions.count } }

    // MARK: Programs

    /// The access tokens, in the order in which they were created.
    var tokens: [WebToken] { state.withLock { $0.tokens.map(\.token) } }

    /// Creates an access token.
    ///
    /// - Parameters:
    ///   - name: the name by which the user recognises the token; white space around it is removed.
    ///   - scopes: what the token permits.
    /// - Returns: the token, and its secret, which is not kept.
    /// - Throws: `request.malformed` if the name is empty or too long, `web.token-exists` if there is a token of that
    ///   name, or a file error.
    func createToken(_ name: String, scopes: Set<WebScope>, at date: Date) throws -> (token: WebToken, secret: String) {
        let name = try Self.tokenName(name)
        let secret = WebSecret()
        let token = WebToken(
            id: String(secret.digest.hex.prefix(12)), name: name,
            scopes: WebScope.allCases.filter { scopes.contains($0) }, createdAt: date)
        try state.withLock { state in
            guard !state.tokens.contains(where: { $0.token.name == name }) else {
                throw StoreError(.webTokenNameTaken, ["token": .untrusted(name)])
            }
            let new = state.tokens + [WebTokenFile.Entry(token: token, digest: secret.digest)]
            try file.write(new)
            state.tokens = new
        }
        return (token, secret.text)
    }

    /// Returns a name that was entered for an access token without the white space around it.
    private static func tokenName(_ text: String) throws -> String {
        var name = text.drop { $0.isWhitespace }
        while name.last?.isWhitespace == true { name.removeLast() }
        guard !name.isEmpty else {
            throw StoreError(.requestParameterInvalid, ["parameter": "name", "reason": "must not be empty"])
        }
        guard WebToken.isShortEnough(String(name)) else {
            throw StoreError(
                .requestParameterInvalid,
                ["parameter": "name", "reason": "must not be longer than \(WebToken.maximumNameLength) characters"])
        }
        return String(name)
    }

    /// Revokes an access token.
    ///
    /// - Parameter name: the name or the identifier of the token.
    /// - Throws: `web.no-token`, or a file error.
    func revokeToken(_ name: String) throws {
        try state.withLock { state in
            let new = state.tokens.filter { $0.token.name != name && $0.token.id != name }
            guard new.count < state.tokens.count else {
                throw StoreError(.webTokenUnknown, ["token": .untrusted(name)])
            }
            try file.write(new)
            state.tokens = new
        }
        didRevoke()
    }

    // MARK: Requests

    /// Returns what the sender of a request may do; empty for one without a session and without a token.
    ///
    /// - Throws: `web.token-invalid`, or `web.too-many-attempts`.
    func scopes(of credentials: WebRequestCheck.Credentials) throws -> Set<WebScope> {
        try state.withLock { state in
            switch credentials {
            case .none: return []
            case .session(let secrets):
                let isLoggedIn = secrets.contains { state.sessions.use($0, now: .now) }
                return isLoggedIn ? Set(WebScope.allCases) : []
            case .token(let secret):
                let digest = WebSecret.digest(of: secret)
                if let entry = state.tokens.first(where: { $0.digest == digest }) { return Set(entry.token.scopes) }
                try state.sessions.checkFailures(now: .now)
                state.sessions.recordFailure(now: .now)
                throw StoreError(.webTokenInvalid)
            }
        }
    }
}
