import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A `storehouse` store in a temporary directory.
final class TestStore: Sendable {
    let folder: TemporaryFolder
    var path: String { folder.path + "/store" }
    var publicPath: String { path + "/public" }
    private let environment = ["PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "1700000000"]

    init() async throws {
        folder = try TemporaryFolder()
        try await storehouse("init", path)
    }

    @discardableResult
    func storehouse(_ arguments: String..., location: SourceLocation = #_sourceLocation) async throws -> Programs.Result
    {
        let result = try await Programs.run("storehouse", arguments, environment: environment)
        try #require(result.exit == 0, "storehouse \(arguments): \(result)", sourceLocation: location)
        return result
    }

    /// Adds a pack with `files` as a product, without publishing it.
    func add(
        _ identifier: String, version: String = "1.0.0", kind: String = "sticker", price: String? = nil,
        information: String? = nil, files: [String: Data]
    ) async throws {
        let pack = folder.path + "/pack-" + UUID().uuidString
        for (name, content) in files {
            let file = URL(filePath: pack + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file)
        }
        if let information { try Data(information.utf8).write(to: URL(filePath: pack + "/pack.json")) }
        var arguments = ["add", path, pack, "--id", identifier, "--version", version, "--kind", kind]
        if let price { arguments += ["--price", price] }
        let result = try await Programs.run("storehouse", arguments, environment: environment)
        try #require(result.exit == 0, "storehouse \(arguments): \(result)")
        try FileManager.default.removeItem(atPath: pack)
    }

    func publish() async throws { try await storehouse("publish", path) }

    /// Returns an image of `count` pseudorandom bytes, at least 28, which are the same for the same seed.
    static func bytes(_ count: Int, seed: UInt64) -> Data { Data(ImageForge.bytes(count, seed: seed)) }
}
