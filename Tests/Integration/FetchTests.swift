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

    @Test func `a partial file is resumed without a hash if the server confirms its entity tag`() async throws {
        origin.always("/cups.zip", .resetAt(2_000_000))
        #expect(try await fetch(origin.address + "cups.zip", "--attempts", "1").exit == 4)
        origin.always("/cups.zip")
        let result = try await fetch(origin.address + "cups.zip", "--json")
        #expect(result.exit == 0, "\(result)")
        #expect(try result.json["results"]?[0]["resumedFrom"].number == 2_000_000)
        #expect(try content("cups.zip") == bytes)
        #expect(try names == ["cups.zip"])
    }

    @Test func `two downloads to one name do not mix their bytes`() async throws {
        let other = try Origin()
        other.serve("/cups.zip", OriginBytes.random(bytes.count, seed: 7))
        origin.script("/cups.zip", [[.stallAfter(1_000_000)]])
        async let first = fetch(origin.address + "cups.zip", "--sha256", hash, "--json")
        await origin.untilStalled()
        let second = try await fetch(other.address + "cups.zip", "--json")
        #expect(second.exit == 7, "\(second)")
        #expect(try second.json["results"]?[0]["error"]["code"].text == "transfer.part-busy")
        #expect(other.requests.isEmpty)
        origin.release()
        let result = try await first
        #expect(result.exit == 0, "\(result)")
        #expect(try content("cups.zip") == bytes)
        #expect(try names == ["cups.zip"])
    }

    @Test(arguments: [
        ["cups.zip", "more/cups.zip"], ["cups.zip", "cups.zip.part"], ["cups.zip.part", "cups.zip"],
        ["cups.zip.part.ranges", "cups.zip"],
    ])
    func `files that would overwrite each other are refused before anything is requested`(files: [String]) async throws
    {
        let result = try await fetch(origin.address + files[0], origin.address + files[1])
        #expect(result.exit == 2 && result.errors.contains("two of the URLs would be written to"), "\(result)")
        #expect(try names == [] && origin.requests.isEmpty)
    }

    @Test func `a file is stored in a directory that the output names`() async throws {
        try FileManager.default.createDirectory(atPath: path("new"), withIntermediateDirectories: false)
        let result = try await fetch(origin.address + "cups.zip", "--output", "new")
        #expect(result.exit == 0, "\(result)")
        #expect(try names == ["new"])
        #expect(try content("new/cups.zip") == bytes)
    }

    @Test func `a URL whose file name contains a zero byte does not write to another file`() async throws {
        try Data(bytes).write(to: URL(filePath: path("cups.zip")))
        let result = try await fetch(origin.address + "cups.zip%00")
        #expect(result.exit == 2 && result.errors.contains("contains no file name"), "\(result)")
        #expect(try content("cups.zip") == bytes)
        #expect(origin.requests.isEmpty)
    }

    @Test func `bytes of one server are not continued with those of another`() async throws {
        let (other, otherBytes) = (try Origin(), OriginBytes.random(bytes.count, seed: 7))
        // Servers derive tags from a time or count versions: two files may have the same one.
        origin.serve("/cups.zip", bytes, etag: "\"1\"")
        other.serve("/cups.zip", otherBytes, etag: "\"1\"")
        origin.always("/cups.zip", .resetAt(2_000_000))
        #expect(try await fetch(origin.address + "cups.zip", "--attempts", "1").exit == 4)
        let result = try await fetch(other.address + "cups.zip", "--json")
        #expect(result.exit == 0, "\(result)")
        #expect(try content("cups.zip") == otherBytes)
        #expect(other.requests.map(\.range) == [nil])
    }

    @Test(arguments: [0, 1_000_000])
    func `zeros that a power cut left are not taken for the file`(intact: Int) async throws {
        origin.always("/cups.zip", .resetAt(2_000_000))
        #expect(try await fetch(origin.address + "cups.zip", "--attempts", "1").exit == 4)
        // The file has its length, and not its last pages; the record beside it is newer.
        var part = try content("cups.zip.part")
        try #require(part.count == 2_000_000)
        for index in intact..<part.count { part[index] = 0 }
        try Data(part).write(to: URL(filePath: path("cups.zip.part")))
        origin.always("/cups.zip")
        let result = try await fetch(origin.address + "cups.zip")
        #expect(result.exit == 0, "\(result)")
        #expect(try content("cups.zip") == bytes)
    }

    @Test func `the options that every command accepts are accepted`() async throws {
        let result = try await fetch(
            origin.address + "cups.zip", "--home", path("home"), "--no-pager", "--color", "never", "--quiet")
        #expect(result.exit == 0, "\(result)")
        #expect(try names == ["cups.zip"])
        let version = try await fetch("--version")
        #expect(version.exit == 0 && version.output.hasPrefix("storectl "), "\(version)")
    }

    @Test func `a file can be synced before it gets its name`() async throws {
        let result = try await fetch(origin.address + "cups.zip", "--sync")
        #expect(result.exit == 0, "\(result)")
        #expect(try content("cups.zip") == bytes)
        #expect(try names == ["cups.zip"])
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
        #expect(try names == [], "bytes with a wrong hash are not kept")
        #expect(try await fetch(origin.address + "none", "--attempts", "1").exit == 4)
        #expect(try await fetch(origin.address + "cups.zip", origin.address + "none").exit == 10)
        let large = try await fetch(origin.address + "cups.zip", "--maximum-size", "1M")
        #expect(large.exit == 6 && large.errors.contains("hint: "), "\(large)")
        let nowhere = try await fetch(origin.address + "cups.zip", "--output", path("none/cups.zip"))
        #expect(nowhere.exit == 1 && nowhere.errors.contains("could not write '\(path("none/cups.zip"))': "))
        #expect(nowhere.errors.contains("hint: "), "\(nowhere)")
        for arguments in [[], ["nowhere"], [origin.address], [origin.address + "a", "--attempts", "0"]] {
            let result = try await Programs.run("storectl", ["fetch"] + arguments, environment: [:])
            #expect(result.exit == 2, "\(arguments): \(result)")
        }
        let help = try await fetch("--help")
        #expect(help.exit == 0 && help.output.contains("--limit-rate"))
    }

    @Test func `a failure leaves no file without bytes, and names the one that it keeps`() async throws {
        let missing = try await fetch(origin.address + "none", "-o", "none.zip", "--attempts", "1")
        #expect(missing.exit == 4 && !missing.errors.contains("kept"), "\(missing)")
        #expect(try names == [])
        origin.always("/cups.zip", .resetAt(2_000_000))
        let broken = try await fetch(origin.address + "cups.zip", "--attempts", "1", "--json")
        #expect(
            broken.exit == 4 && broken.errors.contains("kept 2.0 MB in 'cups.zip.part'; run the command again"),
            "\(broken)")
        let partial = try broken.json["results"]?[0]["partial"]
        #expect(partial?["path"].text == "cups.zip.part" && partial?["size"].number == 2_000_000)
        #expect(partial?["isResumable"] == .bool(true))
    }

    @Test func `Ctrl-C keeps received bytes, removes empty files, and says so`() async throws {
        // Of another server, because one connection at a time is made to each.
        let other = try Origin()
        other.serve("/mugs.zip", bytes)
        origin.script("/cups.zip", [[.stallAfter(1_000_000)]])
        other.script("/mugs.zip", [[.stallBeforeAnswer]])
        let running = try Programs.start(
            "/usr/bin/env",
            [
                "--default-signal=INT", Programs.path("storectl"), "fetch", origin.address + "cups.zip",
                other.address + "mugs.zip", "-o", folder.path + "/", "--json", "--connections", "1",
            ],
            environment: ["PATH": "/usr/bin:/bin"])
        await origin.untilStalled()
        await other.untilStalled()
        // The bytes before the stall are on their way.
        try await eventually {
            (try? FileManager.default.attributesOfItem(atPath: path("cups.zip.part"))[.size] as? Int) ?? 0 > 0
        }
        running.signal(SIGINT)
        let result = try await running.result()
        #expect(result.exit == 130, "\(result)")
        #expect(result.errors.contains("error: interrupted"), "\(result)")
        #expect(result.errors.contains("in '\(path("cups.zip.part"))'; run the command again"), "\(result)")
        let results = try result.json["results"]?.elements ?? []
        #expect(results.map { $0["error"]["code"].text } == ["operation.interrupted", "operation.interrupted"])
        let kept = try #require(results.first?["partial"]["size"].number)
        #expect(try names.allSatisfy { $0.hasPrefix("cups.zip.part") })
        origin.release()
        let resumed = try await fetch(origin.address + "cups.zip", "--json")
        #expect(try resumed.exit == 0 && resumed.json["results"]?[0]["resumedFrom"].number == kept, "\(resumed)")
        #expect(try content("cups.zip") == bytes)
    }

    @Test func `a file is written to standard output once it is verified`() async throws {
        origin.serve("/list.json", "[1, 2]\n")
        let result = try await fetch(origin.address + "list.json", "-o", "-")
        #expect(result.exit == 0 && result.output == "[1, 2]\n", "\(result)")
        let wrong = try await fetch(
            origin.address + "list.json", "-o", "-", "--sha256", String(repeating: "0", count: 64))
        #expect(wrong.exit == 5 && wrong.output.isEmpty, "\(wrong)")
        // All bytes of a large file arrive.
        let shell = "\(Programs.path("storectl")) fetch -q -o - \(origin.address)cups.zip | sha256sum"
        let summed = try await Programs.run("/bin/sh", ["-c", shell], environment: ["PATH": "/usr/bin:/bin"])
        #expect(summed.output.hasPrefix(hash), "\(summed)")
        #expect(try names == [], "no file is named '-'")
        for arguments in [["--json"], ["--sync"], [origin.address + "cups.zip"]] {
            let usage = try await Programs.run(
                "storectl", ["fetch", "-o", "-", origin.address + "list.json"] + arguments, environment: [:])
            #expect(usage.exit == 2 && usage.errors.contains("'--output -'"), "\(usage)")
        }
    }

    @Test(arguments: [
        ["--bogus"], ["nowhere"], [], ["http://a/b", "--proxy", "htp:/x"], ["http://a/b", "--attempts", "0"],
    ])
    func `a usage error is a document, too`(arguments: [String]) async throws {
        let result = try await Programs.run("storectl", ["fetch", "--json"] + arguments, environment: [:])
        #expect(result.exit == 2 && result.errors.hasPrefix("error: "), "\(result)")
        #expect(result.errors.contains("storectl fetch --help") && !result.errors.contains("stored"), "\(result)")
        #expect(try result.json["error"]?["code"].text == "usage.invalid", "\(result)")
    }

    @Test func `stored fetch runs the same program`() async throws {
        let result = try await Programs.run(
            "stored", ["fetch", origin.address + "cups.zip", "--output", path("c"), "--json"], environment: [:])
        #expect(result.exit == 0, "\(result)")
        #expect(try content("c") == bytes)
    }
}
