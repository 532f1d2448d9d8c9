import Foundation
import StoreModel
import Testing

/// A client program of a signed store, as the drills see it.
protocol TrustingClient: Sendable {
    /// Updates the metadata from a server, and downloads files of the store.
    func update(from server: NginxServer, files: [String]) async throws -> Programs.Result
    /// Returns the version of a role's metadata that the client trusts.
    func version(of role: String) throws -> Int
    /// Returns a downloaded file.
    func content(of file: String) throws -> Data
}

/// The program `tuf-client`, which trusts the root of a file from its first update on.
struct TUFClient: TrustingClient {
    let folder: String
    let root: String
    private var trusted: String { folder + "/trusted" }
    private var files: String { folder + "/files" }

    func update(from server: NginxServer, files names: [String]) async throws -> Programs.Result {
        for path in [trusted, files] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        if !FileManager.default.fileExists(atPath: trusted + "/root.json") {
            let initial = try await run(["init", root])
            try #require(initial.exit == 0, "\(initial)")
        }
        let urls = ["--metadata-url", server.url + "metadata", "--target-base-url", server.url]
        return try await run(urls + ["--target-dir", files] + names.flatMap { ["--target-name", $0] } + ["download"])
    }

    private func run(_ arguments: [String]) async throws -> Programs.Result {
        try await Programs.run(
            "tuf-client", ["--metadata-dir", trusted] + arguments, environment: ["PATH": "/usr/bin:/bin"])
    }

    func version(of role: String) throws -> Int {
        let data = try Data(contentsOf: URL(filePath: "\(trusted)/\(role).json"))
        let signed = try #require(try JSONDecoder().decode([String: JSONValue].self, from: data)["signed"])
        return Int(try #require(signed["version"].number))
    }

    func content(of file: String) throws -> Data {
        try Data(contentsOf: URL(filePath: files).appending(component: file.replacing("/", with: "%2F")))
    }
}
