import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// Imports themes from Debian's packages and this repository's packs, which nobody made for these tests.
@Suite struct RealThemesTests {
    private static let pidgin = "/usr/share/pixmaps/pidgin/emotes"
    private static let kde = "/usr/share/emoticons"

    private static func themes(in path: String) -> [String] {
        let entries = (try? Directory.open(path).entries()) ?? []
        return entries.filter { $0.kind == .folder }.map { path + "/" + $0.name }.sorted()
    }

    // Another package has themes in the directory of Pidgin's, too.
    @Test(
        .needs(pidgin + "/kitties", debian: "pidgin-themes"), .needs(kde + "/Breeze", debian: "libkf5emoticons-data"),
        arguments: themes(in: pidgin) + themes(in: kde))
    func `a theme from Debian is imported with all of the images that it has`(path: String) throws {
        let fixture = try ImportFixture()
        let report = try PackImporter().run(ImportSource(path)) { pack in
            try fixture.packs.directory.createDirectory(pack.productIdentifier)
        }
        #expect(report.format == (path.hasPrefix(Self.pidgin) ? "pidgin" : "kde"))
        let pack = try #require(report.packs.first)
        // Pidgin's theme without smileys, which turns them off.
        guard !path.hasSuffix("/none") else {
            #expect(pack.count == 0 && report.leftOut.isEmpty)
            return
        }
        // Some themes name images that they don't have, and one has pictures of Windows.
        let unusable = report.leftOut.filter { !$0.value.hasPrefix("there is no file") && $0.key.suffix != "bmp" }
        #expect(unusable.isEmpty)
        #expect(pack.count > 0)
        // What is exported and imported again has the same texts.
        let stickers = try fixture.stickers(of: pack)
        let target = try TemporaryFolder()
        let exported = StickerPack(
            productIdentifier: pack.productIdentifier, name: pack.name, publisher: pack.publisher, path: "", cover: nil,
            stickers: stickers)
        var directory = try ExportDirectory(target.path)
        _ = try directory.export(
            ExportedPack(exported, in: fixture.packs.directory.openDirectory(pack.productIdentifier)),
            as: KDEFormat())
        let again = try ImportFixture()
        let second = try PackImporter().run(
            ImportSource(target.path + "/" + (target.directory.names().first { !$0.hasPrefix(".") } ?? ""))
        ) { pack in
            try again.packs.directory.createDirectory(pack.productIdentifier)
        }
        let pictures = stickers.filter { ExportedPack.pictures[$0.file.suffix] != nil }
        #expect(second.packs.first?.count == pictures.count)
        let expected = pictures.map { Set($0.shortcuts) }
        #expect(try again.stickers(of: #require(second.packs.first)).map { Set($0.emoji + $0.keywords) } == expected)
    }

    @Test func `this repository's packs are imported as plain images`() throws {
        let root = DocumentedErrorCodes.sources.deletingLastPathComponent().path
        for (pack, count) in [("weather", 4), ("faces", 4)] {
            let fixture = try ImportFixture()
            let report = try PackImporter().run(ImportSource(root + "/Tests/Packs/\(pack)")) { pack in
                try fixture.packs.directory.createDirectory(pack.productIdentifier)
            }
            #expect(report.format == "images" && report.packs.first?.count == count && report.leftOut.isEmpty)
        }
    }
}
