import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Full disks, unusable homes, and missing databases.
@Suite(.hangGuard) struct BadDiskTests {
    /// Whether the test can mount a small disk.
    static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["-rm", "sh", "-c", "mount -t tmpfs -o size=1m none /mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: canMount, "unshare -rm is not permitted on this machine"))
    func `a full disk exits with 6, keeps the installed packs, and recovers with free space`() async throws {
        // One of the products has a small archive and large files, so the disk only becomes full while it is unpacked.
        // One of every hundred bytes is random, so that the archive does not exceed the compression ratio.
        var airy = Data(count: 6 << 20)
        for place in stride(from: 0, to: airy.count, by: 100) { airy[place] = UInt8.random(in: 0...255) }
        airy = Data(ImageForge.png(1, 1, ImageForge.chunk("aiRy", Array(airy))))
        let large = TestStore.bytes(3 << 20, seed: 2)
        let store = try await TestStore()
        try await store.add("cups", files: ["a.png": TestStore.bytes(2000, seed: 1)])
        try await store.add("large", files: ["a.png": large])
        try await store.add("airy", files: ["a.png": airy])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let home = try TestHome()
        try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
        // Each step writes its output to a file beside the home.
        let script = """
            mount -t tmpfs -o size=5m,mode=700 none "$STORECTL_HOME" || exit 99
            step() { name=$1; shift; "$@" >"$OUT/$name.out" 2>"$OUT/$name.err"; echo $? >"$OUT/$name.exit"; }
            step add storectl store add shop "$URL" --unsigned
            step first storectl install cups --json
            step large storectl install large --json
            step airy storectl install airy --json
            step list storectl list --json
            step left find "$STORECTL_HOME/data/staging" "$STORECTL_HOME/cache/partial" -mindepth 1
            # Emptied when no pack has been installed for a moment.
            while [ -n "$(ls "$STORECTL_HOME/data/trash")" ]; do sleep 0.1; done
            cat /dev/zero >"$STORECTL_HOME/filler" 2>/dev/null
            step full storectl install large airy --json
            step again storectl install cups --json
            step verify storectl verify --json
            rm "$STORECTL_HOME/filler"
            mount -o remount,size=40m "$STORECTL_HOME"
            step after storectl install large airy --json
            step whole storectl verify --json
            step end find "$STORECTL_HOME/data/staging" "$STORECTL_HOME/cache/partial" -mindepth 1
            storectl daemon stop --quiet
            """
        let out = try TemporaryFolder()
        var environment = home.environment
        environment["URL"] = origin.address
        environment["OUT"] = out.path
        environment["PATH"] = Programs.folder + ":" + (environment["PATH"] ?? "")
        let run = try await Programs.run("/usr/bin/unshare", ["-rm", "sh", "-c", script], environment: environment)
        #expect(run.exit == 0, "\(run)")
        func said(_ step: String, _ kind: String) -> String {
            let text = try? String(contentsOfFile: "\(out.path)/\(step).\(kind)", encoding: .utf8)
            return text?.trimmingCharacters(in: .newlines) ?? "?"
        }
        func codes(_ step: String) throws -> [String?] {
            let document = try JSONDecoder().decode([String: JSONValue].self, from: Data(said(step, "out").utf8))
            return document["results"]?.elements.map { $0["error"]["code"].text } ?? []
        }
        for step in ["add", "first", "list", "left", "again", "verify", "after", "whole", "end"] {
            #expect(said(step, "exit") == "0", "\(step): \(said(step, "out")) \(said(step, "err"))")
        }
        for (step, products) in [("large", 1), ("airy", 1), ("full", 2)] {
            #expect(said(step, "exit") == "6", "\(step): \(said(step, "out")) \(said(step, "err"))")
            let expected = Array(repeating: "space.disk-full", count: products)
            #expect(try codes(step) == expected, "\(step): \(said(step, "out"))")
            #expect(said(step, "err").lowercased().contains("free"), "\(step): \(said(step, "err"))")
        }
        #expect(said("list", "out").contains("cups.stickers") && !said("list", "out").contains("airy"))
        #expect(said("left", "out") == "" && said("end", "out") == "")
    }

    @Test(.enabled(if: canMount, "unshare -rm is not permitted on this machine"))
    func `on a full disk no store is added or removed, and packs are uninstalled, also by a daemon that is started`()
        async throws
    {
        let store = try await TestStore()
        for name in ["cups", "cats"] {
            try await store.add(name, files: ["a.png": TestStore.bytes(1 << 20, seed: UInt64(name.utf8.last ?? 0))])
        }
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let home = try TestHome()
        try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=40m,mode=700 none "$STORECTL_HOME" || exit 99
            step() { name=$1; shift; "$@" >"$OUT/$name.out" 2>"$OUT/$name.err"; echo $? >"$OUT/$name.exit"; }
            step add storectl store add shop "$URL" --unsigned
            step install storectl install cups cats
            # Again before each command that must fail: what the one before has left is removed meanwhile, which makes room.
            more() { cat /dev/zero >>"$STORECTL_HOME/filler" 2>/dev/null; size=$(stat -c %s "$STORECTL_HOME/filler"); }
            fill() { more; while before=$size; sleep 0.5; more; [ $size != $before ]; do :; done; }
            fill
            step addfull storectl store add other "$URL" --unsigned --json
            fill
            step removefull storectl store remove shop --json
            step listed storectl store list --json
            step uninstall storectl uninstall cups --json
            step packs storectl list --json
            storectl daemon stop --quiet
            cat /dev/zero >>"$STORECTL_HOME/filler" 2>/dev/null
            step started storectl uninstall cats --json
            step none storectl list --json
            rm "$STORECTL_HOME/filler"
            storectl daemon stop --quiet
            step after storectl store list --json
            step history storectl history --json
            step remove storectl store remove shop --json
            storectl daemon stop --quiet
            """
        let out = try TemporaryFolder()
        var environment = home.environment
        environment["URL"] = origin.address
        environment["OUT"] = out.path
        environment["PATH"] = Programs.folder + ":" + (environment["PATH"] ?? "")
        let run = try await Programs.run("/usr/bin/unshare", ["-rm", "sh", "-c", script], environment: environment)
        #expect(run.exit == 0, "\(run)")
        func said(_ step: String, _ kind: String) -> String {
            let text = try? String(contentsOfFile: "\(out.path)/\(step).\(kind)", encoding: .utf8)
            return text?.trimmingCharacters(in: .newlines) ?? "?"
        }
        func json(_ step: String) throws -> [String: JSONValue] {
            try JSONDecoder().decode([String: JSONValue].self, from: Data(said(step, "out").utf8))
        }
        for step in ["add", "install", "listed", "uninstall", "packs", "started", "none", "after", "history", "remove"]
        {
            #expect(said(step, "exit") == "0", "\(step): \(said(step, "out")) \(said(step, "err"))")
        }
        for step in ["addfull", "removefull"] {
            #expect(said(step, "exit") == "6", "\(step): \(said(step, "out")) \(said(step, "err"))")
            #expect(try json(step)["error"]?["code"].text == "space.disk-full", "\(step): \(said(step, "out"))")
        }
        for step in ["listed", "after"] {
            #expect(try json(step)["stores"]?.elements.map { $0["name"].text } == ["shop"], "\(step)")
        }
        #expect(try json("packs")["packs"]?.elements.map { $0["productIdentifier"].text } == ["cats"])
        #expect(try json("none")["packs"]?.elements.isEmpty == true)
        let operations = try json("history")["operations"]?.elements ?? []
        #expect(operations.map { $0["action"].text } == ["uninstall", "uninstall", "install", "install"])
        #expect(operations.allSatisfy { $0["end"].text == "finished" }, "\(operations)")
    }

    // MARK: Homes

    @Test func `a home that can't be written exits with 8 and is named`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/file"
        try Data().write(to: URL(filePath: file))
        for home in [file, file + "/home", "/proc/storectl-home", "/dev/null/x"] {
            let result = try await Programs.run(
                "storectl", ["daemon", "start", "--json", "--home", home], environment: ["HOME": "/"])
            #expect(result.exit == 8, "\(home): \(result)")
            #expect(try result.json["error"]?["code"].text == "home.unwritable", "\(home): \(result)")
            #expect(result.errors.hasPrefix("error: ") && result.errors.contains(home), "\(home): \(result)")
        }
        // The daemon reports the same error.
        let daemon = try await Programs.run("stored", ["--home", file + "/home"], environment: ["HOME": "/"])
        #expect(daemon.exit == 8 && daemon.errors.contains(file), "\(daemon)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test func `a file in place of a home's directory exits with 8 and is named`() async throws {
        for name in ["data", "data/packs", "data/library.sqlite", "cache", "config", "run"] {
            let home = try TestHome()
            let path = home.path + "/" + name
            let parent = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            if name.hasSuffix("sqlite") {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            } else {
                try Data("mine".utf8).write(to: URL(filePath: path))
            }
            let result = try await home.storectl("list", "--json")
            #expect(result.exit == 8, "\(name): \(result)")
            #expect(result.errors.contains(path), "\(name): \(result)")
            #expect(!(try result.json["error"]?["code"].text ?? "").isEmpty, "\(name): \(result)")
            if !name.hasSuffix("sqlite") {
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine", "untouched")
            }
        }
    }

    @Test(arguments: [1, 5])
    func `a home with a path too long for sockets or SQLite works`(levels: Int) async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let folder = try TemporaryFolder()
        let long =
            folder.path + "/"
            + Array(repeating: String(repeating: "l", count: 200), count: levels).joined(separator: "/")
        let home = try TestHome(settings: ["STORECTL_HOME": long])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        #expect(try await home.packs()["cups"]?["path"].text == long + "/data/packs/cups.stickers")
        let watch = try home.startStorectl("watch", "--json")
        try await eventually { try await home.must("daemon", "status", "--json").json["observers"]?.number == 1 }
        try await home.must("uninstall", "cups")
        try await eventually { watch.output.contains("removed") }
        watch.signal(SIGTERM)
        _ = try await watch.result()
        try await home.must("daemon", "stop")
        #expect(try await home.must("daemon", "status", "--json").json["running"] == .bool(false))
    }

    // MARK: The database

    @Test(arguments: ["deleted", "emptied", "truncated", "overwritten", "garbled"])
    func `a missing or damaged database is rebuilt from the receipts`(damage: String) async throws {
        let origin = try Origin()
        origin.serve("/1.zip", StoreDocuments.pack(1))
        origin.serve("/2.zip", StoreDocuments.pack(2))
        func catalogue(_ version: String) {
            StoreDocuments.formatTwo(
                [
                    StoreDocuments.product("cups", version: version, archive: StoreDocuments.pack(1), at: "/1.zip"),
                    StoreDocuments.product(
                        "gold", version: version, archive: StoreDocuments.pack(2), at: "/2.zip",
                        with: ["productPrice": "2.00 EUR"]),
                ], on: origin)
        }
        catalogue("1.0.0")
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("purchases", "grant", "gold")
        try await home.must("install", "cups", "gold")
        try await home.must("hold", "cups")
        let before = try await home.packs()
        #expect(before.count == 2)
        try await home.must("daemon", "stop")

        let database = home.path + "/data/library.sqlite"
        let size = FileManager.default.contents(atPath: database)?.count ?? 0
        #expect(size > 0)
        switch damage {
        case "deleted":
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
        case "emptied": try Data().write(to: URL(filePath: database))
        case "truncated": try FileHandle(forWritingTo: URL(filePath: database)).truncate(atOffset: UInt64(size / 2))
        case "overwritten": try TestStore.bytes(size, seed: 3).write(to: URL(filePath: database))
        default:
            let handle = try FileHandle(forWritingTo: URL(filePath: database))
            try handle.seek(toOffset: UInt64(size / 3))
            try handle.write(contentsOf: TestStore.bytes(size / 3, seed: 4))
            try handle.close()
        }

        #expect(try await home.packs() == before)
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.count == 1)
        try await home.must("verify")
        // The pack is held, and an installed pack with a price was purchased.
        catalogue("1.1.0")
        try await home.must("update")
        #expect(try await home.packs().mapValues { $0["version"].text } == ["cups": "1.0.0", "gold": "1.1.0"])
        try await home.must("uninstall", "gold")
        try await home.must("install", "gold")
        try await home.expectNothingLeft()
    }
}
