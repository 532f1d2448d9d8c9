import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// The attacks in section 1.5.2 of the specification, each by its name; ``KeyCompromiseTests`` has those with stolen keys.
@Suite struct AttackTests {
    private static let roles = ["timestamp", "snapshot", "targets"]

    // MARK: Arbitrary installation

    @Test(arguments: ["root"] + roles)
    func `arbitrary installation: metadata of other keys is refused`(role: String) async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.signers[role] = [SigningKey(role + "-key")]
        if role == "root" { repository.publishNextRoot() } else { repository.publish() }
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
        #expect(try client.version(role) ?? 0 <= (role == "root" ? 1 : 0))
    }

    @Test func `arbitrary installation: a file with other content is refused`() async throws {
        var repository = TestRepository()
        repository.publishNext(file: "a.txt", content: "signed")
        let client = try TestClient(trusting: repository)
        for name in repository.server.keys where name.hasSuffix("a.txt") {
            repository.server[name] = Data("forged".utf8)
        }
        #expect(await failure { try await client.file("a.txt", from: repository) } == .trustHashMismatch)
    }

    // MARK: Endless data

    @Test(arguments: ["root"] + roles)
    func `endless data: metadata that is longer than the limit is refused`(role: String) async throws {
        var repository = TestRepository()
        repository.statesHashes = false
        repository.publishNext()
        repository.publishNextRoot()
        let name = ["root": "2.root.json", "timestamp": "timestamp.json", "snapshot": "2.snapshot.json"][role]
        repository.server[name ?? "1.targets.json"]!.append(Data(repeating: UInt8(ascii: " "), count: 20_000))
        let limits = TrustLimits(rootLength: 20_000, snapshotLength: 20_000, targetsLength: 20_000)
        let client = try TestClient(trusting: repository, limits: limits)
        #expect(await failure { try await client.update(from: repository) } == .trustTooLarge)
    }

    @Test func `endless data: no more is requested than signed metadata states`() throws {
        let repository = TestRepository()
        var update = try MetadataUpdate(root: repository.server["1.root.json"]!, at: TestRepository.start)
        _ = try update.receiveMissing()
        _ = try update.receive(repository.server["timestamp.json"]!)
        guard case .fetch(let request) = update.step else {
            Issue.record("no snapshot is requested")
            return
        }
        #expect(request.limit == repository.server["1.snapshot.json"]!.count)
    }

    @Test func `endless data: no more new roots are fetched than the limit allows`() async throws {
        var repository = TestRepository()
        for _ in 0..<5 { repository.publishNextRoot() }
        let client = try TestClient(trusting: repository, limits: TrustLimits(roots: 3))
        try await client.update(from: repository)
        #expect(try client.version("root") == 4)
        try await client.update(from: repository)
        #expect(try client.version("root") == 6)
    }

    @Test func `endless data: no more delegated roles are searched than the limit allows`() async throws {
        var repository = TestRepository()
        for number in 1...9 { repository.delegate(to: "role\(number)", files: number == 9 ? ["a.txt": "a"] : [:]) }
        repository.publish()
        let client = try TestClient(trusting: repository, limits: TrustLimits(delegations: 8))
        #expect(await failure { try await client.file("a.txt", from: repository) } == .trustUnknownTarget)
        #expect(client.requests.filter { $0.contains("role") }.count == 8)
    }

    // MARK: Extraneous dependencies

    @Test func `extraneous dependencies: a delegated role adds no file outside the paths that it is trusted for`()
        async throws
    {
        var repository = TestRepository()
        repository.delegate(to: "fonts", paths: ["fonts/*"], files: ["fonts/a": "a", "library/b": "b"])
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("fonts/a", from: repository) == "a")
        #expect(await failure { try await client.file("library/b", from: repository) } == .trustUnknownTarget)
    }

    // MARK: Fast-forward

    @Test(arguments: ["timestamp", "snapshot"])
    func `fast-forward: after a rotation of keys, lower versions are accepted again`(role: String) async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.versions["timestamp"] = 1_000_000
        repository.versions["snapshot"] = 1_000_000
        repository.roles["targets"]!.version = 1_000_000
        repository.publish(["targets", "snapshot", "timestamp"])
        try await client.update(from: repository)
        #expect(try client.versions == [1, 1_000_000, 1_000_000, 1_000_000])

        repository.versions["timestamp"] = 2
        repository.versions["snapshot"] = 2
        repository.roles["targets"]!.version = 2
        repository.publish(["targets", "snapshot", "timestamp"])
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)

        repository.keys[role] = [SigningKey(role + "-key-2")]
        repository.publishNextRoot()
        repository.publish(["snapshot", "timestamp"])
        try await client.update(from: repository)
        #expect(try client.versions == [2, 2, 2, 2])
    }

    @Test func `fast-forward: metadata of revoked keys is deleted before the new root is stored`() throws {
        var repository = TestRepository()
        let root = try #require(repository.server["1.root.json"])
        repository.keys["snapshot"] = [SigningKey("snapshot-key-2")]
        repository.publishNextRoot()
        let next = try #require(repository.server["2.root.json"])
        var update = try MetadataUpdate(root: root, at: TestRepository.start)
        // A crash in between leaves the old root, with which the next update deletes them, too.
        let changes = try update.receive(next)
        #expect(changes == [.delete(.timestamp), .delete(.snapshot), .store(.root, next)])
    }

    @Test func `fast-forward: an additional key does not allow a rollback`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.publishNext()
        try await client.update(from: repository)
        repository.keys["timestamp"]!.append(SigningKey("timestamp-key-2"))
        repository.publishNextRoot()
        repository.versions["timestamp"] = 1
        repository.publish(["timestamp"])
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
    }

    // MARK: Indefinite freeze

    @Test(arguments: ["root"] + roles)
    func `indefinite freeze: metadata that has expired is refused`(role: String) async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.expiries[role] = TestRepository.start
        if role == "targets" { repository.roles["targets"]!.expires = TestRepository.start }
        repository.publish()
        if role == "root" { repository.publishNextRoot() }
        #expect(await failure { try await client.update(from: repository) } == .trustExpired)
        #expect(try client.version(role) == (role == "root" ? 2 : nil))
    }

    @Test(arguments: ["root", "timestamp", "snapshot", "targets"])
    func `indefinite freeze: metadata that was verified before is refused once it has expired`(role: String)
        async throws
    {
        var repository = TestRepository()
        repository.expiries[role] = TestRepository.start + 60
        if role == "targets" { repository.roles["targets"]!.expires = TestRepository.start + 60 }
        repository.publish()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        try await client.update(from: repository, at: TestRepository.start + 59)
        #expect(
            await failure { try await client.update(from: repository, at: TestRepository.start + 60) } == .trustExpired)
    }

    @Test func `indefinite freeze: a delegated role that has expired is refused`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "fonts", files: ["a": "a"])
        repository.roles["fonts"]!.expires = TestRepository.start + 60
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("a", from: repository) == "a")
        let later = TestRepository.start + 60
        #expect(await failure { try await client.file("a", from: repository, at: later) } == .trustExpired)
    }

    // MARK: Malicious mirrors

    @Test func `malicious mirrors: an update from a good mirror succeeds after any failure`() async throws {
        var good = TestRepository()
        let client = try TestClient(trusting: good)
        let old = good
        good.publishNext(file: "a.txt", content: "new")
        good.publishNextRoot()
        let names = ["2.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json"]
        for name in names {
            for content in [nil, Data(), Data("<html>".utf8), good.server[name]!.dropLast(10)] {
                var bad = good
                bad.server[name] = content
                if name == "2.root.json", content == nil { bad.server["timestamp.json"] = nil }
                #expect(await failure { try await client.update(from: bad) } != nil, "\(name)")
            }
        }
        #expect(try await client.file("a.txt", from: good) == "new")
        #expect(await failure { try await client.update(from: old) } == .trustRollback)
        #expect(try await client.file("a.txt", from: good) == "new")
    }

    // MARK: Mix-and-match

    @Test func `mix-and-match: a snapshot of another version than the timestamp lists is refused`() async throws {
        var repository = TestRepository()
        repository.statesHashes = false
        repository.publishNext()
        repository.server["2.snapshot.json"] = repository.server["1.snapshot.json"]
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.update(from: repository) } == .trustMixed)
        #expect(try client.versions == [1, 2, 0, 0])
    }

    @Test func `mix-and-match: targets of another version than the snapshot lists are refused`() async throws {
        var repository = TestRepository()
        repository.statesHashes = false
        repository.publishNext(file: "a.txt")
        repository.server["2.targets.json"] = repository.server["1.targets.json"]
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.update(from: repository) } == .trustMixed)
        #expect(try client.versions == [1, 2, 2, 0])
    }

    @Test(arguments: ["snapshot", "targets"])
    func `mix-and-match: metadata with another hash than is listed is refused`(role: String) async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        let listed = repository.server["1.\(role).json"]!
        repository.change = { name, signed in if name == role { signed["spec_version"] = "1.0.30" } }
        repository.publish([role])
        #expect(repository.server["1.\(role).json"] != listed)
        #expect(await failure { try await client.update(from: repository) } == .trustHashMismatch)
    }

    @Test func `mix-and-match: a delegated role that the snapshot does not list is refused`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "fonts", files: ["a": "a"])
        repository.change = { name, signed in if name == "snapshot" { signed["meta"]?["fonts.json"] = nil } }
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.file("a", from: repository) } == .trustMixed)
    }

    // MARK: Rollback

    @Test func `rollback: an older timestamp is refused`() async throws {
        var repository = TestRepository()
        let old = repository.server["timestamp.json"]!
        let client = try TestClient(trusting: repository)
        repository.publishNext()
        try await client.update(from: repository)
        repository.server["timestamp.json"] = old
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
        #expect(try client.version("timestamp") == 2)
    }

    @Test func `rollback: a newer timestamp with an older snapshot is refused`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.publishNext()
        try await client.update(from: repository)
        repository.versions = ["root": 1, "timestamp": 3, "snapshot": 1]
        repository.publish(["snapshot", "timestamp"])
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
        #expect(try client.versions == [1, 2, 2, 1])
    }

    @Test(arguments: [true, false])
    func `rollback: a newer snapshot with older targets is refused`(statesHashes: Bool) async throws {
        var repository = TestRepository()
        repository.statesHashes = statesHashes
        let client = try TestClient(trusting: repository)
        repository.publishNext(file: "a.txt")
        try await client.update(from: repository)
        repository.roles["targets"]!.version = 1
        repository.publishNext()
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
        #expect(try client.versions == [1, 3, 2, 2])
    }

    @Test func `rollback: a snapshot that no longer lists a role is refused`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "fonts")
        repository.publish()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        repository.roles["fonts"] = nil
        repository.publishNext()
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
    }

    @Test func `rollback: a root of a lower version is refused`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.publishNextRoot()
        try await client.update(from: repository)
        repository.server["3.root.json"] = repository.server["1.root.json"]
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
    }

    @Test func `rollback: a root that skips a version is refused`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.versions["root"] = 3
        repository.publish(["root"])
        repository.server["2.root.json"] = repository.server["3.root.json"]
        #expect(await failure { try await client.update(from: repository) } == .trustRollback)
        #expect(try client.version("root") == 1)
    }

    // MARK: Wrong software

    @Test func `wrong software: a file of another path is not the requested one`() async throws {
        var repository = TestRepository()
        repository.roles["targets"]!.files = ["a.txt": Data("a".utf8), "b.txt": Data("b".utf8)]
        repository.publish()
        let client = try TestClient(trusting: repository)
        let (a, b) = ("a.txt", "b.txt")
        repository.server[repository.remotePath(a, Data("a".utf8))] = Data("b".utf8)
        #expect(await failure { try await client.file(a, from: repository) } == .trustHashMismatch)
        #expect(try await client.file(b, from: repository) == "b")
    }

    @Test func `wrong software: a path of equal characters but other bytes is another path`() async throws {
        var repository = TestRepository()
        repository.publishNext(file: "caf\u{E9}")
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("caf\u{E9}", from: repository) == "content")
        #expect(await failure { try await client.file("cafe\u{301}", from: repository) } == .trustUnknownTarget)
    }
}
