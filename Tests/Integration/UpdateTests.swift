import Foundation
import StoreModel
import StoreSystem
import Synchronization
import Testing

/// Tests updates of installed packs.
@Suite struct UpdateTests {
    private func home(of store: UpdateStore, _ server: NginxServer, _ packs: String...) async throws -> TestHome {
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let result = try await Programs.run("storectl", ["install"] + packs, environment: home.environment)
        try #require(result.exit == 0, "\(result)")
        return home
    }

    private func versions(_ home: TestHome) async throws -> [String: String?] {
        try await home.packs().mapValues { $0["version"].text }
    }

    @Test func `an update job is silent without updates, and reports updates in a line`()
        async throws
    {
        let store = try await UpdateStore("a", "b")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a", "b")
        let nothing = try await home.must("update")
        #expect(nothing.output.isEmpty && nothing.errors.isEmpty, "\(nothing)")
        #expect(try await home.must("update", "--json").json["results"] == .array([]))
        try store.show(2)
        let updated = try await home.must("update")
        let lines = updated.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("Updated ") && $0.contains("2.0.0") }, "\(updated)")
        #expect(try await versions(home) == ["a": "2.0.0", "b": "2.0.0"])
        let history = try await home.must("history", "--json").json["operations"]?.elements ?? []
        #expect(history.prefix(2).allSatisfy { $0["action"].text == "update" && $0["end"].text == "finished" })
        // A store that goes back to an older version causes no update.
        try store.show(1)
        #expect(try await home.must("update").output.isEmpty)
        #expect(try await home.storectl("update", "--check").exit == 0)
    }

    @Test func `an update receives only the files that have changed, and a rollback nothing`() async throws {
        let store = try await UpdateStore(["a"]) { _, version in
            var files = ["VERSION": Data("\(version)".utf8)]
            for number in 0..<60 {
                let isChanged = number == 7 || number == 41
                let seed = UInt64(isChanged ? 1000 * version + number : number)
                files["\(number).webp"] = TestStore.bytes(10_000, seed: seed)
            }
            return files
        }
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a")
        let pack = home.path + "/data/packs/a.stickers"
        #expect(try store.version(of: "a", in: pack) == 1)
        try store.show(2)
        try await home.must("update")
        #expect(try store.version(of: "a", in: pack) == 2)
        let downloads = try await home.must("downloads", "--json").json["downloads"]?.elements ?? []
        let received = try #require(downloads.first { $0["action"].text == "update" }?["bytesReceived"].number)
        // Two files, and the table with less than 250 bytes for each file.
        #expect(received > 20_000 && received < 20_000 + 62 * 250, "\(downloads)")
        #expect(try await home.must("verify", "a").exit == 0)
        try await home.must("rollback", "a")
        #expect(try store.version(of: "a", in: pack) == 1)
        #expect(try await home.must("verify", "a").exit == 0)
    }

    @Test func `a reader of one version gets its files also after an update`() async throws {
        let store = try await UpdateStore("a")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a")
        let socket = home.path + "/run/stored.sock"
        func read(_ operation: String?) async throws -> (status: Int, body: String) {
            let pin = operation.map { "?operation=" + $0 } ?? ""
            return try DaemonWire.get("/v1/packs/a/files/01.txt" + pin, at: socket)
        }
        var operations: [String] = []
        for version in [1, 2, 1] {
            if version == 2 {
                try store.show(2)
                try await home.must("update")
            }
            // A rollback is an operation as well.
            if operations.count == 2 { try await home.must("rollback", "a") }
            operations.append(try #require(try await home.packs()["a"]?["operation"].text))
            #expect(try await read(nil) == (200, "a \(version)"))
            #expect(try await read(operations.last) == (200, "a \(version)"))
        }
        #expect(Set(operations).count == 3)
        #expect(try await read(operations[1]) == (200, "a 2"), "the version before")
        let gone = try await read(operations[0])
        #expect(gone.status == 404 && gone.body.contains("pack.replaced"), "\(gone)")
    }

    @Test func `update --check changes nothing, lists the updates, and exits with 11`() async throws {
        let store = try await UpdateStore("a", "b")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a", "b")
        let none = try await home.storectl("update", "--check")
        #expect(none.exit == 0 && none.output.isEmpty && none.errors.isEmpty, "\(none)")
        try store.show(2)
        let some = try await home.storectl("update", "--check")
        #expect(some.exit == 11)
        #expect(some.output.contains("a ") && some.output.contains("1.0.0") && some.output.contains("2.0.0"), "\(some)")
        let document = try await home.storectl("update", "--check", "--json")
        #expect(document.exit == 11)
        #expect(try document.json["updates"]?.elements.map { $0["productIdentifier"].text } == ["a", "b"])
        let quiet = try await home.storectl("update", "--check", "--quiet")
        #expect(quiet.exit == 11 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
        #expect(try await versions(home) == ["a": "1.0.0", "b": "1.0.0"])
        #expect(try await home.must("list", "--updatable", "--json").json["packs"]?.elements.count == 2)
        try await home.must("hold", "a", "b")
        let held = try await home.storectl("update", "--check")
        #expect(held.exit == 0, "what is held is not due")
        let rows = held.output.split(separator: "\n").dropFirst()
        #expect(rows.count == 2 && rows.allSatisfy { $0.hasSuffix(" held") }, "\(held)")
        #expect(try await home.storectl("update", "--check", "a").exit == 11, "named, it is")
    }

    @Test func `a held pack is not updated unless it is named`() async throws {
        let store = try await UpdateStore("a", "b")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a", "b")
        try await home.must("hold", "a")
        try store.show(2)
        try await home.must("update")
        #expect(try await versions(home) == ["a": "1.0.0", "b": "2.0.0"])
        try await home.must("update", "a")
        #expect(try await versions(home) == ["a": "2.0.0", "b": "2.0.0"])
        #expect(try await home.packs()["a"]?["held"] == .bool(true), "an update does not end the hold")
        try await home.must("unhold", "a")
        #expect(try await home.packs()["a"]?["held"] == .bool(false))
        #expect(try await home.storectl("update", "nowhere").exit == 3)
    }

    @Test func `a rollback restores the previous version and holds it, and an update undoes it`() async throws {
        let store = try await UpdateStore("a")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a")
        let folder = home.path + "/data/packs/a.stickers"
        #expect(try await home.storectl("rollback", "a").exit == 3, "there is no version before yet")
        try store.show(2)
        try await home.must("update")
        let record = try await home.must("rollback", "a", "--json").json
        #expect(record["action"]?.text == "rollback" && record["end"]?.text == "finished")
        #expect(record["version"]?.text == "1.0.0")
        #expect(try store.version(of: "a", in: folder) == 1)
        #expect(try await home.packs()["a"]?["held"] == .bool(true))
        #expect(try await home.must("update").output.isEmpty)
        #expect(try store.version(of: "a", in: folder) == 1)
        try await home.must("verify")
        #expect(try await home.storectl("rollback", "a").exit == 3, "only one previous version is kept")
        #expect(try store.version(of: "a", in: folder) == 1)
        try await home.must("unhold", "a")
        try await home.must("update")
        #expect(try store.version(of: "a", in: folder) == 2)
        try await home.must("uninstall", "a")
        #expect(home.entries("data/previous").isEmpty && home.entries("data/packs").isEmpty)
    }

    @Test func `two publications within one second are distinguished by every client`() async throws {
        let store = try await TestStore()
        let server = try await NginxServer(serving: store.publicPath)
        let index = URL(filePath: store.publicPath + "/catalogue.json")
        let home = try TestHome()
        var updated = ""
        for number in 1...3 {
            // The documents of both versions have the same length. A server distinguishes them by the modification
            // time in seconds, which is the same here, as for two publications within a second.
            let before = try? FileManager.default.attributesOfItem(atPath: index.path)[.modificationDate] as? Date
            try await store.add("a", version: "\(number).0.0", files: ["01.txt": Data("\(number)".utf8)])
            try await store.publish()
            if number == 1 {
                try await home.must("store", "add", "shop", server.url, "--unsigned")
                try await home.must("install", "a")
            } else {
                let after = try #require(
                    try FileManager.default.attributesOfItem(atPath: index.path)[.modificationDate] as? Date)
                #expect(Int(after.timeIntervalSince1970) > Int(try #require(before).timeIntervalSince1970))
                updated = try await home.must("update", "--json").output
            }
            #expect(try await versions(home) == ["a": "\(number).0.0"], "publication \(number): \(updated)")
            // The clock is set back afterwards.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 1000)], ofItemAtPath: index.path)
            try await home.must("refresh")
        }
    }

    @Test func `an open directory keeps showing the old version`() async throws {
        let store = try await UpdateStore("a")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a")
        let folder = home.path + "/data/packs/a.stickers"
        let held = try Directory.open(folder)
        let file = try held.openFile("01.txt")
        try store.show(2)
        try await home.must("update")
        #expect(try held.read("VERSION") == Data("1".utf8))
        #expect(try held.read("01.txt") == Data("a 1".utf8))
        #expect(try file.read(count: 100, at: 0) == Array("a 1".utf8))
        #expect(try held.entries().map(\.name).sorted() == [".receipt.json", "01.txt", "VERSION"])
        let now = try Directory.open(folder)
        #expect(try now.read("VERSION") == Data("2".utf8))
        // The store goes back to the first publication.
        try await home.must("rollback", "a")
        #expect(try now.read("01.txt") == Data("a 2".utf8))
        #expect(try Directory.open(folder).read("VERSION") == Data("1".utf8))
    }

    @Test func `a reader always sees one complete version while packs are replaced`() async throws {
        let names = (0..<40).map { "\($0).txt" }
        let store = try await UpdateStore(["a"]) { _, version in
            Dictionary(uniqueKeysWithValues: names.map { ($0, Data("\(version)".utf8)) })
        }
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try await home(of: store, server, "a")
        let reader = PackReader(home.path + "/data/packs/a.stickers", names)
        try store.show(2)
        for _ in 0..<6 {
            reader.changes.withLock { $0 += 1 }
            try await home.must("update", "a")
            reader.changes.withLock { $0 += 1 }
            try await home.must("rollback", "a")
        }
        let (passes, problems) = await reader.finish()
        #expect(problems.isEmpty, "\(problems)")
        #expect(passes > 12)
    }
}

