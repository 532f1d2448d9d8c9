import FoundationEssentials
import StoreModel
import StorePublishing
import StoreSystem
import StoreTestSupport
import StoreTrust
import Testing

/// Damaged files, and other mistakes in what signs a store.
extension SignedStoreTests {
    @Test func `a damaged file of lifetimes is named`() throws {
        try sign()
        try workshop.store().setLifetime(30, of: .targets)
        for damage in ["", "{", #"{"targets": "long"}"#] {
            try Directory.open(workshop.storePath + "/metadata").replace("lifetimes.json", with: Data(damage.utf8))
            let error = try #require(throws: StoreError.self) { try publish() }
            #expect(error.code == .storeDamaged && error.message.contains("/metadata/lifetimes.json'"), "\(error)")
        }
    }

    @Test func `one of several calls creates a key file, which has the key that the call returned`() async throws {
        let path = workshop.path + "/one.json"
        let made = await withTaskGroup(of: Result<PublicKey, any Error>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    Result {
                        try KeyFile.create(path: path, passphrase: "secret", derived: DerivedKeys(rounds: 1024))
                    }
                }
            }
            return await group.reduce(into: [Result<PublicKey, any Error>]()) { $0.append($1) }
        }
        let keys = made.compactMap { try? $0.get() }
        #expect(try keys == [KeyFile.read(path: path).publicKey])
        for result in made {
            guard case .failure(let error) = result else { continue }
            #expect((error as? StoreError)?.code == .keyExists, "\(error)")
        }
    }

    @Test func `a change that is taken back before it is signed waits for no signatures`() throws {
        try addVersion(1)
        try sign()
        try publish()
        try removeKey(.targets)
        let store = try workshop.store()
        try store.setPrice(Price("1 EUR"), of: "p")
        #expect(throws: StoreError.self) { try publish() }
        #expect(try store.signingRequest().items.map(\.role) == [.targets])
        try store.setPrice(.free, of: "p")
        #expect(try !publish().changed)
        let error = try #require(throws: StoreError.self) { try store.signingRequest() }
        #expect(error.code == .keyStaleRequest)
    }

    @Test func `an agent that can't be started is an error of the agent`() throws {
        try sign()
        // Longer than the system allows for one argument of a program.
        let agent = String(repeating: " ", count: 1 << 20)
        let error = try #require(throws: StoreError.self) { try publish(KeyRing(agent: agent)) }
        #expect(error.code == .keyAgent, "\(error)")
    }

    @Test func `a request is not taken for signed where the agent prints no signature`() throws {
        try sign()
        let key = PrivateKey().publicKey
        let store = try workshop.store()
        _ = try store.addKey(to: .targets, publicKey: key, keys: keys(), at: Self.start)
        _ = try store.setThreshold(2, of: .targets, keys: keys(), at: Self.start)
        #expect(throws: StoreError.self) { try publish() }
        var request = try store.signingRequest()
        let error = try #require(throws: StoreError.self) {
            try request.sign(with: KeyRing(agent: "true"), publicKeys: [key], path: "request")
        }
        #expect(error.code == .keyAgent, "\(error)")
    }

    @Test func `a key file in a directory that does not exist is refused with a hint`() throws {
        let error = try #require(throws: StoreError.self) {
            _ = try KeyFile.create(path: workshop.path + "/none/key.json", passphrase: "secret")
        }
        #expect(error.hint?.contains("a directory that exists") == true, "\(error)")
    }

    @Test func `no key is made for a store that is not signed`() throws {
        let ring = try keys()
        let error = try #require(throws: StoreError.self) {
            _ = try workshop.store().addKey(to: .targets, keys: ring, at: Self.start)
        }
        #expect(error.code == .keyNotSigned, "\(error)")
        #expect(try Directory.open(workshop.path + "/keys").entries().isEmpty)
    }

    @Test func `a key that the role has already is refused, and no root is made`() throws {
        try sign()
        let key = PrivateKey().publicKey
        let store = try workshop.store()
        let version = try store.addKey(to: .targets, publicKey: key, keys: keys(), at: Self.start).change.version
        let error = try #require(throws: StoreError.self) {
            _ = try store.addKey(to: .targets, publicKey: key, keys: keys(), at: Self.start)
        }
        #expect(error.code == .keyExists, "\(error)")
        #expect(try store.nextKeys().keys[.targets]?.filter { $0 == key }.count == 1)
        #expect(try store.setThreshold(1, of: .targets, keys: keys(), at: Self.start).version == version + 1)
    }

    @Test func `a request with a file that can't be shown to the person who signs it is refused`() throws {
        struct Document: Encodable {
            var role: String
            var metadata: String
            var keys: [String] = []
        }
        struct File: Encodable {
            var format = "storehouse-signing-request-1"
            var documents: [Document]
        }
        func request(_ role: String, _ signed: String) throws -> SigningRequest {
            let document = Document(role: role, metadata: #"{"signatures": [], "signed": \#(signed)}"#)
            return try SigningRequest(parsing: JSON.encode(File(documents: [document])), path: "request")
        }
        func targets(_ path: String) -> String {
            #"{"_type": "targets", "spec_version": "1.0.31", "version": 1, "expires": "2030-01-01T00:00:00Z", "#
                + #""targets": {"\#(path)": {"length": 1, "hashes": {"sha256": "00"}}}}"#
        }
        #expect(try request("targets", targets("catalogue.json")).items.map(\.role) == [.targets])
        // A control character, which the bytes that are signed have without an escape; another role; no metadata.
        let unreadable = [("targets", targets(#"a\u001Bb"#)), ("snapshot", targets("a")), ("targets", "{}")]
        for (role, signed) in unreadable {
            let error = try #require(throws: StoreError.self) { try request(role, signed) }
            #expect(error.code == .keyDamaged, "\(role): \(signed)")
        }
    }
}
