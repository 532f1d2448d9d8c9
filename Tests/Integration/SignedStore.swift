import Foundation
import StoreModel
import StoreTestSupport
import StoreTrust
import Testing

/// A signed store in a temporary directory, and a client of it, by the programs as a publisher runs them.
final class SignedStore: Sendable {
    static let passphrase = "secret words"
    let folder: TemporaryFolder
    /// The client that trusts the store's first root.
    let program: any TrustingClient
    /// The path of the publisher's store.
    var path: String { folder.path + "/store" }
    private var environment: [String: String] { ["PATH": "/usr/bin:/bin", "STOREHOUSE_PASSPHRASE": Self.passphrase] }

    init() throws {
        folder = try TemporaryFolder()
        program = TUFClient(folder: folder.path, root: folder.path + "/store/public/metadata/1.root.json")
    }

    /// Runs `storehouse`, at a time some seconds before now.
    @discardableResult
    func run(
        _ arguments: [String], exit: Int32 = 0, ago seconds: Int = 0, _ changes: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Result {
        var environment = environment
        environment["SOURCE_DATE_EPOCH"] = String(Int(Date().timeIntervalSince1970) - seconds)
        for (name, value) in changes { environment[name] = value }
        let result = try await Programs.run("storehouse", arguments, environment: environment)
        try #require(result.exit == exit, "storehouse \(arguments): \(result)", sourceLocation: location)
        return result
    }

    func addPack(_ version: Int) async throws {
        let pack = folder.path + "/cups-\(version)"
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        try TestStore.bytes(100, seed: UInt64(version)).write(to: URL(filePath: pack + "/a.png"))
        try await run(["add", path, pack, "--id", "org.example.cups", "--version", "\(version).0.0"])
    }

    /// Updates the client, and downloads the catalogue, or other files.
    func client(_ server: NginxServer, files: [String] = ["catalogue.json"]) async throws -> Programs.Result {
        try await program.update(from: server, files: files)
    }

    func version(_ role: String) throws -> Int { try program.version(of: role) }

    /// Returns a private key of the store's or of another directory, as a thief has it who knows the passphrase.
    func stolenKey(_ identifier: String, in keys: String? = nil, _ derived: DerivedKeys) throws -> PrivateKey {
        let path = "\(keys ?? path + "/keys")/\(identifier).json"
        let file = try EncryptedKey(parsing: Data(contentsOf: URL(filePath: path)), path: path)
        return try file.decrypted(passphrase: Self.passphrase, path: path, derived: derived)
    }

    func checkCatalogue(location: SourceLocation = #_sourceLocation) throws {
        let fetched = try program.content(of: "catalogue.json")
        let published = try Data(contentsOf: URL(filePath: path + "/public/catalogue.json"))
        #expect(fetched == published, sourceLocation: location)
    }
}