/// Reads a pack repeatedly, each time completely through one open directory.
private final class PackReader: Sendable {
    /// The number of changes of the pack.
    let changes = Mutex(0)
    private let isStopped = Mutex(false)
    private let result: AsyncStream<(Int, [String])>

    init(_ path: String, _ names: [String]) {
        let (stream, continuation) = AsyncStream<(Int, [String])>.makeStream()
        result = stream
        Thread.detachNewThread { [self] in
            var passes = 0
            var problems: [String] = []
            while !isStopped.withLock({ $0 }) {
                let before = changes.withLock { $0 }
                do {
                    let folder = try Directory.open(path)
                    let versions = Set(try names.map { String(decoding: try folder.read($0), as: UTF8.self) })
                    if versions.count != 1 { problems.append("mixed: \(versions)") }
                } catch  where changes.withLock({ $0 }) >= before + 2 {
                    // The reader is so slow that its version was replaced twice, and only the previous version is
                    // kept.
                } catch {
                    problems.append("\(error)")
                }
                passes += 1
            }
            continuation.yield((passes, problems))
            continuation.finish()
        }
    }

    func finish() async -> (passes: Int, problems: [String]) {
        isStopped.withLock { $0 = true }
        for await one in result { return one }
        return (0, ["the reader did not end"])
    }
}
