import StoreModel
import Testing

@testable import StoreServer

struct WebSessionsTests {
    private let sessions = SessionsBox()
    private let start = ContinuousClock.now

    @Test func `a link begins one session, once`() throws {
        let link = sessions.makeLink(now: start).text
        let session = try sessions.redeem(link, now: start).text
        #expect(sessions.use(session, now: start))
        #expect(code { _ = try sessions.redeem(link, now: start) } == .webLink)
        #expect(sessions.count == 1)
    }

    @Test func `each link opens its own page`() throws {
        let pages = ["/", "/links/a", "/links/b"]
        let links = pages.map { sessions.makeLink(to: $0, now: start).text }
        #expect(try links.map { try sessions.page(redeeming: $0, now: start) } == pages)
    }

    @Test func `a link expires`() throws {
        let link = sessions.makeLink(now: start).text
        #expect(code { _ = try sessions.redeem(link, now: start + WebSessions.linkLifetime) } == .webLink)
    }

    @Test func `a session that is not used ends, one that is used stays`() throws {
        let (first, second) = (sessions.makeLink(now: start).text, sessions.makeLink(now: start).text)
        let (used, unused) = (try sessions.redeem(first, now: start).text, try sessions.redeem(second, now: start).text)
        let half = start + WebSessions.idleLifetime / 2
        #expect(sessions.use(used, now: half))
        let end = start + WebSessions.idleLifetime
        #expect(sessions.use(used, now: end))
        #expect(!sessions.use(unused, now: end))
    }

    @Test func `a session that has expired is found without a request`() throws {
        #expect(sessions.nextExpiry == nil)
        let (first, second) = (sessions.makeLink(now: start).text, sessions.makeLink(now: start).text)
        let used = try sessions.redeem(first, now: start).text
        _ = try sessions.redeem(second, now: start)
        let half = start + WebSessions.idleLifetime / 2
        #expect(sessions.use(used, now: half))
        let end = start + WebSessions.idleLifetime
        #expect(sessions.nextExpiry == end)
        #expect(!sessions.removeExpired(now: half))
        #expect(sessions.removeExpired(now: end))
        #expect(sessions.count == 1 && sessions.nextExpiry == half + WebSessions.idleLifetime)
    }

    @Test func `too many wrong links are refused for a while, and right ones are not`() throws {
        let link = sessions.makeLink(now: start).text
        for _ in 0..<WebSessions.failureLimit {
            #expect(code { _ = try sessions.redeem("wrong", now: start) } == .webLink)
        }
        #expect(code { _ = try sessions.redeem("wrong", now: start) } == .webTooManyAttempts)
        #expect(code { _ = try sessions.redeem("wrong", now: start + WebSessions.failureWindow) } == .webLink)
        _ = try sessions.redeem(link, now: start)
    }

    @Test func `the browser that was used least recently is logged out by one too many`() throws {
        var secrets: [String] = []
        for index in 0...WebSessions.limit {
            let now = start + .seconds(index)
            let link = sessions.makeLink(now: now).text
            secrets.append(try sessions.redeem(link, now: now).text)
        }
        let now = start + .seconds(WebSessions.limit + 1)
        #expect(!sessions.use(secrets[0], now: now))
        #expect(secrets.dropFirst().allSatisfy { sessions.use($0, now: now) })
    }

    @Test func `sessions and links end together`() throws {
        let link = sessions.makeLink(now: start).text
        let session = try sessions.redeem(sessions.makeLink(now: start).text, now: start).text
        sessions.endAll()
        #expect(!sessions.use(session, now: start))
        #expect(code { _ = try sessions.redeem(link, now: start) } == .webLink)
    }

    @Test func `secrets are different and long`() {
        let secrets = (0..<100).map { _ in WebSecret().text }
        #expect(Set(secrets).count == 100)
        #expect(secrets.allSatisfy { $0.count == 64 })
    }
}

/// Returns the code of the error that `body` throws; `nil` if it throws none.
private func code(_ body: () throws -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.code
    }
}

/// Sessions whose changing methods can be called within an expectation.
private final class SessionsBox {
    private var value = WebSessions()
    var count: Int { value.count }

    func makeLink(to page: String = "/", now: ContinuousClock.Instant) -> WebSecret {
        value.makeLink(to: page, now: now)
    }
    func redeem(_ text: String, now: ContinuousClock.Instant) throws -> WebSecret {
        try value.redeem(text, now: now).secret
    }
    func page(redeeming text: String, now: ContinuousClock.Instant) throws -> String {
        try value.redeem(text, now: now).page
    }
    func use(_ text: String, now: ContinuousClock.Instant) -> Bool { value.use(text, now: now) }
    var nextExpiry: ContinuousClock.Instant? { value.nextExpiry }
    func removeExpired(now: ContinuousClock.Instant) -> Bool { value.removeExpired(now: now) }
    func endAll() { value.endAll() }
}
