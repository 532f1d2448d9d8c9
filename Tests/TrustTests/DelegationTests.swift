import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// The search for a file in delegated roles (sections 4.5 and 5.6.7 of the specification).
@Suite struct DelegationTests {
    /// Returns the roles that a client loads, in their order, while it looks for a file that no role lists.
    private static func visited(_ path: String, in repository: TestRepository) async throws -> [String] {
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.file(path, from: repository) } == .trustUnknownTarget)
        return client.requests.dropFirst(4).map { String($0.dropFirst(2).dropLast(5)) }
    }

    @Test func `roles are searched depth first, in the order of the delegations`() async throws {
        var repository = TestRepository()
        for (delegator, role) in [("targets", "A"), ("targets", "B"), ("A", "C"), ("A", "D"), ("C", "E")] {
            repository.delegate(from: delegator, to: role)
        }
        repository.publish()
        #expect(try await Self.visited("x", in: repository) == ["A", "C", "E", "D", "B"])
    }

    @Test func `after a terminating delegation, only its role and that role's delegations are searched`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A")
        repository.delegate(from: "A", to: "C", isTerminating: true)
        repository.delegate(from: "C", to: "E")
        repository.delegate(from: "A", to: "D")
        repository.delegate(to: "B")
        repository.publish()
        #expect(try await Self.visited("x", in: repository) == ["A", "C", "E"])
    }

    @Test func `a terminating delegation of other paths ends nothing`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A", paths: ["a/*"], isTerminating: true)
        repository.delegate(to: "B")
        repository.publish()
        #expect(try await Self.visited("x", in: repository) == ["B"])
    }

    @Test func `cycles of delegations end`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A")
        repository.delegate(from: "A", to: "B")
        let key = repository.roles["A"]!.signers[0]
        repository.delegate(from: "B", to: "A", key: key)
        repository.publish()
        #expect(try await Self.visited("x", in: repository) == ["A", "B"])
    }

    @Test func `the first role that lists a file counts`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A", files: ["x": "of A"])
        repository.delegate(to: "B", files: ["x": "of B", "y": "of B"])
        repository.roles["targets"]!.files["y"] = Data("of targets".utf8)
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("x", from: repository) == "of A")
        #expect(try await client.file("y", from: repository) == "of targets")
    }

    @Test func `a role is searched only for paths of all delegations on the way to it`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A", paths: ["releases/*/*"])
        repository.delegate(
            from: "A", to: "B", paths: ["releases/x/*", "other"], files: ["releases/x/1": "x", "other": "o"])
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("releases/x/1", from: repository) == "x")
        #expect(await failure { try await client.file("other", from: repository) } == .trustUnknownTarget)
    }

    @Test func `a delegated role is verified against the role that delegates to it, each time`() async throws {
        // Both delegate to C with keys of their own; the keys that A names have signed it, those that B names have not.
        var repository = TestRepository()
        repository.delegate(to: "A", paths: ["a"])
        repository.delegate(to: "B", paths: ["b"])
        repository.delegate(from: "A", to: "C", paths: ["a"], files: ["a": "a", "b": "b"])
        repository.delegate(from: "B", to: "C", paths: ["b"], key: SigningKey("other-key"))
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("a", from: repository) == "a")
        #expect(await failure { try await client.file("b", from: repository) } == .trustSignature)
        #expect(try await client.file("a", from: repository) == "a")
    }

    @Test func `within one search, a role is verified against each role that delegates to it`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A")
        repository.delegate(from: "A", to: "C")
        repository.delegate(to: "B")
        repository.delegate(from: "B", to: "C", key: SigningKey("other-key"))
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.file("x", from: repository) } == .trustSignature)
    }

    @Test(arguments: [("trust.signature", 2), ("trust.unknown-target", 1)])
    func `the threshold of a delegation counts`(code: String, threshold: Int) async throws {
        var repository = TestRepository()
        repository.delegate(to: "A", threshold: threshold)
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.file("x", from: repository) }?.rawValue == code)
    }

    @Test func `a delegated role is stored once it is verified, and fetched again after a new version`() async throws {
        var repository = TestRepository()
        repository.delegate(to: "A", files: ["x": "1"])
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("x", from: repository) == "1")
        #expect(client.requests.last == "1.A.json")
        #expect(try await client.file("x", from: repository) == "1")
        #expect(client.requests == ["2.root.json", "timestamp.json"])
        repository.roles["A"]!.version = 2
        repository.roles["A"]!.files["x"] = Data("2".utf8)
        repository.publishNext()
        #expect(try await client.file("x", from: repository) == "2")
        #expect(client.requests.last == "2.A.json")
    }

    @Test func `path hash prefixes delegate the paths whose hash begins with one of them`() async throws {
        // The SHA-256 of "x" begins with 2d71, that of "y" with a1fc.
        var repository = TestRepository()
        repository.delegate(to: "A", files: ["x": "x", "y": "y"])
        repository.roles["targets"]!.delegations[0]["paths"] = nil
        repository.roles["targets"]!.delegations[0]["path_hash_prefixes"] = ["00", "2D7"]
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("x", from: repository) == "x")
        #expect(await failure { try await client.file("y", from: repository) } == .trustUnknownTarget)
    }

    @Test(arguments: [(1, "bin-0"), (8, "bin-2d"), (10, "bin-0b5"), (32, "bin-2d711642")])
    func `hash bins delegate a path by the first bits of its hash`(bits: Int, role: String) async throws {
        var repository = TestRepository()
        repository.delegate(to: role, files: ["x": "content"])
        let key = repository.roles[role]!.signers[0]
        repository.change = { name, signed in
            guard name == "targets" else { return }
            signed["delegations"]?["roles"] = nil
            signed["delegations"]?["succinct_roles"] = [
                "keyids": [.string(key.identifier)], "threshold": 1, "bit_length": .integer(String(bits)),
                "name_prefix": "bin",
            ]
        }
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(try await client.file("x", from: repository) == "content")
        // The SHA-256 of "y" begins with a1fc: it is in a bin that does not exist.
        #expect(await failure { try await client.file("y", from: repository) } == .trustMixed)
    }

    @Test(arguments: [
        "../../escape", "/absolute", "?", "#", "..", ".", "with space", "caf\u{E9}",
    ])
    func `the name of a role is no path, neither on the server nor on this computer`(role: String) async throws {
        var repository = TestRepository()
        repository.delegate(to: role)
        repository.publish()
        let client = try TestClient(trusting: repository)
        #expect(await failure { try await client.file("x", from: repository) } == .trustUnknownTarget)
        let request = try #require(client.requests.last)
        #expect(request.hasPrefix("1.") && !request.contains("/") && !request.contains("?") && !request.contains(" "))
        #expect(try client.directory.entries().allSatisfy { $0.kind == .file })
    }

    @Test(arguments: [
        ("targets/*.tgz", "targets/foo.tgz", true), ("targets/*.tgz", "targets/foo.txt", false),
        ("foo-version-?.tgz", "foo-version-2.tgz", true), ("foo-version-?.tgz", "foo-version-alpha.tgz", false),
        ("*.tgz", "foo.tgz", true), ("*.tgz", "targets/foo.tgz", false), ("foo.tgz", "foo.tgz", true),
        ("foo.tgz", "bar.tgz", false), ("*", "", true), ("", "", true), ("", "a", false), ("a*b*c", "aXbXbc", true),
        ("a*b*c", "aXbX", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[]]", "]", true),
        ("[a", "[a", true), ("publishers/*", "publishers/a/b", false), ("*/b", "a/b", true), ("a?b", "a/b", false),
    ])
    func `patterns of paths match as in the specification`(pattern: String, path: String, isMatch: Bool) {
        #expect(PathPattern(pattern).matches(path) == isMatch)
    }

    @Test func `a pattern of many wildcards takes no time`() {
        let pattern = String(repeating: "*a", count: 2_000) + "b"
        #expect(!PathPattern(pattern).matches(String(repeating: "a", count: 4_000)))
    }

    @Test func `a pattern of many brackets takes no time`() {
        let path = String(repeating: "[", count: 1_000_000)
        #expect(PathPattern(path).matches(path) && !PathPattern(path).matches("catalogue.json"))
        #expect(PathPattern("*" + path + "]").matches("a["))
    }

    @Test func `metadata of roles that are not used any more is removed`() throws {
        let client = try TestClient(trusting: TestRepository())
        for role in ["kept", "gone"] { try client.directory.put(role + ".json", "{}") }
        let directory = MetadataDirectory(client.directory)
        #expect(try directory.content(of: "kept.json", limit: 10) != nil)
        try directory.removeUnused()
        #expect(try Set(client.directory.entries().map(\.name)) == ["root.json", "kept.json"])
        try directory.removeUnused()
        #expect(try client.directory.entries().map(\.name) == ["root.json"])
    }
}
