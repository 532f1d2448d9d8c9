import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// Stores with several publishers, by the programs as owner and publishers run them, and the theft of a publisher's key.
@Suite struct PublisherDrillTests {
    private let shop: SignedStore
    private let derived = DerivedKeys()
    init() throws { shop = try SignedStore() }

    private var metadata: URL { URL(filePath: shop.path + "/public/metadata") }
    private func path(_ name: String) -> String { shop.folder.path + "/" + name }
    private func index(_ name: String) -> String { "publishers/\(name)/catalogue.json" }

    /// The root that the store serves.
    private func root() throws -> Root {
        let data = try Data(contentsOf: metadata.appending(path: "root.json"))
        return try SignedMetadata(parsing: data, file: "root.json").signed
    }

    /// Creates the directory of a publisher, and returns the public key that the program prints.
    private func makePublisher(_ name: String) async throws -> String {
        let made = try await shop.run(["publisher", "init", path(name), name, "--prefix", "org.\(name)."])
        #expect(made.errors.contains("storehouse publisher add DIR \(name) --prefix org.\(name). "), "\(made)")
        return try Self.publicKey(made)
    }

    private static func publicKey(_ result: Programs.Result) throws -> String {
        let line = try #require(result.output.split(separator: "\n").last)
        return String(line.dropFirst("public key: ".count))
    }

    private func publishPack(_ version: Int, of name: String) async throws {
        let pack = path("\(name)-\(version)")
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        try TestStore.bytes(100, seed: UInt64(version)).write(to: URL(filePath: pack + "/a.png"))
        try await shop.run(["add", path(name), pack, "--id", "org.\(name).pack", "--version", "\(version).0.0"])
        try await shop.run(["publish", path(name)])
    }

    /// Makes a store with two publishers, from each of which something is accepted.
    private func makeStore() async throws -> NginxServer {
        try await shop.run(["init", shop.path, "--sign"])
        for name in ["cats", "dogs"] {
            let key = try await makePublisher(name)
            try await shop.run([
                "publisher", "add", shop.path, name, "--prefix", "org.\(name).", "--public-key", key,
            ])
            try await publishPack(1, of: name)
        }
        try await shop.run(["publish", shop.path])
        for name in ["cats", "dogs"] { try await shop.run(["publisher", "accept", shop.path, path(name)]) }
        return try await NginxServer(serving: shop.path + "/public")
    }

    private func checkCatalogue(_ name: String, location: SourceLocation = #_sourceLocation) throws {
        let published = try Data(contentsOf: URL(filePath: "\(path(name))/public/\(index(name))"))
        #expect(try shop.program.content(of: index(name)) == published, sourceLocation: location)
    }

