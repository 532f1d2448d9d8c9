import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Sticker packs of other programs, imported and exported by the real programs.
@Suite(.hangGuard) struct StickerExchangeTests {
    private let home: TestHome
    private let folder: TemporaryFolder
    private static let formats = ["deltachat", "jisp", "kde", "matrix", "pidgin", "wastickers"]

    init() throws {
        home = try TestHome()
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String]) async throws -> Programs.Result {
        try await Programs.run("storectl", ["stickers"] + arguments, environment: home.environment)
    }

    /// Imports a pack, and returns the document that the command prints.
    private func imported(_ pack: ForeignPack, stickers: Int) async throws -> JSONValue {
        try await pack.write(stickers)
        let result = try await run(["import", pack.path, "--unsigned", "--json"] + pack.options)
        try #require(result.exit == 0, "\(pack.format): \(result)")
        return .object(try result.json)
    }

    // MARK: Import

    @Test func `a pack of another program is installed, and the same source again is an update`() async throws {
        // What is imported was written by others: only a confined process may read it.
        try await home.must("config", "set", "worker.required", "true")
        for pack in ForeignPack.all(in: folder) {
            var document = try await imported(pack, stickers: 2)
            let report = document["report"]["packs"][0]
            let identifier = try #require(report["productIdentifier"].text)
            #expect(document["report"]["format"].text == pack.format && report["count"].number == 2)
            #expect(identifier.hasPrefix(pack.identifier), "\(identifier)")
            #expect(document["results"][0]["end"].text == "finished", "\(pack.format)")
            #expect(document["results"][0]["path"].text == home.path + "/data/packs/\(identifier).stickers")
            let operation = document["results"][0]["operation"].text

            document = try await imported(pack, stickers: 2)
            #expect(document["report"]["packs"][0]["productIdentifier"].text == identifier)
            let unchanged = try await home.must("stickers", "show", identifier, "--json").json
            #expect(unchanged["operation"]?.text == operation, "\(pack.format)")

            document = try await imported(pack, stickers: 3)
            #expect(document["results"][0]["end"].text == "finished", "\(pack.format)")
            #expect(document["results"][0]["productIdentifier"].text == identifier)
            let shown = try await home.must("stickers", "show", identifier, "--json").json
            let stickers = shown["stickers"]?.elements ?? []
            #expect(stickers.map { $0["emoji"].elements.compactMap(\.text) } == pack.emoji(3), "\(pack.format)")
            for sticker in stickers {
                #expect(FilePaths.isRegularFile(sticker["path"].text ?? ""), "\(sticker)")
            }
            #expect(shown["operation"]?.text != operation, "\(pack.format)")
        }
        #expect(try await home.packs().count == 5, "each source is one pack")
        try await home.must("verify")
        try await home.must("daemon", "stop")
    }

    @Test func `a source that can't be imported is refused with its code, exit code and a hint`() async throws {
        try await home.must("config", "set", "worker.required", "true")
        let packs = ForeignPack.all(in: folder)
        for pack in packs { try await pack.write(2) }
        func path(_ format: String) -> String { packs.first { $0.format == format }?.path ?? "" }
        let signal = path("signal")
        let wrong = String(repeating: "ab", count: 32)
        let put = folder.directory.put as (String, String) throws -> Void
        try put("none/readme.txt", "no image")
        try put("empty/theme", "Name=Empty\n[default]\nx.png :-)\n")
        try put("meta/productInfo.meta", "{\"packageId\": ")
        try put("own/pack.json", #"{"stickers":[{"id":"1","file":"1.png"}]}"#)
        let archive = try Data(contentsOf: URL(filePath: path("wastickers")))
        try folder.directory.put("cut.wastickers", archive.prefix(archive.count / 2))
        struct Case {
            let arguments: [String]
            let code: ErrorCode
            let exit: Int32
            var hint: String?
        }
        let cases = [
            Case(arguments: [folder.path + "/nothing"], code: .importMissing, exit: 3),
            Case(arguments: [folder.path + "/none"], code: .importNotRecognized, exit: 5, hint: "lists the formats"),
            Case(arguments: [folder.path + "/own"], code: .importNotRecognized, exit: 5, hint: "storectl install"),
            Case(arguments: [folder.path + "/empty"], code: .importEmpty, exit: 5),
            Case(arguments: [folder.path + "/meta"], code: .importMalformed, exit: 5),
            Case(arguments: [path("pidgin"), "--format", "nope"], code: .importFormatUnknown, exit: 2),
            Case(arguments: [path("pidgin"), "--format", "line"], code: .importMalformed, exit: 5),
            Case(arguments: [folder.path + "/cut.wastickers"], code: .archiveNoEndRecord, exit: 5, hint: "download"),
            Case(arguments: [signal], code: .importKey, exit: 5, hint: "--key"),
            Case(arguments: [signal, "--key", "1234"], code: .importKey, exit: 5, hint: "whole link"),
            Case(arguments: [signal, "--key", wrong], code: .importKey, exit: 5),
        ]
        for expected in cases {
            let words = ["import", "--unsigned"] + expected.arguments
            let text = try await run(words)
            #expect(text.exit == expected.exit, "\(words): \(text)")
            #expect(
                text.errors.hasPrefix("error: ") && text.errors.contains("hint: ") == (expected.hint != nil), "\(text)")
            #expect(text.errors.contains(expected.hint ?? "error: "), "\(text)")
            let error = try await run(words + ["--json"]).json["error"]
            #expect(error?["code"].text == expected.code.rawValue, "\(words): \(String(describing: error))")
            #expect(error?["exitCode"].number == Double(expected.exit), "\(words)")
            #expect((error?["hint"].text == nil) == (expected.hint == nil), "\(words)")
        }
        // Nothing is imported without consent, and nothing was.
        let unconfirmed = try await run(["import", path("pidgin")])
        #expect(unconfirmed.exit == 5 && unconfirmed.errors.contains("hint: add --unsigned"))
        let unknown = try await run(["import", path("pidgin"), "--format", "nope"])
        #expect(unknown.exit == 2 && unknown.errors.contains("'nope'"), "\(unknown)")
        #expect(try await home.packs().isEmpty)

        // The API refuses the same with the same codes.
        func ask(_ body: String) throws -> (status: Int, body: String) {
            try DaemonWire.ask("POST", "/v1/sticker-imports", body, at: home.path + "/run/stored.sock")
        }
        var answer = try ask(#"{"file":"\#(folder.path)/none"}"#)
        #expect(answer.status == 422 && answer.body.contains(#""code":"import.not-recognized""#), "\(answer)")
        answer = try ask(#"{"file":"\#(folder.path)/nothing"}"#)
        #expect(answer.status == 404 && answer.body.contains(#""code":"file.unusable""#), "\(answer)")
        answer = try ask(#"{"file":"\#(signal)","key":"\#(wrong)"}"#)
        #expect(answer.status == 422 && answer.body.contains(#""code":"import.key""#), "\(answer)")
        answer = try ask(#"{"file":"\#(signal)","format":"nope"}"#)
        #expect(answer.status == 400 && answer.body.contains(#""code":"import.format-unknown""#), "\(answer)")
        try await home.must("daemon", "stop")
    }

    // MARK: Export

    @Test func `a pack is exported to each format, and what was exported can be imported`() async throws {
        let pack = ForeignPack.all(in: folder)[0]
        let source = try #require(
            try await imported(pack, stickers: 3)["report"]["packs"][0]["productIdentifier"].text)
        // Pidgin does not draw WebP.
        let pidgin = try #require(
            try await imported(ForeignPack.all(in: folder)[1], stickers: 3)["report"]["packs"][0]["productIdentifier"]
                .text)
        for format in Self.formats {
            let target = folder.path + "/to/\(format)"
            let identifier = format == "pidgin" ? pidgin : source
            let words = ["export", identifier, "--to", format, "--into", target, "--json"]
            let report = try #require(try await run(words).json["reports"]?[0])
            let files = report["files"].elements.compactMap(\.text)
            #expect(report["written"].number == Double(files.count) && files.count >= 1, "\(format): \(report)")
            #expect(files.allSatisfy { FilePaths.isRegularFile(target + "/" + $0) })
            #expect(try await run(words).json["reports"]?[0]["written"].number == 0, "\(format)")
            let first = files[0].split(separator: "/")[0]
            let again = try await run(["import", "\(target)/\(first)", "--dry-run", "--json"]).json["report"]
            #expect(again?["format"].text == (format == "deltachat" ? "images" : format))
            #expect(again?["packs"][0]["count"].number == 3, "\(format): \(String(describing: again))")
        }
        try folder.directory.putLink("linked", to: home.path + "/data/packs")
        let failures = [
            (["export", source, "--to", "nope"], 2, "export.format-unknown"),
            (["export", "none", "--to", "kde"], 3, "pack.not-installed"),
            (["export", source, "--to", "kde", "--into", home.path + "/data/packs"], 5, "export.directory"),
            (["export", source, "--to", "kde", "--into", home.path + "/data/./packs/new"], 5, "export.directory"),
            (["export", source, "--to", "kde", "--into", folder.path + "/linked/new"], 5, "export.directory"),
            (["export", source, "--to", "kde", "--into", folder.path + "/new/../linked/x"], 5, "export.directory"),
            (["export", source, "--to", "kde", "--into", "/dev/null/x"], 1, "file.failed"),
            (["targets", "add", "nope", folder.path], 2, "export.format-unknown"),
            (["targets", "add", "kde", "/dev/null/x"], 1, "file.failed"),
            (["targets", "remove", "kde", folder.path], 5, "export.directory"),
        ]
        for (words, exit, code) in failures {
            let result = try await run(words + ["--json"])
            #expect(result.exit == exit && result.errors.hasPrefix("error: "), "\(words): \(result)")
            #expect(try result.json["error"]?["code"].text == code, "\(words): \(result)")
        }
        try await home.must("daemon", "stop")
    }

    @Test func `targets follow installations, updates and removals, and other programs' files stay`() async throws {
        let store = try await TestStore()
        let cups = "org.example.cups"
        func publish(_ version: String, _ images: [String: Data]) async throws {
            let stickers = images.keys.sorted().map { #"{"id":"\#($0)","file":"\#($0)","emoji":["🙂"]}"# }
            let information =
                #"{"kind":"sticker","name":"Cups","stickers":[\#(stickers.joined(separator: ","))]}"#
            try await store.add(cups, version: version, information: information, files: images)
            try await store.publish()
        }
        let (old, new) = (Data(ImageForge.png(3, 3)), Data(ImageForge.png(4, 4)))
        try await publish("1.0.0", ["1.png": old, "2.png": old + Data()])
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        try await home.must("install", cups)

        /// The names of all files of a target, except the list of what was exported.
        func files(_ format: String) -> Set<String> {
            let target = folder.path + "/to/" + format
            while true {
                // A temporary file of the daemon may be gone before it is listed.
                guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: target) else { continue }
                return Set(paths.filter { !$0.hasPrefix(".") && FilePaths.isRegularFile(target + "/" + $0) })
            }
        }
        var others: [String: Set<String>] = [:]
        for format in Self.formats {
            try folder.directory.put("to/\(format)/mine/1.png", "mine")
            try folder.directory.put("to/\(format)/mine.txt", "mine")
            others[format] = files(format)
            let added = try await run(["targets", "add", format, folder.path + "/to/" + format, "--json"])
            #expect(added.exit == 0, "\(added)")
            #expect(!files(format).subtracting(others[format] ?? []).isEmpty, "\(format)")
        }
        #expect(try await home.must("stickers", "targets", "list", "--json").json["targets"]?.elements.count == 6)
        func eventuallyAll(_ condition: (_ format: String) -> Bool) async throws {
            for format in Self.formats { #expect(try await eventually { condition(format) }, "\(format)") }
        }
        func has(_ name: String, _ format: String) -> Bool { files(format).contains { $0.contains(name) } }

        // The targets are also kept in step by the next daemon.
        await home.killDaemon()
        let wave = ForeignPack.all(in: folder)[1]
        let imported = try #require(
            try await imported(wave, stickers: 2)["report"]["packs"][0]["productIdentifier"].text)
        try await eventuallyAll { has("Fröhlich", $0) }

        // Another program changes an exported file; an update replaces only the others.
        let changed = folder.path + "/to/kde/Cups/1.png"
        try Data("changed".utf8).write(to: URL(filePath: changed))
        try await publish("2.0.0", ["1.png": new, "3.png": new + Data()])
        try await home.must("refresh")
        try await home.must("update")
        let delta = folder.path + "/to/deltachat/Cups/"
        #expect(try await eventually { FileManager.default.contents(atPath: delta + "1.png") == new })
        #expect(try await eventually { !FilePaths.isRegularFile(delta + "2.png") })
        #expect(FileManager.default.contents(atPath: changed) == Data("changed".utf8))

        try await home.must("uninstall", cups)
        try await home.must("uninstall", imported)
        try await eventuallyAll { format in
            let kept: Set<String> = format == "kde" ? ["Cups/1.png"] : []
            return files(format) == others[format]?.union(kept)
        }
        #expect(FileManager.default.contents(atPath: changed) == Data("changed".utf8))
        for format in Self.formats {
            #expect(try folder.directory.text("to/\(format)/mine.txt") == "mine")
            #expect(try folder.directory.text("to/\(format)/mine/1.png") == "mine")
        }

        // A directory that is no target any more keeps what it has, unless its files are to be removed.
        try await home.must("install", cups)
        try await eventuallyAll { has("Cups", $0) }
        for (format, options) in [("deltachat", []), ("matrix", ["--remove-files"])] {
            let removed = try await run(["targets", "remove", format, folder.path + "/to/" + format] + options)
            #expect(removed.exit == 0, "\(removed)")
            #expect(has("Cups", format) == options.isEmpty)
        }
        #expect(try await home.must("stickers", "targets", "list", "--json").json["targets"]?.elements.count == 4)
        try await home.must("daemon", "stop")
    }
}
