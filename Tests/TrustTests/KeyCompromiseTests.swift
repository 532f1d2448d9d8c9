import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// What attackers can't do with less than a threshold of a role's keys (section 1.5.2 of the specification).
@Suite struct KeyCompromiseTests {
    @Test(arguments: ["root", "timestamp", "snapshot", "targets"])
    func `key compromise: less than a threshold of keys signs nothing`(role: String) async throws {
        var repository = TestRepository()
        let keys = (1...3).map { SigningKey("\(role)-\($0)") }
        repository.keys[role] = keys
        repository.thresholds[role] = 2
        repository.publish()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        repository.signers[role] = [keys[0]]
        repository.publishNext(file: "a.txt")
        repository.publishNextRoot()
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
        repository.signers[role] = [keys[2], keys[0]]
        repository.publish(["root"])
        repository.publishNext(file: "b.txt")
        try await client.update(from: repository)
    }

    @Test func `key compromise: a key that is listed under two identifiers counts once`() async throws {
        var repository = TestRepository()
        let key = SigningKey("one")
        repository.keys["targets"] = [key, key.renamed("two")]
        repository.thresholds["targets"] = 2
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
    }

    @Test func `key compromise: a file with two signatures of one key is refused`() async throws {
        var repository = TestRepository()
        let key = SigningKey("timestamp-key")
        repository.keys["timestamp"] = [key, SigningKey("other")]
        repository.thresholds["timestamp"] = 2
        repository.signers["timestamp"] = [key, key]
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.update(from: repository) } == .trustMalformed)
    }

    @Test func `key compromise: a revoked key signs nothing any more`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        let revoked = repository.keys["targets"]!
        repository.keys["targets"] = [SigningKey("targets-key-2")]
        repository.publishNextRoot()
        repository.publishNext(file: "a.txt")
        try await client.update(from: repository)
        repository.signers["targets"] = revoked
        repository.publishNext(file: "a.txt", content: "forged")
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
    }

    @Test func `key compromise: keys of one role sign no other role`() async throws {
        var repository = TestRepository()
        let online = repository.keys["timestamp"]!
        let client = try TestClient(trusting: repository)
        repository.signers["targets"] = online
        repository.publishNext(file: "a.txt", content: "forged")
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
    }

    @Test func `key compromise: a new root needs the keys of the root before it and its own`() async throws {
        for isOld in [true, false] {
            var repository = TestRepository()
            let client = try TestClient(trusting: repository)
            let old = repository.keys["root"]!
            let new = [SigningKey("root-key-2")]
            repository.keys["root"] = new
            repository.signers["root"] = isOld ? old : new
            repository.publishNextRoot()
            #expect(await failure { try await client.update(from: repository) } == .trustSignature)
            #expect(try client.version("root") == 1)
            repository.signers["root"] = old + new
            repository.publish(["root"])
            try await client.update(from: repository)
            #expect(try client.version("root") == 2)
        }
    }
}
