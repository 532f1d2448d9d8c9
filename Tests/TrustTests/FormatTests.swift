import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// The layout of metadata files (section 4 of the specification), and their canonical form.
@Suite struct FormatTests {
    @Test(arguments: [
        (#" { "b" : [ 1 , -20, 0 ] , "a" : { } , "B" : null } "#, #"{"B":null,"a":{},"b":[1,-20,0]}"#),
        (#"{"t": true, "f": false, "é": "ü"}"#, #"{"f":false,"t":true,"é":"ü"}"#),
        (#""a\"b\\c\/d\u0041\n""#, "\"a\\\"b\\\\c/dA\n\""),
        // By bytes: U+FFFD is before U+1F600, although its UTF-16 is greater.
        ("{\"\u{1F600}\":1,\"\u{FFFD}\":2}", "{\"\u{FFFD}\":2,\"\u{1F600}\":1}"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
    ])
    func `the canonical form is that of OLPC`(text: String, canonical: String) throws {
        let json: CanonicalJSON = try JSON.read(from: Data(text.utf8))
        #expect(String(decoding: json.encoded, as: UTF8.self) == canonical)
    }

    @Test(arguments: ["1.0", "1e3", "01", "-0", "-", "+1", #"{"a":1,"a":2}"#, "[1] x", "", #""\ud800""#, "tru", "[1,]"])
    func `what has no canonical form is refused`(text: String) {
        #expect(throws: JSONReader.Malformed.self) {
            try JSON.read(CanonicalJSON.self, from: Data(text.utf8))
        }
    }

    @Test func `metadata that is nested too deep is refused`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.server["timestamp.json"] = Data(String(repeating: "[", count: 10_000).utf8)
        #expect(await failure { try await client.update(from: repository) } == .trustMalformed)
    }

    @Test func `members that the specification does not define are signed, and ignored`() async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.change = { role, signed in
            signed["x-extra"] = ["a": [1, "b", false]]
            if role == "root" {
                signed["keys"]?["root-key"]?["x-extra"] = "value"
                signed["roles"]?["root"]?["x-extra"] = "value"
                signed["roles"]?["mirrors"] = ["keyids": [], "threshold": 1]
            }
        }
        repository.publishNextRoot()
        repository.publish()
        try await client.update(from: repository)
        #expect(try client.version("root") == 2)
        let text = String(decoding: repository.server["timestamp.json"]!, as: UTF8.self)
        repository.server["timestamp.json"] = Data(text.replacing(#"[1,"b",false]"#, with: #"[2,"b",false]"#).utf8)
        let other = try TestClient(trusting: repository)
        #expect(await failure { try await other.update(from: repository) } == .trustSignature)
    }

    @Test func `keys of unknown kinds and unusable values don't count for the threshold`() async throws {
        var repository = TestRepository()
        var unknown = SigningKey("unknown")
        unknown.description = ["keytype": "sphincs", "scheme": "sphincs-256", "keyval": ["other": 1]]
        var damaged = SigningKey("damaged")
        damaged.description = SigningKey.describe("ed25519", "ed25519", "zz")
        let good = SigningKey("good")
        repository.keys["timestamp"] = [unknown, damaged, good]
        repository.publish()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        repository.thresholds["timestamp"] = 2
        repository.publishNextRoot()
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
    }

    @Test(arguments: SigningKey.Kind.allCases)
    func `each kind of key of the specification verifies signatures`(kind: SigningKey.Kind) async throws {
        var repository = TestRepository()
        repository.keys["timestamp"] = [SigningKey("key", kind: kind)]
        repository.publish()
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
        // Another key of the same kind.
        repository.signers["timestamp"] = [SigningKey("key", kind: kind)]
        repository.publishNext()
        #expect(await failure { try await client.update(from: repository) } == .trustSignature)
    }

    @Test(arguments: ["", "00", "zz", "0"])
    func `a signature that is none does not prevent others from counting`(signature: String) async throws {
        var repository = TestRepository()
        repository.keys["timestamp"]!.append(SigningKey("other"))
        repository.publish()
        var document: CanonicalJSON = try JSON.read(from: repository.server["timestamp.json"]!)
        guard case .array(var signatures)? = document["signatures"] else { throw CocoaError(.coderReadCorrupt) }
        signatures[0]["sig"] = .string(signature)
        document["signatures"] = .array(signatures)
        repository.server["timestamp.json"] = Data(document.encoded)
        let client = try TestClient(trusting: repository)
        try await client.update(from: repository)
    }

    /// A change of a metadata file after which it does not have the specified layout.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let role: String
        let testDescription: String
        let change: @Sendable (inout CanonicalJSON) -> Void

        init(_ role: String, _ description: String, _ change: @escaping @Sendable (inout CanonicalJSON) -> Void) {
            self.role = role
            testDescription = description
            self.change = change
        }
    }

    @Test(arguments: [
        Mistake("root", "no keys") { $0["keys"] = nil },
        Mistake("root", "a role without keys") { $0["roles"]?["snapshot"] = nil },
        Mistake("root", "threshold 0") { $0["roles"]?["timestamp"]?["threshold"] = 0 },
        Mistake("root", "a negative threshold") { $0["roles"]?["root"]?["threshold"] = -1 },
        Mistake("root", "a key twice in a role") { $0["roles"]?["root"]?["keyids"] = ["root-key", "root-key"] },
        Mistake("root", "a key that is none") { $0["keys"]?["root-key"] = "text" },
        Mistake("root", "consistent snapshots that are no Boolean") { $0["consistent_snapshot"] = "true" },
        Mistake("timestamp", "another type") { $0["_type"] = "snapshot" },
        Mistake("timestamp", "no version") { $0["version"] = nil },
        Mistake("timestamp", "version 0") { $0["version"] = 0 },
        Mistake("timestamp", "a version as text") { $0["version"] = "1" },
        Mistake("timestamp", "a version that is too great") { $0["version"] = .integer("99999999999999999999") },
        Mistake("timestamp", "a version that has no successor") { $0["version"] = .integer(String(Int.max)) },
        Mistake("timestamp", "no expiry") { $0["expires"] = nil },
        Mistake("timestamp", "an expiry that is no date") { $0["expires"] = "tomorrow" },
        Mistake("timestamp", "no snapshot") { $0["meta"] = [:] },
        Mistake("timestamp", "an empty list of hashes") { $0["meta"]?["snapshot.json"]?["hashes"] = [:] },
        Mistake("timestamp", "a hash that is none") { $0["meta"]?["snapshot.json"]?["hashes"] = ["sha256": "x"] },
        Mistake("timestamp", "a negative length") { $0["meta"]?["snapshot.json"]?["length"] = -1 },
        Mistake("snapshot", "a list instead of an object") { $0["meta"] = [] },
        Mistake("snapshot", "version 0 of targets") { $0["meta"]?["targets.json"]?["version"] = 0 },
        Mistake("targets", "no targets") { $0["targets"] = nil },
        Mistake("targets", "a file without length") { $0["targets"]?["a"] = ["hashes": ["sha256": "00"]] },
        Mistake("targets", "a file without hashes") { $0["targets"]?["a"] = ["length": 1] },
        Mistake("targets", "delegations without keys") { $0["delegations"] = ["roles": []] },
        Mistake("targets", "a delegated role of a top-level role's name") {
            $0["delegations"] = Self.delegations(["name": "root", "keyids": [], "threshold": 1, "paths": ["*"]])
        },
        Mistake("targets", "a delegation without a name") {
            $0["delegations"] = Self.delegations(["name": "", "keyids": [], "threshold": 1, "paths": ["*"]])
        },
        Mistake("targets", "hash bins of 33 bits") {
            $0["delegations"] = [
                "keys": [:],
                "succinct_roles": ["keyids": [], "threshold": 1, "bit_length": 33, "name_prefix": "bin"],
            ]
        },
        Mistake("targets", "two delegations to one role") {
            let role: CanonicalJSON = ["name": "A", "keyids": [], "threshold": 1, "paths": ["*"]]
            $0["delegations"] = Self.delegations(role, role)
        },
        Mistake("targets", "a delegation of no paths") {
            $0["delegations"] = Self.delegations(["name": "A", "keyids": [], "threshold": 1])
        },
        Mistake("targets", "a delegation with paths and prefixes") {
            $0["delegations"] = Self.delegations([
                "name": "A", "keyids": [], "threshold": 1, "paths": ["*"], "path_hash_prefixes": ["0"],
            ])
        },
    ])
    func `metadata that does not have the specified layout is refused`(mistake: Mistake) async throws {
        var repository = TestRepository()
        let client = try TestClient(trusting: repository)
        repository.change = { role, signed in if role == mistake.role { mistake.change(&signed) } }
        if mistake.role == "root" { repository.publishNextRoot() } else { repository.publish() }
        #expect(await failure { try await client.update(from: repository) } == .trustMalformed)
    }

    private static func delegations(_ roles: CanonicalJSON...) -> CanonicalJSON {
        ["keys": [:], "roles": .array(roles)]
    }

    @Test func `metadata of another major version of the specification is refused`() async throws {
        for (version, isKnown) in [("2.0.0", false), ("10.0.0", false), ("1.0", true), ("1.9.9", true), ("", false)] {
            var repository = TestRepository()
            let client = try TestClient(trusting: repository)
            repository.change = { role, signed in
                if role == "timestamp" { signed["spec_version"] = .string(version) }
            }
            repository.publish()
            if isKnown {
                try await client.update(from: repository)
            } else {
                #expect(await failure { try await client.update(from: repository) } == .trustUnsupported, "\(version)")
            }
        }
    }

    @Test func `all known hashes of a file are checked, and one has to be known`() async throws {
        var repository = TestRepository()
        repository.roles["targets"]!.files["a"] = Data("a".utf8)
        let client = try TestClient(trusting: repository)
        let digests: [(CanonicalJSON, ErrorCode?)] = [
            (["sha256": "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", "blake9": "00"], nil),
            (["sha256": "CA978112CA1BBDCAFAC231B39A23DC4DA786EFF8147C4E72B9807785AFEE48BB"], nil),
            (
                ["sha256": "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", "sha512": "00"],
                .trustHashMismatch
            ),
            (["blake9": "00"], .trustUnsupported),
        ]
        for (hashes, code) in digests {
            repository.change = { role, signed in if role == "targets" { signed["targets"]?["a"]?["hashes"] = hashes } }
            repository.publish()
            let metadata = try await client.update(from: repository)
            let file = try #require(metadata.targets.signed.file("a"))
            let result = Result { () throws(StoreError) in try file.check(Data("a".utf8)) }
            switch result {
            case .success: #expect(code == nil)
            case .failure(let error): #expect(error.code == code)
            }
            try client.directory.remove("targets.json")
            try client.directory.remove("snapshot.json")
            try client.directory.remove("timestamp.json")
        }
    }

    @Test func `what a publisher states of a file beyond the specification is available`() async throws {
        var repository = TestRepository()
        repository.roles["targets"]!.files["a"] = Data("a".utf8)
        repository.change = { role, signed in
            if role == "targets" { signed["targets"]?["a"]?["custom"] = ["prefix": "org.example"] }
        }
        repository.publish()
        let client = try TestClient(trusting: repository)
        let file = try await client.update(from: repository).targets.signed.allFiles.first
        #expect(file?.custom?["prefix"] == "org.example")
    }
}
