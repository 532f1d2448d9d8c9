import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests `storectl fetch` and `stored fetch`, which run the program `store-fetch`.
@Suite(.hangGuard) struct FetchTests {
    private let origin: Origin
    private let folder: TemporaryFolder
    private let bytes = OriginBytes.random(3_000_000)
    private var hash: String { SHA256Digest(of: bytes).hex }

    init() throws {
        origin = try Origin()
        folder = try TemporaryFolder()
        origin.serve("/cups.zip", bytes)
    }

    private func fetch(_ arguments: String...) async throws -> Programs.Result {
        try await Programs.run(
            "/bin/sh",
            ["-c", "cd '\(folder.path)' && exec \"$0\" fetch \"$@\"", Programs.path("storectl")] + arguments,
            environment: ["PATH": "/usr/bin:/bin"])
    }

    private func content(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path(name)))) }
    private func path(_ name: String) -> String { folder.path + "/" + name }
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func `files are stored under their own names, and nothing else is left`() async throws {
        origin.serve("/mugs.zip", Array(bytes[..<5000]))
        let result = try await fetch(origin.address + "cups.zip", origin.address + "mugs.zip", "--json")
        #expect(result.exit == 0, "\(result)")
        #expect(try names == ["cups.zip", "mugs.zip"])
        #expect(try content("cups.zip") == bytes)
        let first = try result.json["results"]?[0]
        #expect(first?["sha256"].text == hash && first?["size"].number == 3_000_000 && first?["error"] == .null)
    }

    @Test func `a partial file is resumed if a hash is given`() async throws {
        try Data(bytes[..<1_000_000]).write(to: URL(filePath: path("c.part")))
        let result = try await fetch(origin.address + "cups.zip", "-o", "c", "--sha256", hash, "--json")
        #expect(result.exit == 0, "\(result)")
        #expect(try result.json["results"]?[0]["resumedFrom"].number == 1_000_000)
        #expect(try content("c") == bytes)
        #expect(try names == ["c"])
        #expect(origin.requests.map(\.range) == ["bytes=1000000-"])
    }

    @Test func `interrupted transfers are retried as long as bytes arrive`() async throws {
        origin.script("/cups.zip", (0..<20).map { _ in [.resetAfter(140_000)] })
        let result = try await fetch(origin.address + "cups.zip", "--attempts", "2")
        #expect(result.exit == 0, "\(result)")
        #expect(try content("cups.zip") == bytes)
    }

    @Test func `failures have the exit codes of the contract`() async throws {
        let wrong = try await fetch(origin.address + "cups.zip", "--sha256", String(repeating: "0", count: 64))
        #expect(wrong.exit == 5 && wrong.errors.contains("SHA-256"))
        #expect(try names.allSatisfy { $0.hasPrefix("cups.zip.part") })
        #expect(try await fetch(origin.address + "none", "--attempts", "1").exit == 4)
        #expect(try await fetch(origin.address + "cups.zip", origin.address + "none").exit == 10)
        #expect(try await fetch(origin.address + "cups.zip", "--maximum-size", "1M").exit == 4)
        for arguments in [[], ["nowhere"], [origin.address], [origin.address + "a", "--attempts", "0"]] {
            let result = try await Programs.run("storectl", ["fetch"] + arguments, environment: [:])
            #expect(result.exit == 2, "\(arguments): \(result)")
        }
        let help = try await fetch("--help")
        #expect(help.exit == 0 && help.output.contains("--limit-rate"))
    }

    @Test func `stored fetch runs the same program`() async throws {
        let result = try await Programs.run(
            "stored", ["fetch", origin.address + "cups.zip", "--output", path("c"), "--json"], environment: [:])
        #expect(result.exit == 0, "\(result)")
        #expect(try content("c") == bytes)
    }
}
