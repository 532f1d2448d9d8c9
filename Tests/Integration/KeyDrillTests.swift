import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// Thefts of a publisher's keys, from the attack to the recovery that the page "Signed stores" describes.
@Suite struct KeyDrillTests {
    private let shop: SignedStore
    private let derived = DerivedKeys()
    init() throws { shop = try SignedStore() }

    // MARK: What a thief does

    private var metadata: URL { URL(filePath: shop.path + "/public/metadata") }

    /// The newest root that the publisher has signed.
    private func root() throws -> SignedMetadata<Root> {
        try SignedMetadata(
            parsing: Data(contentsOf: metadata.appending(path: "root.json")), file: TopLevelRole.root.file)
    }

    /// Returns the first private key of a role, as a thief has it who knows the passphrase.
    private func stolenKey(_ role: TopLevelRole) throws -> PrivateKey {
        let identifier = try #require(root().signed.keys(of: role).keyIDs.first)
        return try shop.stolenKey(identifier, derived)
    }

    private func signed(_ document: MetadataDocument, _ key: PrivateKey) throws -> Data {
        var document = document
        try document.sign(by: key)
        return document.bytes
    }

    /// The files of a forged state with version numbers far ahead, by name.
    private func forgery(
        targets: Data, targetsVersion: Int, snapshot snapshotKey: PrivateKey, timestamp timestampKey: PrivateKey
    ) throws -> [String: Data] {
        let expires = Date() + 3600
        let snapshot = try signed(
            .snapshot(
                version: 1000, expires: expires, targets: SignedMetadata(parsing: targets, file: "targets.json")),
            snapshotKey)
        let timestamp = try signed(
            .timestamp(
                version: 1000, expires: expires, snapshot: SignedMetadata(parsing: snapshot, file: "snapshot.json")),
            timestampKey)
        return [
            "\(targetsVersion).targets.json": targets, "1000.snapshot.json": snapshot, "timestamp.json": timestamp,
        ]
    }

    /// Puts files in place of those of the server.
    private func serve(_ files: [String: Data]) throws {
        for (name, data) in files { try data.write(to: metadata.appending(path: name)) }
    }

    /// Checks that the client takes what the publisher serves now, and nothing of the thief's.
    private func checkRecovery(_ server: NginxServer, after forged: [String: Data]) async throws {
        let recovered = try await shop.client(server)
        #expect(recovered.exit == 0, "\(recovered)")
        try shop.checkCatalogue()
        try serve(forged)
        let attacked = try await shop.client(server)
        #expect(attacked.exit != 0 && attacked.errors.contains("valid signatures"), "\(attacked)")
    }

    // MARK: Drills

    @Test func `a stolen key of the timestamp: the thief is locked out by a rotation`() async throws {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.run(["publish", shop.path])
        let server = try await NginxServer(serving: shop.path + "/public")
        #expect(try await shop.client(server).exit == 0)
        let snapshot = try Data(contentsOf: metadata.appending(path: "1.snapshot.json"))
        let stolen = try signed(
            .timestamp(
                version: 1000, expires: Date() + 3600,
                snapshot: SignedMetadata(parsing: snapshot, file: "snapshot.json")), stolenKey(.timestamp))
        try serve(["timestamp.json": stolen])
        #expect(try await shop.client(server).exit == 0)
        #expect(try shop.version("timestamp") == 1000)

        try await shop.run(["key", "rotate", shop.path, "timestamp"])
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path])
        try await checkRecovery(server, after: ["timestamp.json": stolen])
        #expect(try shop.version("timestamp") == 2)
    }

    @Test func `stolen keys of snapshot and timestamp: clients follow the rotation of both`() async throws {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.run(["publish", shop.path])
        let server = try await NginxServer(serving: shop.path + "/public")
        #expect(try await shop.client(server).exit == 0)
        let forged = try forgery(
            targets: Data(contentsOf: metadata.appending(path: "1.targets.json")), targetsVersion: 1,
            snapshot: stolenKey(.snapshot), timestamp: stolenKey(.timestamp))
        try serve(forged)
        #expect(try await shop.client(server).exit == 0)
        #expect(try shop.version("snapshot") == 1000)

        for role in ["snapshot", "timestamp"] { try await shop.run(["key", "rotate", shop.path, role]) }
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path])
        try await checkRecovery(server, after: forged)
        #expect(try shop.version("snapshot") == 2)
    }

    @Test func `one of two stolen keys of the targets installs nothing, and is revoked`() async throws {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.run(["key", "add", shop.path, "targets"])
        try await shop.run(["key", "threshold", shop.path, "targets", "2"])
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path])
        let server = try await NginxServer(serving: shop.path + "/public")
        #expect(try await shop.client(server).exit == 0)
        // Even with the online keys.
        let stolen = try stolenKey(.targets)
        let forged = try forgery(
            targets: signed(
                .targets(version: 1000, expires: Date() + 3600, files: ["catalogue.json": Data("evil".utf8)]), stolen),
            targetsVersion: 1000, snapshot: stolenKey(.snapshot), timestamp: stolenKey(.timestamp))
        try serve(forged)
        let attacked = try await shop.client(server)
        #expect(attacked.exit != 0 && attacked.errors.contains("1 valid signatures"), "\(attacked)")
        #expect(try shop.version("targets") == 1)

        try await shop.run(["key", "add", shop.path, "targets"])
        try await shop.run(["key", "revoke", shop.path, stolen.publicKey.identifier])
        for role in ["snapshot", "timestamp"] { try await shop.run(["key", "rotate", shop.path, role]) }
        try await shop.addPack(2)
        try await shop.run(["publish", shop.path])
        try await checkRecovery(server, after: forged)
    }

    @Test func `a stolen key of the root below the threshold replaces nothing, and is revoked`() async throws {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.run(["key", "add", shop.path, "root"])
        try await shop.run(["key", "threshold", shop.path, "root", "2"])
        try await shop.run(["publish", shop.path])
        let server = try await NginxServer(serving: shop.path + "/public")
        #expect(try await shop.client(server).exit == 0)
        #expect(try shop.version("root") == 3)
        let stolen = try stolenKey(.root)
        let keys = Dictionary(uniqueKeysWithValues: TopLevelRole.allCases.map { ($0, [stolen.publicKey]) })
        let forged = try signed(.root(version: 4, expires: Date() + 3600, RootContent(keys: keys)), stolen)
        try serve(["4.root.json": forged])
        let attacked = try await shop.client(server)
        #expect(attacked.exit != 0 && attacked.errors.contains("1 valid signatures"), "\(attacked)")
        #expect(try shop.version("root") == 3)

        // The publisher's roots replace the forged file on the server.
        try await shop.run(["key", "add", shop.path, "root"])
        try await shop.run(["key", "revoke", shop.path, stolen.publicKey.identifier])
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path])
        let recovered = try await shop.client(server)
        #expect(recovered.exit == 0, "\(recovered)")
        #expect(try shop.version("root") == 5)
        try shop.checkCatalogue()
        try serve(["6.root.json": forged])
        #expect(try await shop.client(server).exit != 0)
        #expect(try shop.version("root") == 5)
    }
}
