import FoundationEssentials
import StoreModel
import StorePublishing
import StoreSystem
import StoreTestSupport
import StoreTrust
import Testing

/// Publications of signed stores, which the client's own code verifies.
@Suite struct SignedStoreTests {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day: TimeInterval = 86_400
    let workshop: Workshop
    private let client: TemporaryFolder

    init() throws {
        workshop = try Workshop()
        client = try TemporaryFolder(inMemory: true)
    }

    /// Returns the keys of a directory, all of the store's by default.
    func keys(_ name: String = "keys", passphrase: String = "secret") throws -> KeyRing {
        let directory = try KeyDirectory(path: workshop.path + "/" + name, publicPath: workshop.publicPath)
        return KeyRing(directory: directory, passphrase: { _ in passphrase }, derived: DerivedKeys(rounds: 1024))
    }

    /// Makes the store a signed one whose root the client trusts.
    func sign() throws {
        _ = try workshop.store().makeKeys(keys(), at: Self.start)
        try MetadataDirectory(client.directory).initialize(
            root: Directory.open(workshop.storePath + "/metadata").read("1.root.json"))
    }

    @discardableResult
    func publish(_ ring: KeyRing? = nil, after days: Double = 0) throws -> Storehouse.Published {
        try workshop.store().publish(keys: ring ?? keys(), at: Self.start + days * Self.day)
    }

    /// Updates the client's metadata from the public directory, and checks the index that it lists.
    @discardableResult
    private func update(after days: Double = 0) async throws -> VerifiedMetadata {
        let served = try Directory.open(workshop.publicPath)
        let updater = MetadataUpdater(in: MetadataDirectory(client.directory)) { request in
            let name = "metadata/" + request.remoteName
            return try served.status(of: name) == nil ? nil : served.read(name)
        }
        let metadata = try await updater.update(at: Self.start + days * Self.day)
        let index = try await updater.file("catalogue.json", in: metadata)
        try index.check(served.read(index.remotePath(hasConsistentSnapshots: true)))
        return metadata
    }

    func addVersion(_ number: Int) throws {
        try workshop.add(workshop.pack("p", ["a.png": "p \(number)"]), AddOptions(version: Version("\(number).0.0")))
    }

    func removeKey(_ role: TopLevelRole) throws {
        let root = try workshop.store().newestRoot().signed
        let directory = try Directory.open(workshop.path + "/keys")
        for identifier in root.keys(of: role).keyIDs { try directory.remove(identifier + ".json") }
    }

    @Test func `a directory is no key file`() throws {
        let folder = try TemporaryFolder()
        let error = try #require(throws: StoreError.self) { try KeyFile.read(path: folder.path) }
        #expect(error.code == .keyDamaged && error.hint?.contains("chmod") == false, "\(error)")
    }

    @Test func `a publication is verified by the client, and again when it changes`() async throws {
        try addVersion(1)
        try sign()
        #expect(try publish().signed.map(\.role) == [.targets, .snapshot, .timestamp])
        #expect(try await update().targets.signed.version == 1)
        #expect(try workshop.published()["catalogue.json"] != nil)
        try addVersion(2)
        try publish()
        let metadata = try await update()
        #expect(metadata.targets.signed.version == 2 && metadata.timestamp.signed.version == 2)
        #expect(metadata.root.signed.version == 1)
    }

    @Test func `a publication without changes signs nothing`() throws {
        try sign()
        try publish()
        let before = try workshop.published()
        let again = try publish()
        #expect(!again.changed && again.signed.isEmpty)
        #expect(try workshop.published() == before)
    }

