import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// Stores of several publishers, from signing to the client: what the thief of a publisher's key can't do.
@Suite struct PublisherWorkflowTests {
    private static let cats = "publishers/cats/index.json"
    private static let dogs = "publishers/dogs/index.json"

    /// Returns the content of a file of the store, as a client with its rules for publishers verifies it.
    @discardableResult
    private static func file(_ path: String, _ store: PublisherStore, _ client: TestClient) async throws -> String {
        try await client.file(path, from: store.repository, hasPublishers: true)
    }

    @Test func `files of each publisher and of the owner are verified with their own keys`() async throws {
        let store = try PublisherStore()
        let client = try TestClient(trusting: store.repository)
        #expect(try await Self.file(Self.cats, store, client) == "cats")
        #expect(try await Self.file(Self.dogs, store, client) == "dogs")
        #expect(try await Self.file("catalogue.json", store, client) == "own")
        let metadata = try await client.update(from: store.repository)
        let publishers = try metadata.publishers()
        #expect(publishers.publishers.map(\.identifierPrefix) == ["com.example.dogs.", "org.example.cats."])
        #expect(metadata.targets.signed.keys.count == 2)
        try publishers.check(productIdentifier: "org.example.cats.tabby", from: "cats")
        #expect(
            await failure { try publishers.check(productIdentifier: "org.example.cats.tabby", from: "dogs") }
                == .trustPublisherScope)
    }

    @Test func `the search for a publisher's file does not compare it with the patterns of all others`() async throws {
        var store = try PublisherStore()
        let keys = try #require(store.delegations.first).keys
        let names = (0..<5_000).map { "p\($0)" }
        for name in names {
            store.delegations.append(try .publisher(name, identifierPrefix: "\(name).", keys: keys))
        }
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        #expect(try await Self.file(Self.cats, store, client) == "cats")
        let metadata = try await client.update(from: store.repository)
        let publishers = try metadata.publishers()
        func error(_ path: String) -> ErrorTemplate? {
            do throws(StoreError) {
                _ = try TargetSearch(for: path, in: metadata, publishers: publishers)
                return nil
            } catch {
                return error.template
            }
        }
        // The table names each publisher, and the snapshot does not list their metadata.
        #expect(names.allSatisfy { error("publishers/\($0)/index.json") == .trustNotListed })
        for path in ["publishers/p5000/a", "publishers/cats", "publishers/cats/a/b", "other/cats/a", "a"] {
            #expect(error(path) == .trustTargetUnknown, "\(path)")
        }
    }

    @Test func `a delegation is the same after it was signed and parsed`() async throws {
        let key = PrivateKey().publicKey
        let keys = RoleKeys(keyIDs: [key.identifier, "other"], threshold: 2)
        let patterns = Delegation(
            role: "a", keys: keys, isTerminating: true, paths: .patterns([PathPattern("a/*"), PathPattern("[b]/?")]),
            identifierPrefix: "org.example.")
        let hashes = Delegation(role: "b", keys: keys, isTerminating: false, paths: .hashPrefixes(["00", "2d7"]))
        let document = MetadataDocument.targets(
            version: 1, expires: TestRepository.expires, files: [:], delegations: [patterns, hashes],
            keys: [key.identifier: key, "unused": PrivateKey().publicKey])
        let targets = try SignedMetadata<Targets>(parsing: document.bytes, file: "targets.json").signed
        #expect(Array(targets.keys.keys) == [key.identifier])
        #expect(targets.delegations.map(\.role) == ["a", "b"])
        #expect(targets.delegations.map(\.keys) == [keys, keys])
        #expect(targets.delegations.map(\.isTerminating) == [true, false])
        #expect(targets.delegations.map(\.identifierPrefix) == ["org.example.", nil])
        guard case .patterns(let read) = targets.delegations[0].paths,
            case .hashPrefixes(let prefixes) = targets.delegations[1].paths
        else {
            Issue.record("the kinds of paths have changed")
            return
        }
        #expect(read.map(\.text) == ["a/*", "[b]/?"] && prefixes == ["00", "2d7"])
        let again = MetadataDocument.targets(
            version: 1, expires: TestRepository.expires, files: [:], delegations: targets.delegations,
            keys: targets.keys)
        #expect(again.signedBytes == document.signedBytes)
    }

    @Test func `a prefix that is not text is refused`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "cats", paths: ["publishers/cats/*"], isTerminating: true)
        repository.roles["targets"]!.delegations[0]["x-identifier-prefix"] = 1
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.update(from: repository) } == .trustMalformed)
    }

    @Test func `two delegations to one publisher are refused`() async throws {
        var store = try PublisherStore()
        store.delegations.append(store.delegations[0])
        let malformed = await failure { try store.publish() }
        #expect(malformed == .trustMalformed)
    }

    @Test func `key compromise: a publisher's metadata with another publisher's path is refused`() async throws {
        var store = try PublisherStore()
        let client = try TestClient(trusting: store.repository)
        store.roles["dogs"]!.version = 2
        store.roles["dogs"]!.files[Self.cats] = "forged"
        try store.publish()
        #expect(try await Self.file(Self.cats, store, client) == "cats")
        #expect(await failure { try await Self.file(Self.dogs, store, client) } == .trustPublisherScope)
        #expect(try client.version("dogs") == nil, "refused metadata is not stored")
        // Nor by the framework's own rules, which ignore what a role is not trusted for.
        #expect(try await client.file(Self.cats, from: store.repository) == "cats")
        #expect(try await client.file(Self.dogs, from: store.repository) == "dogs")
    }

    @Test func `key compromise: a publisher's metadata with a path of the owner is refused`() async throws {
        var store = try PublisherStore()
        store.roles["dogs"]!.files["other.json"] = "forged"
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        #expect(await failure { try await Self.file("other.json", store, client) } == .trustUnknownTarget)
        #expect(await failure { try await Self.file(Self.dogs, store, client) } == .trustPublisherScope)
    }

    @Test func `key compromise: a publisher's key does not sign another publisher's metadata`() async throws {
        var store = try PublisherStore()
        store.roles["cats"]!.key = store.roles["dogs"]!.key
        store.roles["cats"]!.files[Self.cats] = "forged"
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        #expect(await failure { try await Self.file(Self.cats, store, client) } == .trustSignature)
        #expect(try await Self.file(Self.dogs, store, client) == "dogs")
    }

    @Test func `key compromise: the online key does not sign a publisher's metadata`() async throws {
        var store = try PublisherStore()
        store.roles["cats"]!.key = store.online
        store.roles["cats"]!.files[Self.cats] = "forged"
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        #expect(await failure { try await Self.file(Self.cats, store, client) } == .trustSignature)
    }

    @Test func `key compromise: a publisher that delegates further is refused`() async throws {
        var store = try PublisherStore()
        let thief = PrivateKey()
        store.keys[thief.publicKey.identifier] = thief.publicKey
        store.roles["dogs"]!.delegations = [
            Delegation(
                role: "thief", keys: RoleKeys(keyIDs: [thief.publicKey.identifier], threshold: 1), isTerminating: false,
                paths: .patterns([PathPattern("publishers/dogs/*")]))
        ]
        store.roles["thief"] = .init(files: ["publishers/dogs/shard.json": "forged"], key: thief)
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        let path = "publishers/dogs/shard.json"
        #expect(await failure { try await Self.file(path, store, client) } == .trustPublisherScope)
        #expect(await failure { try await Self.file(Self.dogs, store, client) } == .trustPublisherScope)
        #expect(try await Self.file(Self.cats, store, client) == "cats")
        // The framework itself allows it.
        #expect(try await client.file(path, from: store.repository) == "forged")
    }

    @Test func `metadata of a publisher that was stored before is checked again`() async throws {
        var store = try PublisherStore()
        store.roles["dogs"]!.files["publishers/dogs/..x"] = "x"
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        #expect(try await client.file(Self.dogs, from: store.repository) == "dogs")
        #expect(try client.version("dogs") == 1)
        #expect(await failure { try await Self.file(Self.dogs, store, client) } == .trustPublisherScope)
    }

    @Test func `the files of a revoked publisher do not exist any more, and the store stays usable`() async throws {
        var store = try PublisherStore()
        let client = try TestClient(trusting: store.repository)
        #expect(try await Self.file(Self.dogs, store, client) == "dogs")
        store.revoke("dogs")
        try store.publish()
        #expect(try await Self.file(Self.cats, store, client) == "cats")
        #expect(await failure { try await Self.file(Self.dogs, store, client) } == .trustUnknownTarget)
        let metadata = try await client.update(from: store.repository)
        #expect(metadata.snapshot.signed.files["dogs.json"]?.version == 1)
        #expect(metadata.targets.signed.keys.count == 1)
        let publishers = try metadata.publishers()
        #expect(publishers.owner(of: "com.example.dogs.rex") == nil)
        #expect(
            await failure { try publishers.check(productIdentifier: "com.example.dogs.rex", from: "dogs") }
                == .trustUnknownPublisher)
        // The next snapshot lists it, too.
        try store.publish()
        #expect(try await client.update(from: store.repository).snapshot.signed.files["dogs.json"]?.version == 1)
    }

    @Test func `clients refuse a snapshot that no longer lists a revoked publisher`() async throws {
        var store = try PublisherStore()
        let client = try TestClient(trusting: store.repository)
        try await client.update(from: store.repository)
        store.revoke("dogs")
        try store.publish(keepsListing: false)
        #expect(await failure { try await Self.file(Self.cats, store, client) } == .trustRollback)
    }

    @Test func `a publisher that gets a new key goes on with the next version`() async throws {
        var store = try PublisherStore()
        let client = try TestClient(trusting: store.repository)
        #expect(try await Self.file(Self.dogs, store, client) == "dogs")
        store.revoke("dogs")
        try store.add("dogs", "com.example.dogs.")
        store.roles["dogs"]!.version = 2
        store.roles["dogs"]!.files[Self.dogs] = "new"
        try store.publish()
        #expect(try await Self.file(Self.dogs, store, client) == "new")
    }

    @Test func `a table that does not keep publishers apart is refused`() async throws {
        var store = try PublisherStore()
        try store.add("puppies", "com.example.dogs.puppies.")
        try store.publish()
        let client = try TestClient(trusting: store.repository)
        let metadata = try await client.update(from: store.repository)
        let error = try #require(throws: StoreError.self) { try metadata.publishers() }
        #expect(error.code == .trustPublishers && error.template == .trustPublisherOverlap)
        #expect(error.message.contains("'com.example.dogs.puppies.'") && error.hint != nil)
    }

    @Test func `in a store without publishers, delegations are searched as the framework says`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A", paths: ["*"], files: ["x": "1"])
        repository.delegate(from: "A", to: "B", paths: ["*"], files: ["y": "2"])
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("x", from: repository, hasPublishers: true) == "1")
        #expect(try await client.file("y", from: repository, hasPublishers: true) == "2")
    }
}
