import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests verify and repair with a `storehouse` store.
@Suite(.hangGuard) struct RepairTests {
    private let store: TestStore
    private let origin: Origin

    init() async throws {
        store = try await TestStore()
        origin = try Origin()
    }

    /// Opens a home in which the only pack of the store is installed.
    ///
    /// - Parameter settings: by default, the archive is not cached, so that damaged files have to be fetched.
    private func open(
        _ settings: [String: String] = ["STORECTL_DOWNLOADS_KEPT_ARCHIVES": "0"]
    ) async throws -> TestHome {
        let files = (0..<24).map { ("\($0).png", TestStore.bytes(20_000, seed: UInt64($0))) }
        try await store.add("cups", files: Dictionary(uniqueKeysWithValues: files))
        try await store.publish()
        origin.serve(folder: store.publicPath)
        let home = try TestHome(settings: settings)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        return home
    }

    @Test func `a repair reports the bytes that it fetched`() async throws {
        let home = try await open()
        let before = home.files(of: "cups.stickers")
        let pack = home.path + "/data/packs/cups.stickers/"
        var bytes = try #require(before["7.png"])
        bytes[10_000] ^= 1
        try bytes.write(to: URL(filePath: pack + "7.png"))
        try FileManager.default.removeItem(atPath: pack + "20.png")
        let asked = origin.requests.count

        let found = try await home.storectl("verify", "--json")
        #expect(found.exit == 5)
        let repaired = try #require(try await home.must("verify", "--repair", "--json").json["results"]?[0])
        #expect(repaired["end"].text == "finished" && repaired["intact"] == .bool(false))
        #expect(repaired["damages"].elements.count == 2)
        let requests = origin.requests.dropFirst(asked)
        #expect(requests.compactMap(\.range).count == 2 && requests.count == 3, "\(requests.map(\.path))")
        let fetched = try #require(repaired["fetched"].number)
        #expect(fetched > 40_000 && fetched < 40_000 + 30 * 250)
        #expect(home.files(of: "cups.stickers") == before)

        // The text output reports it as well, and what became of a file that does not belong to the pack.
        try Data("mine".utf8).write(to: URL(filePath: pack + "mine.png"))
        let result = try await home.must("verify", "--repair")
        #expect(
            result.output.contains("mine.png: added")
                && (result.output + result.errors).contains("Repaired cups: 1 added file removed, 0 B fetched."),
            "\(result)")
        #expect(home.files(of: "cups.stickers") == before)
        try await home.expectNothingLeft()
    }

    @Test func `a repair from the archive cache fetches nothing and reports that`() async throws {
        let home = try await open([:])
        let before = home.files(of: "cups.stickers")
        try FileManager.default.removeItem(atPath: home.path + "/data/packs/cups.stickers/20.png")
        let asked = origin.requests.count
        let repaired = try await home.must("verify", "--repair", "--json").json["results"]?[0]
        #expect(repaired?["end"].text == "finished" && repaired?["fetched"].number == 0)
        #expect(origin.requests.dropFirst(asked).allSatisfy { !$0.path.hasPrefix("/archives/") })
        #expect(home.files(of: "cups.stickers") == before)
    }

    @Test func `damage is announced to observers once`() async throws {
        let home = try await open()
        let file = home.path + "/data/packs/cups.stickers/7.png"
        try Data("?".utf8).write(to: URL(filePath: file))
        let watching = try home.startStorectl("watch", "--json")
        defer { watching.signal(SIGKILL) }
        // Any event shows that the subscription is active.
        try await eventually {
            try await home.must("store", "add", "shop", origin.address, "--unsigned")
            return watching.output.contains("catalogue")
        }
        for _ in 0..<3 { #expect(try await home.storectl("verify").exit == 5) }
        try await home.must("verify", "--repair")
        try await eventually { watching.output.contains(#""change":"updated""#) }
        let damaged = watching.output.split(separator: "\n").filter { $0.contains(#""change":"damaged""#) }
        #expect(damaged.count == 1 && damaged.first?.contains(#""damages":1"#) == true, "\(damaged)")
        #expect(damaged.first?.contains(#""type":"pack""#) == true)
    }

    @Test func `verify names unmanaged packs and does not change them`() async throws {
        let home = try await open()
        let mine = home.path + "/data/packs/mine.stickers"
        try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
        try Data("1".utf8).write(to: URL(filePath: mine + "/1.png"))
        for arguments in [["verify", "--json"], ["verify", "--repair", "--json"]] {
            let result = try await Programs.run("storectl", arguments, environment: home.environment)
            #expect(result.exit == 0, "\(result)")
            let rows = try #require(try result.json["results"]?.elements)
            #expect(rows.compactMap { $0["productIdentifier"].text }.sorted() == ["cups", "mine"])
            for row in rows {
                let isMine = row["productIdentifier"].text == "mine"
                #expect(row["intact"] == (isMine ? .null : .bool(true)) && row["error"] == .null)
                #expect(row["byHand"] == .bool(isMine))
            }
        }
        let result = try await home.must("verify")
        #expect((result.output + result.errors).contains("mine: unmanaged"), "\(result)")
        try await home.fails("verify", "mine", exit: 7, code: "conflict.by-hand", saying: ["mine.stickers"])
        #expect(FileManager.default.contents(atPath: mine + "/1.png") == Data("1".utf8))
    }

    @Test func `a damaged receipt is reported and restored`() async throws {
        let home = try await open()
        let receipt = home.path + "/data/packs/cups.stickers/.receipt.json"
        try Data("garbage".utf8).write(to: URL(filePath: receipt))
        let found = try await home.fails(
            "verify", exit: 5, code: "pack.damaged", saying: ["'cups'", "verify --repair"])
        #expect(found["results"]?[0]["damages"][0]["path"].text == ".receipt.json")
        try await home.must("daemon", "stop")
        #expect(try await home.packs()["cups"]?["store"].text == "shop")
        try await home.must("verify", "--repair")
        try await home.must("verify")
        #expect(origin.requests.contains { $0.path.hasSuffix(".zip") })
        #expect(try await home.packs()["cups"]?["version"].text == "1.0.0")
    }

    @Test func `an installed pack is described although its store is gone`() async throws {
        let home = try await open()
        try await home.must("store", "remove", "shop")
        let found = try await home.must("info", "cups", "--json").json
        #expect(found["store"]?.text == "shop" && found["pack"]?["version"].text == "1.0.0")
        #expect(try await home.must("info", "cups").output.contains("1.0.0"))
        #expect(try await home.must("list").output.contains("store removed"))
    }
}