    @Test func `files of the previous metadata stay for one more publication`() throws {
        try sign()
        for number in 1...3 {
            try addVersion(number)
            try publish()
        }
        let names = Set(try workshop.published().keys)
        #expect(names.isSuperset(of: ["metadata/1.root.json", "metadata/root.json", "metadata/timestamp.json"]))
        let versions = names.filter { $0.hasSuffix(".targets.json") || $0.hasSuffix(".snapshot.json") }
        #expect(
            versions == [
                "metadata/2.targets.json", "metadata/3.targets.json", "metadata/2.snapshot.json",
                "metadata/3.snapshot.json",
            ])
        #expect(names.count { $0.hasSuffix(".catalogue.json") } == 2)
    }

    @Test func `without the key of the targets, clients still see the previous catalogue`() async throws {
        try sign()
        try publish()
        let before = try workshop.published()["catalogue.json"]
        try removeKey(.targets)
        try addVersion(1)
        let error = try #require(throws: StoreError.self) { try publish() }
        #expect(error.code == .keyMissingSignatures)
        #expect(try workshop.published()["catalogue.json"] == before)
        #expect(try await update().targets.signed.version == 1)
    }

    @Test func `a renewal needs the online keys only, and signs nothing before half of the lifetime is over`()
        async throws
    {
        try sign()
        try publish()
        try removeKey(.root)
        try removeKey(.targets)
        #expect(try workshop.store().renew(keys: keys(), at: Self.start + 0.4 * Self.day).renewed.isEmpty)
        let day = try workshop.store().renew(keys: keys(), at: Self.start + 0.6 * Self.day)
        #expect(day.renewed.map(\.description) == ["timestamp.json version 2"])
        #expect(try await update(after: 1.5).timestamp.signed.version == 2)
        let week = try workshop.store().renew(keys: keys(), at: Self.start + 4 * Self.day)
        #expect(week.renewed.map(\.role) == [.snapshot, .timestamp] && week.expiring.isEmpty)
        #expect(try await update(after: 4.9).snapshot.signed.version == 2)
        let late = try workshop.store().renew(keys: keys(), at: Self.start + 80 * Self.day)
        #expect(late.expiring.map(\.role) == [.targets])
    }

    @Test func `a renewal without the online keys fails before the metadata has expired`() async throws {
        try sign()
        try publish()
        try removeKey(.timestamp)
        let error = try #require(throws: StoreError.self) {
            try workshop.store().renew(keys: keys(), at: Self.start + 0.6 * Self.day)
        }
        #expect(error.code == .keyMissingSignatures)
        #expect(error.message.contains("'timestamp.json' has 0 of 1 signatures"))
        #expect(try await update(after: 0.6).timestamp.signed.version == 1)
        // A publication that changes nothing only warns.
        #expect(try publish(after: 0.6).waiting.map(\.role) == [.timestamp])
    }

    @Test func `a renewal does not publish a change of the catalogue`() async throws {
        try sign()
        try publish()
        let before = try workshop.published()["catalogue.json"]
        try addVersion(1)
        _ = try workshop.store().renew(keys: keys(), at: Self.start + 0.6 * Self.day)
        #expect(try workshop.published()["catalogue.json"] == before)
        #expect(try await update(after: 1).targets.signed.version == 1)
    }

    @Test(arguments: TopLevelRole.allCases)
    func `clients follow the rotation of a role's keys`(role: TopLevelRole) async throws {
        try sign()
        try publish()
        try await update()
        let rotated = try workshop.store().rotateKeys(of: role, keys: keys(), at: Self.start)
        #expect(rotated.change.missing == nil && rotated.change.version == 2)
        // The targets are not signed with new keys yet.
        if role == .targets {
            _ = try workshop.store().renew(keys: keys(), at: Self.start + 0.6 * Self.day)
            #expect(try await update().root.signed.version == 1)
        }
        try publish(after: 0.6)
        let metadata = try await update(after: 0.6)
        #expect(metadata.root.signed.version == 2)
        #expect(metadata.root.signed.keys(of: role).keyIDs == rotated.keys.map(\.identifier))
        #expect(try !publish(after: 0.6).changed)
    }

    @Test func `two signatures of two directories are needed where the threshold is two`() async throws {
        try sign()
        _ = try keys("second")
        let store = try workshop.store()
        let elsewhere = try KeyFile.create(
            path: workshop.path + "/second/key.json", passphrase: "secret", derived: DerivedKeys(rounds: 1024))
        _ = try store.addKey(to: .targets, publicKey: elsewhere, keys: keys(), at: Self.start)
        #expect(try store.setThreshold(2, of: .targets, keys: keys(), at: Self.start).missing == nil)
        #expect(throws: StoreError.self) { try publish() }
        // Only files are carried to the second key and back.
        var request = try SigningRequest(parsing: store.signingRequest().fileContent, path: "request")
        #expect(request.items.map(\.role) == [.targets])
        let files = KeyRing(files: [workshop.path + "/second/key.json"], passphrase: { _ in "secret" })
        let signed = try request.sign(with: files, publicKeys: [elsewhere], path: "request")
        #expect(signed.map(\.role) == [.targets])
        let carried = try SigningRequest(parsing: request.fileContent, path: "request")
        #expect(try store.importSignatures(of: carried, path: "request").map(\.signatures) == [2])
        #expect(try publish().signed.map(\.role) == [.targets, .snapshot, .timestamp])
        #expect(try await update().root.signed.keys(of: .targets).threshold == 2)
    }

    @Test func `a root below the threshold of its keys waits for the offline one`() async throws {
        try sign()
        try publish()
        let offline = try KeyFile.create(
            path: workshop.path + "/offline.json", passphrase: "other", derived: DerivedKeys(rounds: 1024))
        let store = try workshop.store()
        let ring = try keys()
        #expect(try store.addKey(to: .root, publicKey: offline, keys: ring, at: Self.start).change.missing == nil)
        let change = try store.setThreshold(2, of: .root, keys: ring, at: Self.start)
        #expect(change.missing?.found == 1 && change.missing?.threshold == 2 && change.version == 3)
        #expect(try store.newestRoot().signed.version == 2)
        var request = try store.signingRequest()
        let files = KeyRing(files: [workshop.path + "/offline.json"], passphrase: { _ in "other" })
        _ = try request.sign(with: files, publicKeys: [offline], path: "request")
        _ = try store.importSignatures(of: request, path: "request")
        try publish()
        #expect(try await update().root.signed.version == 3)
    }

    @Test func `signatures of another draft, or of a key without a role, are refused`() throws {
        try sign()
        try publish()
        try removeKey(.targets)
        let store = try workshop.store()
        #expect(throws: StoreError.self) { try store.signingRequest() }
        try addVersion(1)
        #expect(throws: StoreError.self) { try publish() }
        var request = try store.signingRequest()
        let stranger = try KeyFile.create(
            path: workshop.path + "/stranger.json", passphrase: "p", derived: DerivedKeys(rounds: 1024))
        let error = try #require(throws: StoreError.self) {
            try request.sign(
                with: KeyRing(files: [workshop.path + "/stranger.json"], passphrase: { _ in "p" }),
                publicKeys: [stranger], path: "request")
        }
        #expect(error.code == .keyNotAllowed)
        try addVersion(2)
        #expect(throws: StoreError.self) { try publish() }
        let stale = try #require(throws: StoreError.self) { try store.importSignatures(of: request, path: "request") }
        #expect(stale.code == .keyStaleRequest)
    }

    @Test func `an agent signs in place of a key file, and its signature is checked`() throws {
        try sign()
        try publish()
        let key = PrivateKey()
        let store = try workshop.store()
        _ = try store.addKey(to: .targets, publicKey: key.publicKey, keys: keys(), at: Self.start)
        #expect(try store.setThreshold(2, of: .targets, keys: keys(), at: Self.start).missing == nil)
        let ring = try keys()
        let directory = try #require(ring.directory)
        // Does not have the key; fails; prints something else.
        for (agent, code) in [
            ("cat > /dev/null", ErrorCode.keyMissingSignatures), ("exit 7", .keyAgent), ("echo 00", .keyAgent),
        ] {
            let agents = KeyRing(directory: directory, agent: agent, passphrase: { _ in "secret" })
            let error = try #require(throws: StoreError.self) { try publish(agents) }
            #expect(error.code == code, "\(agent)")
        }
        // The draft's bytes are the agent's input; the test signs them beforehand.
        let draft = try #require(try store.signingRequest().items.first { $0.role == .targets }).document
        let signature = Hexadecimal.text(try key.signature(of: draft.signedBytes))
        let agent =
            "test $(sha256sum | cut -c1-64) = \(SHA256Digest(of: draft.signedBytes).hex) && "
            + "test $STOREHOUSE_KEY = \(key.publicKey.identifier) && echo \(signature)"
        let signed = try publish(KeyRing(directory: directory, agent: agent, passphrase: { _ in "secret" }))
        #expect(signed.signed.map(\.role) == [.targets, .snapshot, .timestamp])
    }

    @Test func `revoking a key or raising a threshold keeps enough keys`() throws {
        try sign()
        let store = try workshop.store()
        let key = try #require(try store.newestRoot().signed.keys(of: .snapshot).keyIDs.first)
        for change in [
            { try store.revokeKey(key, keys: keys(), at: Self.start) },
            { try store.setThreshold(2, of: .root, keys: keys(), at: Self.start) },
        ] {
            let error = try #require(throws: StoreError.self) { try change() }
            #expect(error.code == .keyThreshold)
        }
        let added = try store.addKey(to: .snapshot, keys: keys(), at: Self.start)
        #expect(try store.revokeKey(String(key.prefix(12)), keys: keys(), at: Self.start).version == 3)
        #expect(try store.newestRoot().signed.keys(of: .snapshot).keyIDs == [added.key.identifier])
        let error = try #require(throws: StoreError.self) {
            try store.revokeKey("ffffffffffffffff", keys: keys(), at: Self.start)
        }
        #expect(error.code == .keyUnknown)
    }

    @Test func `keys are not kept where others can read them`() throws {
        try sign()
        let path = workshop.path + "/keys"
        #expect(try Directory.open(path).status().permissions == 0o700)
        for entry in try Directory.open(path).entries() {
            #expect(try Directory.open(path).status(of: entry.name)?.permissions == 0o600)
        }
        #expect(try Directory.open(path).entries().count == 4)
        func code(_ body: () throws -> Void) throws -> ErrorCode {
            try #require(throws: StoreError.self) { try body() }.code
        }
        #expect(
            try code { _ = try KeyDirectory(path: workshop.publicPath + "/keys", publicPath: workshop.publicPath) }
                == .keyUnsafe)
        #expect(try code { _ = try workshop.store().makeKeys(keys(), at: Self.start) } == .keyExists)
        #expect(try code { try publish(try keys(passphrase: "wrong")) } == .keyWrongPassphrase)
        let file = try #require(try workshop.store().newestRoot().signed.keys(of: .targets).keyIDs.first) + ".json"
        let content = try Directory.open(path).read(file)
        try Directory.open(path).replace(file, with: content, mode: 0o644)
        #expect(try code { try publish() } == .keyUnsafe)
        try Directory.open(path).replace(file, with: Data("{".utf8), mode: 0o600)
        #expect(try code { try publish() } == .keyDamaged)
        try Directory.open(path).setPermissions(0o750)
        #expect(try code { try publish() } == .keyUnsafe)
    }

    @Test func `a publication that can't be signed leaves what is served as it was`() async throws {
        try addVersion(1)
        try sign()
        try publish()
        let before = try workshop.published()
        try addVersion(2)
        #expect(throws: StoreError.self) { try publish(KeyRing(directory: keys().directory)) }
        #expect(throws: StoreError.self) { try publish(keys(passphrase: "wrong")) }
        #expect(throws: StoreError.self) { try publish(KeyRing()) }
        #expect(try workshop.published() == before)
        #expect(try publish().filesAdded > 0)
        #expect(try await update().targets.signed.version == 2)
    }

    @Test func `a publication after one that ended before its timestamp keeps the files that clients read`() throws {
        try addVersion(1)
        try sign()
        try publish()
        let before = try workshop.published()
        let read = Set(before.keys.filter { $0.hasPrefix("archives/") || $0.hasPrefix("catalogue/") })
        try addVersion(2)
        try publish()
        let timestamp = try #require(before["metadata/timestamp.json"])
        try Directory.open(workshop.publicPath + "/metadata").replace("timestamp.json", with: timestamp, mode: 0o644)
        #expect(try publish().filesRemoved == 0)
        #expect(try read.count == 2 && read.isSubset(of: workshop.published().keys))
        #expect(try publish().filesRemoved > 0)
        #expect(read.isDisjoint(with: try workshop.published().keys))
    }

    @Test func `a renewal after a publication that lacked a key shows what was published before`() async throws {
        try addVersion(1)
        try sign()
        try publish()
        let directory = try Directory.open(workshop.path + "/keys")
        let key = try #require(try workshop.store().newestRoot().signed.keys(of: .snapshot).keyIDs.first) + ".json"
        let content = try directory.read(key)
        try removeKey(.snapshot)
        try addVersion(2)
        #expect(throws: StoreError.self) { try publish(after: 0.1) }
        try directory.replace(key, with: content, mode: 0o600)
        _ = try workshop.store().renew(keys: keys(), at: Self.start + 0.6 * Self.day)
        #expect(try await update(after: 0.6).targets.signed.version == 1)
        try publish(after: 0.7)
        #expect(try await update(after: 0.7).targets.signed.version == 2)
    }

    @Test func `a publication says when its metadata expires, also that of a root that has expired`() throws {
        try sign()
        #expect(
            try publish().expiries.map { [$0.role.file: $0.date.timeIntervalSince(Self.start) / Self.day] } == [
                ["root.json": 365], ["targets.json": 90], ["snapshot.json": 7], ["timestamp.json": 1],
            ])
        let late = try publish(after: 400)
        #expect(late.expiries.filter { $0.date <= Self.start + 400 * Self.day }.map(\.role) == [.root])
        #expect(try workshop.store().renew(keys: keys(), at: Self.start + 400 * Self.day).expiries == late.expiries)
    }

    @Test func `keys are not made beneath a directory that will be served`() throws {
        let new = workshop.path + "/new"
        for path in ["public", "public/keys", "keys/../public/keys"] {
            let error = try #require(throws: StoreError.self) {
                try KeyDirectory(path: "\(new)/\(path)", publicPath: new + "/public")
            }
            #expect(error.code == .keyUnsafe, "\(path)")
        }
        _ = try KeyDirectory(path: new + "/keys", publicPath: new + "/public")
        _ = try KeyDirectory(path: new + "/public-keys", publicPath: new + "/public")
    }

    @Test func `a store without keys publishes no metadata`() throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        #expect(
            try workshop.published().keys.allSatisfy { !$0.hasPrefix("metadata/") && !$0.hasSuffix(".catalogue.json") })
        #expect(try !workshop.store().isSigned)
        let error = try #require(throws: StoreError.self) { try workshop.store().renew(keys: keys(), at: Self.start) }
        #expect(error.code == .keyNotSigned)
    }
}