    @Test func `two publishers publish in one store, with the online keys only`() async throws {
        let server = try await makeStore()
        let files = ["catalogue.json", index("cats"), index("dogs")]
        let first = try await shop.client(server, files: files)
        #expect(first.exit == 0, "\(first)")
        for name in ["cats", "dogs"] { try checkCatalogue(name) }

        // Without the keys of root and targets.
        let online = path("online")
        try FileManager.default.createDirectory(
            atPath: online, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for role in [TopLevelRole.snapshot, .timestamp] {
            let name = try #require(root().keys(of: role).keyIDs.first) + ".json"
            try FileManager.default.copyItem(atPath: "\(shop.path)/keys/\(name)", toPath: "\(online)/\(name)")
        }
        try await publishPack(2, of: "cats")
        let accepted = try await shop.run(["publisher", "accept", shop.path, path("cats/public"), "--keys", online])
        #expect(accepted.output.contains("Accepted version 2 of publisher 'cats': 1 product, "), "\(accepted)")
        #expect(try await shop.client(server, files: files).exit == 0)
        try checkCatalogue("cats")
        #expect(try shop.version("cats") == 2 && shop.version("targets") == 1)
        let listed = try await shop.run(["publisher", "list", shop.path])
        #expect(listed.output.contains("cats") && listed.output.contains("accepted"), "\(listed)")

        let outside = try await shop.run(
            ["add", path("cats"), path("cats-1"), "--id", "org.dogs.pack"], exit: 5)
        #expect(outside.errors.contains("publisher 'cats' can't offer 'org.dogs.pack'"), "\(outside)")
        try await shop.run(["publisher", "accept", shop.path, path("nothing")], exit: 3)
        try await shop.run(["publisher", "add", shop.path, "x", "--prefix", "org.", "--public-key", "00"], exit: 2)

        try await shop.run(["publisher", "remove", shop.path, "dogs"])
        try await shop.run(["publish", shop.path])
        let removed = try await shop.client(server, files: files)
        #expect(removed.exit != 0 && removed.errors.contains("lists no file '\(index("dogs"))'"), "\(removed)")
        #expect(try await shop.client(server, files: ["catalogue.json", index("cats")]).exit == 0)
    }

    @Test func `a stolen key of a publisher reaches no other products, and is replaced`() async throws {
        let server = try await makeStore()
        let files = ["catalogue.json", index("cats"), index("dogs")]
        #expect(try await shop.client(server, files: files).exit == 0)
        // The thief has the online keys as well, and offers other catalogues to everybody.
        let root = try SignedMetadata<Root>(
            parsing: Data(contentsOf: metadata.appending(path: "root.json")), file: "root.json"
        ).signed
        func online(_ role: TopLevelRole) throws -> PrivateKey {
            try shop.stolenKey(try #require(root.keys(of: role).keyIDs.first), derived)
        }
        let keyFiles = try FileManager.default.contentsOfDirectory(atPath: path("cats/keys"))
        let identifier = String(try #require(keyFiles.first).dropLast(".json".count))
        let stolen = try shop.stolenKey(identifier, in: path("cats/keys"), derived)
        let evil = Data("evil".utf8)
        let expires = Date() + 3600
        func signed(_ document: MetadataDocument, _ key: PrivateKey) throws -> Data {
            var document = document
            try document.sign(by: key)
            return document.bytes
        }
        let cats = try signed(
            .targets(
                version: 1000, expires: expires,
                files: ["catalogue.json": evil, index("cats"): evil, index("dogs"): evil]), stolen)
        func current(_ role: TopLevelRole) throws -> Data {
            let version = try shop.version(role.rawValue)
            return try Data(contentsOf: metadata.appending(path: "\(version).\(role.file)"))
        }
        let snapshot = try signed(
            .snapshot(
                version: 1000, expires: expires,
                targets: SignedMetadata(parsing: current(.targets), file: "targets.json"),
                delegated: [SignedMetadata(parsing: cats, file: "cats.json")],
                after: SignedMetadata<Snapshot>(parsing: current(.snapshot), file: "snapshot.json").signed),
            online(.snapshot))
        let timestamp = try signed(
            .timestamp(
                version: 1000, expires: expires, snapshot: SignedMetadata(parsing: snapshot, file: "snapshot.json")),
            online(.timestamp))
        let forged = ["1000.cats.json": cats, "1000.snapshot.json": snapshot, "timestamp.json": timestamp]
        for (name, data) in forged { try data.write(to: metadata.appending(path: name)) }
        let evilIndex = "publishers/cats/\(SHA256Digest(of: evil).hex).catalogue.json"
        try evil.write(to: URL(filePath: "\(shop.path)/public/\(evilIndex)"))
        let attacked = try await shop.client(server, files: files)
        #expect(attacked.exit == 0, "\(attacked)")
        // The publisher's own products only.
        #expect(try shop.program.content(of: index("cats")) == evil)
        try shop.checkCatalogue()
        try checkCatalogue("dogs")

        let replaced = try await shop.run(["publisher", "keys", path("cats"), "--replace"])
        let key = try Self.publicKey(replaced)
        try await publishPack(2, of: "cats")
        try await shop.run(["publisher", "change", shop.path, "cats", "--public-key", key])
        for role in ["snapshot", "timestamp"] { try await shop.run(["key", "rotate", shop.path, role]) }
        try await shop.run(["publish", shop.path])
        try await shop.run(["publisher", "accept", shop.path, path("cats")])
        let recovered = try await shop.client(server, files: files)
        #expect(recovered.exit == 0, "\(recovered)")
        for name in ["cats", "dogs"] { try checkCatalogue(name) }
        for (name, data) in forged { try data.write(to: metadata.appending(path: name)) }
        let again = try await shop.client(server, files: files)
        #expect(again.exit != 0 && again.errors.contains("valid signatures"), "\(again)")
    }
}
