import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Archives that violate the rules, from stores of both formats.
///
/// The hash in a catalogue of format 2 identifies an archive, and does not prove that it is valid.
@Suite(.hangGuard) struct BadArchiveTests {
    static let forged: [(name: String, archive: [UInt8], code: String)] = {
        let good = ZipForge().file("a.png", ImageForge.bytes(3000))
        let whole = good.build()
        return [
            ("truncated", Array(whole.dropLast(30)), "archive.no-end-record"),
            ("cut", Array(whole[..<1000]), "archive.no-end-record"),
            ("empty", [], "archive.no-end-record"),
            (
                "page", Array("<html>not a ZIP at all, but long enough to hold an end record</html>".utf8),
                "archive.no-end-record"
            ),
            ("encrypted", good.file("b.png") { $0.both { $0.flags |= 1 } }.build(), "archive.encrypted"),
            ("climbing", good.file("../../../../evil.png").build(), "archive.traversal"),
            ("absolute", good.file("/tmp/evil.png").build(), "archive.traversal"),
            ("link", good.symlink("b.png", to: "/etc/passwd").build(), "archive.link"),
            ("receipt", good.file(".receipt.json").build(), "archive.reserved-name"),
            (
                "hidden", good.file(".git/config", Array("[core]\n\tfsmonitor = ./run".utf8)).build(),
                "archive.hidden-name"
            ),
            ("dotted", good.file("a.png.").build(), "archive.unportable-name"),
            ("twice", good.file("a.png").build(), "archive.duplicate-name"),
            ("garbled", good.file("b.png") { $0.both { $0.crc32 ^= 1 } }.build(), "archive.wrong-checksum"),
            (
                "dense", good.file("b.png", [], deflated: true) { $0.both { $0.size = 60 << 20 } }.build(),
                "archive.too-dense"
            ),
        ]
    }()

    private func expectRefused(in home: TestHome, _ identifier: String, code: String) async throws {
        let document = try await home.fails("install", identifier, exit: 5, code: code, saying: [identifier])
        #expect(document["results"]?[0]["end"].text == "failed", "\(identifier)")
        #expect(try await home.history(identifier).map { $0["error"]["code"].text } == [code])
    }

    @Test func `no archive of a format 2 store bypasses the checks`() async throws {
        let origin = try Origin()
        for (name, archive, _) in Self.forged { origin.serve("/\(name).zip", archive) }
        origin.serve("/good.zip", StoreDocuments.pack())
        StoreDocuments.formatTwo(
            (Self.forged.map { ($0.name, $0.archive) } + [("good", StoreDocuments.pack())]).map {
                StoreDocuments.product($0, archive: $1, at: "/\($0).zip")
            }, on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        for (name, _, code) in Self.forged { try await expectRefused(in: home, name, code: code) }

        // All products in one command with a valid one, which is installed.
        let names = Self.forged.map(\.name) + ["good"]
        let all = try await Programs.run("storectl", ["install", "--json"] + names, environment: home.environment)
        #expect(all.exit == 10, "\(all)")
        let results = try all.json["results"]?.elements ?? []
        #expect(results.map { $0["productIdentifier"].text } == names)
        #expect(results.map { $0["error"]["code"].text } == Self.forged.map(\.code) + [nil])
        #expect(home.entries("data/packs") == ["good.stickers"])
        #expect(home.entries("") == ["cache", "config", "data", "run"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path) == ["home"])
        try await home.expectNothingLeft()
    }

    @Test func `no archive of a format 1 store bypasses the checks`() async throws {
        let origin = try Origin()
        for (name, archive, _) in Self.forged { origin.serve("/\(name).zip", archive) }
        origin.serve(
            "/catalogue.json",
            StoreDocuments.json(
                Self.forged.map {
                    [
                        "productIdentifier": $0.name, "productName": $0.name, "productType": "sticker",
                        "productResourceURL": $0.name + ".zip",
                    ]
                }))
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        for (name, _, code) in Self.forged { try await expectRefused(in: home, name, code: code) }
        // All failures have the same exit code, so the command has it as well.
        let names = Self.forged.map(\.name)
        #expect(try await Programs.run("storectl", ["install"] + names, environment: home.environment).exit == 5)
        #expect(home.entries("data/packs") == [])
        try await home.expectNothingLeft()
    }

    @Test func `the limits of archives and of the library are settings`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1, size: 5000), on: origin)
        let home = try TestHome(settings: ["STORECTL_ARCHIVES_MAXIMUM_UNPACKED_SIZE": "4000"])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.fails("install", "cups", exit: 5, code: "archive.too-large", saying: ["4000"])
        try await home.expectNothingLeft()

        let other = try TestHome()
        try await other.must("store", "add", "shop", origin.address, "--unsigned")
        try await other.must("config", "set", "library.maximumSize", "6000")
        try await other.must("install", "cups")
        StoreDocuments.formatTwo("mugs", archive: StoreDocuments.pack(2, size: 5000), on: origin)
        try await other.fails(
            "install", "mugs", exit: 6, code: "space.library-limit", saying: ["'mugs'", "6 kB", "library.maximumSize"])
        #expect(try await other.packs().keys.sorted() == ["cups"])
        try await other.expectNothingLeft()
        // A running daemon applies another limit at once.
        try await other.must("config", "set", "library.maximumSize", "20000")
        try await other.must("install", "mugs")
    }

    @Test func `a product that changes its kind does not replace the installed pack`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        StoreDocuments.formatTwo(
            "cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin, with: ["productType": "skin"])
        try await home.fails("update", exit: 7, code: "conflict.kind-changed", saying: ["'cups'", "uninstall"])
        #expect(home.entries("data/packs") == ["cups.stickers"])
        try await home.must("uninstall", "cups")
        try await home.must("install", "cups")
        #expect(home.entries("data/packs") == ["cups.purchasedTheme"])
        try await home.expectNothingLeft()
    }

    @Test func `content that a kind forbids is refused, and so is an unknown kind`() async throws {
        let origin = try Origin()
        let broken = ZipForge().file("pack.json", Array("{".utf8)).file("a.png", ImageForge.gif()).build()
        let absent = ZipForge().file("pack.json", Array(#"{"stickers":[{"file":"b.png"}]}"#.utf8)).file(
            "a.png", ImageForge.gif()
        ).build()
        origin.serve("/broken.zip", broken)
        origin.serve("/absent.zip", absent)
        origin.serve("/odd.zip", StoreDocuments.pack())
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product("broken", archive: broken, at: "/broken.zip"),
                StoreDocuments.product("absent", archive: absent, at: "/absent.zip"),
                StoreDocuments.product(
                    "odd", archive: StoreDocuments.pack(), at: "/odd.zip", with: ["productType": "hologram"]),
            ], on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.fails("install", "broken", exit: 5, code: "content.bad-information", saying: ["pack.json"])
        try await home.fails("install", "absent", exit: 5, code: "content.bad-information", saying: ["'b.png'"])
        try await home.fails("install", "odd", exit: 5, code: "kind.unknown", saying: ["'odd'", "hologram"])
        #expect(try await home.packs().isEmpty)
        try await home.expectNothingLeft()
    }
}
