import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreTrust
import Testing

/// The client workflow of the specification's section 5 beyond the attacks, which ``AttackTests`` has.
@Suite struct WorkflowTests {
    @Test func `the first update fetches and stores each top-level role once`() async throws {
        let repository = TestRepository()
        let client = try TestClient(trusting: repository)
        let metadata = try await client.update(from: repository)
        #expect(client.requests == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
        #expect(try client.versions == [1, 1, 1, 1])
        for role in TopLevelRole.allCases {
            let name = role == .timestamp ? role.file : "1.\(role.file)"
            #expect(try client.directory.read(role.file) == repository.server[name])
        }
        #expect(metadata.expires == TestRepository.expires)
    }

    @Test func `an update without news fetches the timestamp and looks for a new root`() async throws {
        let repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        try await client.update(from: repository)
        #expect(client.requests == ["2.root.json", "timestamp.json"])
    }

    @Test func `without consistent snapshots, names have no version and no hash`() async throws {
        var repository = TestRepository()
        repository.isConsistent = false
        repository.server = [:]
        repository.roles["targets"]!.files["a/b.txt"] = Data("b".utf8)
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("a/b.txt", from: repository) == "b")
        #expect(client.requests == ["2.root.json", "timestamp.json", "snapshot.json", "targets.json"])
    }

    @Test func `consistent snapshots begin and end with the newest root`() async throws {
        var repository = TestRepository()
        repository.isConsistent = false
        repository.publish()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        repository.isConsistent = true
        repository.publishNextRoot()
        repository.publishNext()
        try await client.update(from: repository)
        #expect(client.requests == ["2.root.json", "3.root.json", "timestamp.json", "2.snapshot.json"])
    }

    @Test func `all new roots are verified one after the other, although they have expired`() async throws {
        var repository = TestRepository()
        repository.expiries["root"] = .distantPast
        repository.publish(["root"])
        let client = try TestClient(trusting: repository)
        for number in 2...4 {
            let old = repository.keys["root"]!
            repository.keys["root"] = [SigningKey("root-key-\(number)")]
            repository.signers["root"] = old + repository.keys["root"]!
            if number == 4 { repository.expiries["root"] = nil }
            repository.publishNextRoot()
        }
        try await client.update(from: repository)
        #expect(try client.version("root") == 4)
    }

    @Test func `a root that was fetched stays, although the update fails later`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.publishNextRoot()
        repository.server["timestamp.json"] = nil
        #expect(await failure { try await client.update(from: repository) } == .trustMissing)
        #expect(try client.versions == [2, 0, 0, 0])
    }

    @Test func `the same root under the next version's name ends the search for newer roots`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.server["2.root.json"] = repository.server["1.root.json"]
        try await client.update(from: repository)
        #expect(try client.version("root") == 1)
    }

    @Test func `a timestamp of the same version is not stored, whatever it lists`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        let stored = try client.directory.read("timestamp.json")
        repository.versions["snapshot"] = 100
        repository.publish(["snapshot", "timestamp"])
        try await client.update(from: repository)
        #expect(try client.directory.read("timestamp.json") == stored)
        #expect(client.requests == ["2.root.json", "timestamp.json"])
    }

    @Test func `an update that failed after the timestamp goes on with the snapshot`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        repository.publishNext(file: "a.txt")
        var broken = repository
        broken.server["2.snapshot.json"] = nil
        #expect(await failure { try await client.update(from: broken) } == .trustMissing)
        try await client.update(from: repository)
        #expect(try client.versions == [1, 2, 2, 2])
    }

    @Test func `stored metadata that has expired still prevents a rollback, and allows an update`() async throws {
        var repository = TestRepository()
        repository.expiries["timestamp"] = TestRepository.start + 60
        repository.publish()
        let client = try TestClient(trusting: repository)
        repository.publishNext()
        try await client.update(from: repository)
        let later = TestRepository.start + 3600
        var old = repository
        old.expiries["timestamp"] = nil
        old.versions["timestamp"] = 1
        old.publish(["timestamp"])
        #expect(await failure { try await client.update(from: old, at: later) } == .trustRollback)
        repository.expiries["timestamp"] = nil
        repository.publishNext()
        try await client.update(from: repository, at: later)
        #expect(try client.version("timestamp") == 3)
    }

    @Test func `expiry is checked against the time at which the update began`() throws {
        var repository = TestRepository()
        repository.expiries["timestamp"] = TestRepository.start + 1
        repository.publish()
        var update = try MetadataUpdate(root: repository.server["1.root.json"]!, at: TestRepository.start)
        _ = try update.receiveMissing()
        for name in ["timestamp.json", "1.snapshot.json", "1.targets.json"] {
            _ = try update.receive(repository.server[name]!)
        }
        guard case .done(let metadata) = update.step else {
            Issue.record("the update is not done")
            return
        }
        #expect(metadata.start == TestRepository.start)
    }

    @Test func `damaged metadata on this computer is fetched again`() async throws {
        let repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        for file in ["timestamp.json", "snapshot.json", "targets.json"] {
            try client.directory.put(file, "{")
            try await client.update(from: repository)
        }
        #expect(try client.versions == [1, 1, 1, 1])
    }

    @Test func `a damaged root on this computer ends the update before anything is fetched`() async throws {
        let repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try client.directory.put("root.json", "{}")
        #expect(await failure { try await client.update(from: repository) } == .trustMalformed)
        try client.directory.remove("root.json")
        #expect(await failure { try await client.update(from: repository) } == .trustNoRoot)
        #expect(client.requests.isEmpty)
    }

    @Test func `a root that its own keys have not signed does not become the trusted one`() throws {
        var repository = TestRepository()
        repository.signers["root"] = [SigningKey("root-key")]
        repository.publish(["root"])
        let error = #expect(throws: StoreError.self) { try TestClient(trusting: repository) }
        #expect(error?.code == .trustSignature)
    }

    @Test func `stored metadata is verified again without the network, until it expires`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        #expect(await failure { _ = try client.stored() } == .trustMissing)
        repository.publishNext(file: "a.txt")
        try await client.update(from: repository)
        let metadata = try client.stored(at: TestRepository.start + 3600)
        #expect(metadata.targets.signed.file("a.txt")?.length == 7)
        #expect(await failure { _ = try client.stored(at: TestRepository.expires) } == .trustExpired)
        try client.directory.put("targets.json", try client.directory.read("targets.json") + Data(" ".utf8))
        #expect(await failure { _ = try client.stored() } == .trustMissing)
    }

    @Test func `metadata that can't be stored ends the update, and the next one goes on from what is stored`()
        async throws
    {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        repository.publishNext(file: "a.txt")
        // Nothing can be written to a name that is a directory with content.
        try client.directory.put("snapshot.json.new/file", "")
        #expect(await failure { try await client.update(from: repository) } != nil)
        #expect(try client.versions == [1, 2, 1, 1])
        try client.directory.removeTree("snapshot.json.new")
        try await client.update(from: repository)
        #expect(try client.versions == [1, 2, 2, 2])
    }

    @Test func `messages tell a store that was not renewed from an attack`() async throws {
        var repository = TestRepository()
        repository.expiries["timestamp"] = TestRepository.start - 86_400
        repository.publish()
        let client = try TestClient(trusting: repository)
        let expired = await #expect(throws: StoreError.self) { try await client.update(from: repository) }
        #expect(expired?.message.contains("'timestamp.json' expired on 2027-01-14T08:00:00Z") == true)
        #expect(expired?.message.contains("publisher did not renew it") == true)
        repository.expiries = [:]
        repository.signers["timestamp"] = [SigningKey("other")]
        repository.publish()
        let forged = await #expect(throws: StoreError.self) { try await client.update(from: repository) }
        #expect(forged?.message == "'timestamp.json' has 0 valid signatures of trusted keys, but needs 1")
        #expect(forged?.hint?.contains("someone may be attacking") == true)
    }
}
