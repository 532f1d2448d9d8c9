import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A signed store in a temporary directory, and a client of it, by the programs as a publisher runs them.
final class SignedStore: Sendable {
    static let passphrase = "secret words"
    let folder: TemporaryFolder
    /// The path of the publisher's store.
    var path: String { folder.path + "/store" }
    private var environment: [String: String] { ["PATH": "/usr/bin:/bin", "STOREHOUSE_PASSPHRASE": Self.passphrase] }

    init() throws { folder = try TemporaryFolder() }

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

    /// Updates a client that trusts the first root, and downloads the catalogue.
    func client(_ server: NginxServer) async throws -> Programs.Result {
        let trusted = folder.path + "/trusted"
        let files = folder.path + "/files"
        for path in [trusted, files] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        if !FileManager.default.fileExists(atPath: trusted + "/root.json") {
            let root = path + "/public/metadata/1.root.json"
            let initial = try await Programs.run(
                "tuf-client", ["--metadata-dir", trusted, "init", root], environment: environment)
            try #require(initial.exit == 0, "\(initial)")
        }
        return try await Programs.run(
            "tuf-client",
            [
                "--metadata-dir", trusted, "--metadata-url", server.url + "metadata", "--target-base-url", server.url,
                "--target-dir", files, "--target-name", "catalogue.json", "download",
            ], environment: environment)
    }

    func version(_ role: String) throws -> Int {
        let data = try Data(contentsOf: URL(filePath: folder.path + "/trusted/\(role).json"))
        let signed = try #require(try JSONDecoder().decode([String: JSONValue].self, from: data)["signed"])
        return Int(try #require(signed["version"].number))
    }

    func checkCatalogue(location: SourceLocation = #_sourceLocation) throws {
        let fetched = try Data(contentsOf: URL(filePath: folder.path + "/files/catalogue.json"))
        let published = try Data(contentsOf: URL(filePath: path + "/public/catalogue.json"))
        #expect(fetched == published, sourceLocation: location)
    }
}
