import FoundationEssentials
import StoreCatalogue
import StoreModel
import StorePublishing
import StoreSystem
import StoreTestSupport
import StoreTrust
import Testing

/// Stores with several publishers: from a publisher's own directory to what the client's code verifies.
@Suite struct PublisherTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day: TimeInterval = 86_400
    private let workshop: Workshop
    private let client: TemporaryFolder

    init() throws {
        workshop = try Workshop()
        client = try TemporaryFolder(inMemory: true)
        _ = try workshop.store().makeKeys(ring("keys"), at: Self.start)
        try MetadataDirectory(client.directory).initialize(
            root: Directory.open(workshop.storePath + "/metadata").read("1.root.json"))
    }

    /// Returns the keys of a directory beside the store.
    private func ring(_ name: String) throws -> KeyRing {
        let directory = try KeyDirectory(path: workshop.path + "/" + name, publicPath: workshop.publicPath)
        return KeyRing(directory: directory, passphrase: { _ in "secret" }, derived: DerivedKeys(rounds: 1024))
    }

    private func path(_ name: String) -> String { workshop.path + "/publisher-" + name }

    /// Creates a publisher's directory with a pack, publishes it, and names the publisher in the store's table.
    @discardableResult
    private func makePublisher(_ name: String, prefix: String, threshold: Int = 1) throws -> Storehouse {
        try Storehouse.createPublisher(at: path(name)) {
            try StorePublisher(
                name: name, identifierPrefix: prefix, keys: ring("keys-" + name).makeKeys(threshold),
                threshold: threshold)
        }
        let publisher = try Storehouse(path: path(name))
        try workshop.store().addPublisher(publisher.publisher())
        try publishPack(1, of: publisher)
        return publisher
    }

    private func publishPack(_ number: Int, of publisher: Storehouse, after days: Double = 0) throws {
        let owner = try publisher.publisher()
        let pack = try workshop.pack("pack", ["a.png": "\(owner.name) \(number)"])
        let options = AddOptions(
            productIdentifier: owner.identifierPrefix + "cats", version: Version("\(number).0.0"))
        _ = try publisher.add([pack], options: options, time: workshop.time)[0].result.get()
        _ = try publisher.publish(keys: ring("keys-" + owner.name), at: Self.start + days * Self.day)
    }

    @discardableResult
    private func publish(after days: Double = 0) throws -> Storehouse.Published {
        try workshop.store().publish(keys: ring("keys"), at: Self.start + days * Self.day)
    }

    /// Accepts with the online keys only.
    @discardableResult
    private func accept(_ name: String, after days: Double = 0) throws -> Storehouse.Accepted {
        let root = try workshop.store().newestRoot().signed
        try? Directory.open(workshop.path).removeTree("online")
        let online = try Directory.create(workshop.path + "/online")
        let all = try Directory.open(workshop.path + "/keys")
        for identifier in root.keys(of: .snapshot).keyIDs + root.keys(of: .timestamp).keyIDs {
            try online.replace(identifier + ".json", with: all.read(identifier + ".json"))
        }
        return try workshop.store().accept(path(name), keys: ring("online"), at: Self.start + days * Self.day)
    }

    private func error(_ code: ErrorCode, of file: String? = nil, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("it did not fail\(file.map { " for \($0)" } ?? "")")
        } catch {
            #expect((error as? any CodedError)?.code == code, "\(file.map { "\($0): " } ?? "")\(error)")
        }
    }

    /// Updates the client's metadata, and returns the products of a publisher that it verifies.
    private func products(of name: String, after days: Double = 0) async throws -> [ProductItem] {
        let served = try Directory.open(workshop.publicPath)
        let updater = MetadataUpdater(in: MetadataDirectory(client.directory)) { request in
            let name = "metadata/" + request.remoteName
            return try served.status(of: name) == nil ? nil : served.read(name)
        }
        let metadata = try await updater.update(at: Self.start + days * Self.day)
        let table = try metadata.publishers()
        _ = try table.publisher(named: name)
        let file = try await updater.file("publishers/\(name)/catalogue.json", in: metadata, publishers: table)
        let index = try served.read(file.remotePath(hasConsistentSnapshots: true))
        try file.check(index)
        let base = URL(filePath: workshop.publicPath + "/publishers/\(name)/catalogue.json")
        guard case .index(let catalogue) = try CatalogueDocument.parse(index, url: base) else {
            Issue.record("the catalogue of '\(name)' is no index")
            return []
        }
        var items: [ProductItem] = []
        for shard in catalogue.shards {
            let data = try Directory.open("/").read(String(shard.url.path().dropFirst()))
            items += try CatalogueDocument.parse(data, of: shard).items
        }
        for item in items {
            try table.check(productIdentifier: item.productIdentifier, from: name)
            let archive = try #require(item.resource)
            #expect(
                try SHA256Digest(of: Directory.open("/").read(String(archive.url.path().dropFirst()))) == archive.sha256
            )
        }
        return items
    }

    // MARK: From the publisher to the client

    @Test func `what a publisher has signed reaches the client with the online keys only`() async throws {
        try publish()
        let cats = try makePublisher("cats", prefix: "org.cats.")
        error(.trustUnknownPublisher) { try accept("cats") }
        try publish()
        let accepted = try accept("cats")
        #expect(accepted.isNew && accepted.version == 1 && accepted.products == 1)
        #expect(accepted.signed.map(\.role) == [.snapshot, .timestamp])
        #expect(try await products(of: "cats").map(\.productIdentifier) == ["org.cats.cats"])

        try publishPack(2, of: cats)
        #expect(try await products(of: "cats").first?.version == Version("1.0.0"))
        try accept("cats")
        #expect(try await products(of: "cats").first?.version == Version("2.0.0"))
        // The previous archive stays for clients that are reading it; the one before that does not.
        try publishPack(3, of: cats)
        #expect(try accept("cats").filesRemoved > 0)
        #expect(try await products(of: "cats").first?.version == Version("3.0.0"))
    }

    @Test func `a publication that was accepted is not accepted as another one`() throws {
        let cats = try makePublisher("cats", prefix: "org.cats.")
        try publish()
        try accept("cats")
        let again = try accept("cats")
        #expect(!again.isNew && again.signed.isEmpty && again.filesAdded == 0)

        // A directory that was restored from a backup uses a version again.
        let backup = try workshop.files(beneath: path("cats"))
        try publishPack(2, of: cats)
        try accept("cats")
        try restore(backup, to: path("cats"))
        error(.trustRollback) { try accept("cats") }
        try publishPack(3, of: Storehouse(path: path("cats")))
        error(.versionChanged) { try accept("cats") }
    }

    private func restore(_ files: [String: Data], to path: String) throws {
        try Directory.open(workshop.path).removeTree(String(path.dropFirst(workshop.path.count + 1)))
        let directory = try Directory.create(path)
        for (name, data) in files { try directory.put(name, data) }
    }

    @Test func `the owner's publications and renewals go on with what was accepted`() async throws {
        try makePublisher("cats", prefix: "org.cats.")
        try makePublisher("dogs", prefix: "org.dogs.")
        try publish()
        try accept("cats")
        try accept("dogs")
        try workshop.add(workshop.pack("own", ["a.png": "own"]), AddOptions(productIdentifier: "own"))
        #expect(try publish().signed.map(\.role) == [.targets, .snapshot, .timestamp])
        #expect(try publish().signed.isEmpty)
        _ = try workshop.store().renew(keys: ring("keys"), at: Self.start + 4 * Self.day)
        for name in ["cats", "dogs"] {
            #expect(try await products(of: name, after: 4).map(\.productIdentifier) == ["org.\(name).cats"])
        }
        let late = try workshop.store().renew(keys: ring("keys"), at: Self.start + 80 * Self.day)
        let roles = late.expiring.map(\.role)
        #expect(roles.contains(SignedRole(publisher: "cats")) && roles.contains(.targets), "\(roles)")
    }

    @Test func `two keys of a publisher sign on two machines`() async throws {
        let cats = try makePublisher("cats", prefix: "org.cats.", threshold: 2)
        try publish()
        #expect(try accept("cats").version == 1)
        let keys = try Directory.open(workshop.path + "/keys-cats")
        let second = try cats.publisher().publicKeys[1]
        let name = second.identifier + ".json"
        try Directory.create(workshop.path + "/away").replace(name, with: keys.read(name))
        try keys.remove(name)
        error(.keyMissingSignatures) { try publishPack(2, of: cats) }
        var request = try cats.signingRequest()
        #expect(request.items.map(\.role) == [SignedRole(publisher: "cats")])
        _ = try request.sign(with: ring("away"), publicKeys: [second], path: "request")
        let carried = try SigningRequest(parsing: request.fileContent, path: "request")
        _ = try cats.importSignatures(of: carried, path: "request")
        _ = try cats.publish(keys: ring("keys-cats"), at: Self.start)
        #expect(try accept("cats").version == 2)
        #expect(try await products(of: "cats").first?.version == Version("2.0.0"))
    }

    // MARK: What is refused

    @Test func `a publisher in a table that was signed and could not be published is not accepted yet`() throws {
        try publish()
        try makePublisher("cats", prefix: "org.cats.")
        try workshop.add(workshop.pack("own", ["a.png": "own"]), AddOptions(productIdentifier: "own"))
        let keys = try Directory.open(workshop.path + "/keys")
        let snapshot = try workshop.store().newestRoot().signed.keys(of: .snapshot).keyIDs[0] + ".json"
        let content = try keys.read(snapshot)
        try keys.remove(snapshot)
        error(.keyMissingSignatures) { try publish() }
        try keys.replace(snapshot, with: content)
        error(.trustUnknownPublisher) { try accept("cats") }
        try publish()
        #expect(try accept("cats").isNew)
    }

    @Test func `products outside a publisher's prefix are refused on each way`() throws {
        let cats = try makePublisher("cats", prefix: "org.cats.")
        let pack = try workshop.pack("pack", ["a.png": "x"])
        let outside = AddOptions(productIdentifier: "org.catsitter")
        error(.outsidePrefix) { _ = try cats.add([pack], options: outside, time: workshop.time)[0].result.get() }
        error(.outsidePrefix) { try workshop.add(pack, AddOptions(productIdentifier: "org.cats.mine")) }

        // The publisher's own tool is not what protects the store.
        try publish()
        let state = try Directory.open(path("cats"))
        let text = String(decoding: try state.read("store.json"), as: UTF8.self)
        try state.replace(
            "store.json", with: Data(text.replacing("\"org.cats.\"", with: "\"org.\"").utf8))
        let other = try Storehouse(path: path("cats"))
        _ = try other.add([pack], options: outside, time: workshop.time)[0].result.get()
        _ = try other.publish(keys: ring("keys-cats"), at: Self.start)
        error(.trustPublisherScope) { try accept("cats") }
    }

    @Test func `a table that does not keep publishers apart is refused`() throws {
        try makePublisher("cats", prefix: "org.cats.")
        let keys = try ring("keys-x").makeKeys(1)
        for prefix in ["org.", "org.cats.", "org.cats.big.", "ORG.Cats."] {
            error(.trustPublishers) {
                try workshop.store().addPublisher(StorePublisher(name: "x", identifierPrefix: prefix, keys: keys))
            }
        }
        error(.publisherExists) {
            try workshop.store().addPublisher(StorePublisher(name: "cats", identifierPrefix: "a.", keys: keys))
        }
        for name in ["", "targets", "a/b", "A", "..", String(repeating: "a", count: 65)] {
            error(.trustPublishers) { _ = try StorePublisher(name: name, identifierPrefix: "a.", keys: keys) }
        }
        error(.keyThreshold) {
            _ = try StorePublisher(name: "x", identifierPrefix: "a.", keys: keys + keys, threshold: 2)
        }
        try workshop.add(workshop.pack("own", ["a.png": "x"]), AddOptions(productIdentifier: "net.own.a"))
        let own = try StorePublisher(name: "own", identifierPrefix: "net.own.", keys: keys)
        error(.outsidePrefix) { try workshop.store().addPublisher(own) }
        try workshop.store().withdraw("net.own.a")
        try workshop.store().addPublisher(own)
        #expect(try publish().withdrawn == 0)
    }

    @Test func `signatures of other keys, and files that were changed, are refused`() async throws {
        try makePublisher("cats", prefix: "org.cats.")
        try makePublisher("dogs", prefix: "org.dogs.")
        try publish()
        try accept("cats")
        let files = try workshop.files(beneath: path("cats"))
        let names = files.keys.sorted().filter { $0.hasPrefix("public/publishers/") && !$0.contains("details/") }
        // At least the index and its shard, and the pack's archive and entry table.
        #expect(names.count >= 4, "\(names)")
        for name in names {
            var changed = files
            changed[name]?[0] ^= 1
            try restore(changed, to: path("cats"))
            // Files that the store has are not read again.
            try Directory.open(workshop.publicPath).removeTree("publishers/cats")
            // The metadata states the hash of the index, which states those of the shards, which state those of the rest.
            let code: ErrorCode =
                switch name.dropFirst("public/publishers/cats/".count) {
                case "catalogue.json": .trustHashMismatch
                case let shard where shard.hasPrefix("catalogue/"): .catalogueHashMismatch
                default: .badPublication
                }
            error(code, of: name) { try accept("cats") }
            changed[name] = nil
            try restore(changed, to: path("cats"))
            error(.badPublication, of: name) { try accept("cats") }
        }
        try restore(files, to: path("cats"))
        try accept("cats")
        _ = try await products(of: "cats")
        // The keys of another publisher of the same store.
        var forged = files
        let metadata = try #require(files["public/metadata/1.cats.json"])
        var document = try MetadataDocument(parsing: metadata, file: "cats.json")
        document = .targets(version: 2, expires: Self.start + Self.day, files: [:])
        let dogs = try Storehouse(path: path("dogs")).publisher().publicKeys[0]
        let file = try EncryptedKey(
            parsing: Directory.open(workshop.path + "/keys-dogs").read(dogs.identifier + ".json"), path: "key")
        try document.sign(by: file.decrypted(passphrase: "secret", path: "key"))
        forged["public/metadata/2.cats.json"] = document.bytes
        try restore(forged, to: path("cats"))
        error(.trustSignature) { try accept("cats") }
        try restore(files, to: path("cats"))
        error(.trustExpired) { try accept("cats", after: 91) }
    }

    @Test func `directories of stores and of publishers are not mistaken for each other`() throws {
        let cats = try makePublisher("cats", prefix: "org.cats.")
        error(.publisherDirectory) { _ = try cats.makeKeys(ring("keys"), at: Self.start) }
        error(.publisherDirectory) { _ = try cats.renew(keys: ring("keys"), at: Self.start) }
        error(.publisherDirectory) { try cats.addPublisher(cats.publisher()) }
        error(.publisherDirectory) { _ = try workshop.store().publisher() }
        try publish()
        for folder in [workshop.storePath, workshop.path, workshop.storePath + "/store.json"] {
            error(.noPublication) {
                _ = try workshop.store().accept(folder, keys: ring("keys"), at: Self.start)
            }
        }
        error(.notEmpty) { try makePublisher("cats", prefix: "org.cats.") }
    }

    // MARK: Revocation

    @Test func `new keys of a publisher take effect with the table, and a publication with them is accepted`()
        async throws
    {
        let cats = try makePublisher("cats", prefix: "org.cats.")
        try makePublisher("dogs", prefix: "org.dogs.")
        try publish()
        try accept("cats")
        try accept("dogs")
        let new = try cats.replacePublisherKeys(keys: ring("keys-cats"))
        try workshop.store().changePublisher("cats", keys: new)
        #expect(try workshop.store().publishers().map(\.isSigned) == [false, true])
        try publish()
        #expect(try workshop.store().publishers().map(\.isVerified) == [false, true])
        #expect(await failure { _ = try await products(of: "cats") } == .trustSignature)
        #expect(try await products(of: "dogs").count == 1)
        error(.trustSignature) { try accept("cats") }
        _ = try cats.publish(keys: ring("keys-cats"), at: Self.start)
        #expect(try accept("cats").version == 2)
        #expect(try await products(of: "cats").count == 1)
    }

    @Test func `a publisher gets as many new keys as have to sign, and hints that name the options for them`() throws {
        let cats = try makePublisher("cats", prefix: "org.cats.")
        #expect(try cats.replacePublisherKeys(threshold: 3, keys: ring("keys-cats")).count == 3)
        #expect(try cats.publisher().threshold == 3)
        let refusal = try #require(throws: StoreError.self) {
            try workshop.store().changePublisher("cats", threshold: 2)
        }
        #expect(refusal.code == .keyThreshold && refusal.hint?.contains("--public-key") == true, "\(refusal)")
    }

    @Test func `a publisher who was removed is not followed any more, and the snapshot stays valid`() async throws {
        try makePublisher("cats", prefix: "org.cats.")
        try makePublisher("dogs", prefix: "org.dogs.")
        try publish()
        try accept("cats")
        try accept("dogs")
        _ = try await products(of: "cats")
        try workshop.store().removePublisher("cats")
        try publish()
        await #expect(throws: StoreError.self) { try await products(of: "cats") }
        #expect(try await products(of: "dogs").count == 1)
        error(.trustUnknownPublisher) { try accept("cats") }
        error(.trustUnknownPublisher) { try workshop.store().removePublisher("cats") }
    }
}
