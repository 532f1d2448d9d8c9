import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

struct WebAccessTests {
    private let folder: TemporaryFolder
    private let directory: Directory

    init() throws {
        folder = try TemporaryFolder()
        directory = try Directory.open(folder.path)
    }

    @Test func `an access token permits what it was created for, also after a restart, until it is revoked`() throws {
        let access = try WebAccess(data: directory)
        let (token, secret) = try access.createToken("tray", scopes: [.install, .read], at: Date())
        #expect(token.scopes == [.read, .install])
        #expect(try access.scopes(of: .token(secret)) == [.read, .install])
        #expect(throws: StoreError.self) { try access.createToken("tray", scopes: [.read], at: Date()) }

        let restarted = try WebAccess(data: directory)
        #expect(restarted.tokens.map(\.name) == ["tray"])
        #expect(try restarted.scopes(of: .token(secret)) == [.read, .install])
        try restarted.revokeToken("tray")
        #expect(code { _ = try restarted.scopes(of: .token(secret)) } == .webToken)
        #expect(throws: StoreError.self) { try restarted.revokeToken("tray") }
        #expect(try WebAccess(data: directory).tokens.isEmpty)
    }

    @Test func `what a client receives ends with its token or session`() throws {
        let revoked = Mutex(0)
        let access = try WebAccess(data: directory) { revoked.withLock { $0 += 1 } }
        _ = try access.createToken("tray", scopes: [.read], at: Date())
        #expect(throws: StoreError.self) { try access.revokeToken("other") }
        #expect(revoked.withLock { $0 } == 0)
        try access.revokeToken("tray")
        #expect(revoked.withLock { $0 } == 1)
        access.endSession(["secret"])
        #expect(revoked.withLock { $0 } == 2)
    }

    @Test func `what a browser receives ends when its session expires without a further request`() throws {
        let revoked = Mutex(0)
        let access = try WebAccess(data: directory) { revoked.withLock { $0 += 1 } }
        let (secret, _) = try access.redeem(access.makeLink(to: "/"))
        access.endExpiredSessions(at: .now)
        #expect(access.sessions == 1 && revoked.withLock { $0 } == 0)
        let end = ContinuousClock.now + WebSessions.idleLifetime
        access.endExpiredSessions(at: end)
        #expect(access.sessions == 0 && revoked.withLock { $0 } == 1)
        #expect(try access.scopes(of: .session([secret])) == [])
        access.endExpiredSessions(at: end)
        #expect(revoked.withLock { $0 } == 1)
    }

    @Test func `what a browser receives ends when one too many logs it out`() throws {
        let revoked = Mutex(0)
        let access = try WebAccess(data: directory) { revoked.withLock { $0 += 1 } }
        for _ in 0..<WebSessions.limit { _ = try access.redeem(access.makeLink(to: "/")) }
        #expect(revoked.withLock { $0 } == 0)
        _ = try access.redeem(access.makeLink(to: "/"))
        #expect(access.sessions == WebSessions.limit && revoked.withLock { $0 } == 1)
    }

    @Test func `the name of an access token is trimmed, and neither empty nor long`() throws {
        let access = try WebAccess(data: directory)
        #expect(try access.createToken(" the tray\n", scopes: [.read], at: Date()).token.name == "the tray")
        let longest = String(repeating: "é", count: WebToken.maximumNameLength)
        #expect(try access.createToken(longest, scopes: [.read], at: Date()).token.name == longest)
        for name in ["", " \t", longest + "e", "e" + String(repeating: "\u{301}", count: 200)] {
            let refusal = code { _ = try access.createToken(name, scopes: [.read], at: Date()) }
            #expect(refusal == .requestMalformed, "\(name)")
        }
        #expect(throws: StoreError.self) { try access.createToken("the tray ", scopes: [.read], at: Date()) }
    }

    @Test func `the file has no secret, and only its user can read it`() throws {
        let (_, secret) = try WebAccess(data: directory).createToken("tray", scopes: [.read], at: Date())
        let text = String(decoding: try directory.read(WebTokenFile.name), as: UTF8.self)
        #expect(text.contains("tray") && !text.contains(secret))
        #expect(try directory.status(of: WebTokenFile.name)?.permissions == 0o600)
    }

    @Test func `a damaged file is an error, and stays as it is`() throws {
        try folder.directory.put(WebTokenFile.name, "[")
        #expect(throws: StoreError.self) { try WebAccess(data: directory) }
        #expect(try String(decoding: directory.read(WebTokenFile.name), as: UTF8.self) == "[")
    }

    @Test func `guessing tokens ends after a few attempts`() throws {
        let access = try WebAccess(data: directory)
        let (_, secret) = try access.createToken("tray", scopes: [.read], at: Date())
        for _ in 0..<WebSessions.failureLimit {
            #expect(code { _ = try access.scopes(of: .token("guess")) } == .webToken)
        }
        #expect(code { _ = try access.scopes(of: .token("guess")) } == .webTooManyAttempts)
        // A program with the right token is not kept from its work by one that guesses.
        #expect(try access.scopes(of: .token(secret)) == [.read])
    }

    @Test func `the host of a home stays the same, and another home has another`() throws {
        let name = try WebHost.name(in: directory)
        #expect(try WebHost.name(in: directory) == name)
        #expect(name.hasSuffix(".localhost"))
        let other = try TemporaryFolder()
        #expect(try WebHost.name(in: Directory.open(other.path)) != name)
        try folder.directory.put("web-host", "evil.example")
        #expect(try WebHost.name(in: directory).hasSuffix(".localhost"))
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
