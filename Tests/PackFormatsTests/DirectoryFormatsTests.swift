import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// Formats that are directories with a text file: WhatsApp, `.wastickers`, Movim, Pidgin, KDE and plain images.
@Suite struct DirectoryFormatsTests {
    @Test func `WhatsApp's contents.json keeps emoji, descriptions, author and tray image`() throws {
        let json = #"""
            {"sticker_packs": [{"identifier": "1", "name": "Cuppy", "publisher": "Jane Doe", "tray_image_file": "tray.png",
              "image_data_version": 3, "publisher_website": "https://example.org/", "publisher_email": "jane@example.org",
              "license_agreement_website": "https://example.org/license", "stickers": [
                {"image_file": "smile.webp", "emojis": ["☕", "🙂"], "accessibility_text": "A cup smiles."},
                {"image_file": "gone.webp", "emojis": ["😀"]}, {"emojis": ["😀"]}, {"image_file": "SAD.webp"}]},
              {"identifier": "1", "name": "Other", "publisher": "Joe", "stickers": [{"image_file": "wave.webp"}]}]}
            """#
        let fixture = try ImportFixture(
            ["contents.json": json], images: ["1/tray.png", "1/smile.webp", "1/sad.webp", "wave.webp"])
        let report = try fixture.run()
        #expect(report.format == "whatsapp")
        let pack = try #require(report.packs.first)
        let information = try fixture.information(of: pack)
        #expect(information.name.text() == "Cuppy" && information.publisher == "Jane Doe")
        #expect(information.license == "https://example.org/license" && information.website == "https://example.org/")
        #expect(information.cover == "tray.png" && information.version == "3")
        #expect(information.stickers.map(\.id) == ["smile", "sad"])
        #expect(information.stickers[0].emoji == ["☕", "🙂"])
        #expect(information.stickers[0].description?.text() == "A cup smiles.")
        #expect(Set(report.leftOut.keys) == ["1/gone.webp", "sticker 3"])
        #expect(report.notes.contains("'publisher_email' (jane@example.org) is not kept"))
        // Two applications may use the same small number.
        #expect(Set(report.packs.map(\.productIdentifier)).count == 2)
        #expect(report.packs.allSatisfy { $0.productIdentifier.hasPrefix("import.whatsapp.1-") })
    }

    @Test func `the same source gets the same identifier and the same bytes each time`() throws {
        let fixture = try ImportFixture(["title.txt": "Cats", "author.txt": "Ann"], images: ["1.png", "2.png"])
        let first = try fixture.run()
        let bytes = try fixture.bytes("pack.json", of: first.packs[0])
        let again = try ImportFixture(["title.txt": "Cats", "author.txt": "Ann"], images: ["1.png", "2.png"])
        let second = try again.run()
        #expect(first.packs[0].productIdentifier == second.packs[0].productIdentifier)
        #expect(try again.bytes("pack.json", of: second.packs[0]) == bytes)
    }

    @Test func `a wastickers file has its stickers in order of their names and its cover apart`() throws {
        let fixture = try ImportFixture(
            ["title.txt": "Cats\n", "author.txt": "\u{FEFF}Ann\r\n", "emoji.txt": #"{"10": "😀😎"}"#],
            images: ["10.webp", "9.webp", "cover.png"])
        let report = try fixture.runArchive(named: "cats.wastickers")
        #expect(report.format == "wastickers")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.name.text() == "Cats" && information.publisher == "Ann" && information.cover == "cover.png")
        #expect(information.stickers.map(\.id) == ["9", "10"])
        #expect(information.stickers[1].emoji == ["😀", "😎"])
        #expect(report.notes == ["'author.txt' begins with a byte order mark"])
    }

    @Test func `control characters in a description don't make a pack that can't be installed`() throws {
        let name = "Cats\u{7F}\u{1}\u{FEFF}!"
        let fixture = try ImportFixture(["title.txt": name, "author.txt": "Ann\u{7F}"], images: ["1.webp"])
        let report = try fixture.runArchive(named: "cats.wastickers")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.name.text() == name && information.publisher == "Ann\u{7F}")
    }

    @Test func `a wastickers file without a title is named after its file`() throws {
        let fixture = try ImportFixture(images: ["1.webp"])
        let report = try fixture.runArchive(named: "Dogs.wastickers")
        #expect(report.packs[0].name.text() == "Dogs")
        #expect(report.notes == ["there is no 'title.txt'; the pack is named after its file"])
    }

    @Test func `Movim's info.ini keeps author, license and address`() throws {
        let fixture = try ImportFixture(
            [
                "mochi/info.ini":
                    "[pack]\n; a comment\nauthor      = Timothée Jaussoin\nlicense = \"CC BY SA\"\nurl=https://a.b/?c=d"
            ],
            images: ["mochi/icon.png", "mochi/29f4cfaca739286f6f19477a629b89818b3cf6c9.png"])
        let report = try fixture.run()
        let information = try fixture.information(of: report.packs[0])
        #expect(report.format == "movim" && information.name.text() == "mochi")
        #expect(information.publisher == "Timothée Jaussoin" && information.license == "CC BY SA")
        #expect(information.website == "https://a.b/?c=d" && information.cover == "icon.png")
        #expect(information.stickers.map(\.id) == ["29f4cfaca739286f6f19477a629b89818b3cf6c9"])
    }

    @Test func `a Pidgin theme in ISO-8859-1 keeps all texts of all sections`() throws {
        let fixture = try ImportFixture(images: ["happy.png", "SAD.png", "devil.gif"])
        let theme = """
            # Smileys
            Name=Fr\u{F6}hlich
            Icon=happy.png
            Author=Jos\u{E9}

            [default]
            happy.png\t\t:-)   :) \\\\o/ :\\o) :-\\
            ! sad.png :-(
            missing.png :-X
            [XMPP]
            happy.png :] :)
            devil.gif >:)
            """
        try fixture.source.directory.put("theme", Data(theme.unicodeScalars.map { UInt8($0.value) }))
        let report = try fixture.run()
        #expect(report.format == "pidgin")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.name.text() == "Fröhlich" && information.publisher == "José")
        #expect(information.cover == "happy.png")
        #expect(information.stickers.map(\.file) == ["happy.png", "SAD.png", "devil.gif"])
        #expect(information.stickers[0].keywords == [":-)", ":)", "\\o/", ":o)", ":-\\", ":]"])
        #expect(Array(report.leftOut.keys) == ["missing.png"])
        #expect(report.notes.contains("'theme' is not UTF-8; it was read as WINDOWS-1252"))
        #expect(report.notes.contains { $0.contains("1 smiley is hidden") })
        // The same file is named with another spelling in the description.
        #expect(report.packs[0].files.contains { $0.file == "SAD.png" && $0.outcome == .taken })
    }

    @Test func `a KDE theme with stray text and comments keeps its texts`() throws {
        let fixture = try ImportFixture(
            [
                "Glass/emoticons.xml": """
                \u{FEFF}<?xml version="1.0"?>
                <!DOCTYPE messaging-emoticon-map>
                <messaging-emoticon-map> stray
                  <!-- smiles -->
                  <emoticon file="smile.png"><string>:)</string> text <string>&lt;3</string></emoticon>
                  <emoticon file="wink"><string>;-)</string><string>😉</string></emoticon>
                  <emoticon><string>:(</string></emoticon>
                </messaging-emoticon-map>
                """
            ], images: ["Glass/smile.png", "Glass/wink.png"])
        let report = try fixture.run()
        #expect(report.format == "kde" && report.packs[0].name.text() == "Glass")
        let stickers = try fixture.stickers(of: report.packs[0])
        #expect(stickers.map(\.file) == ["smile.png", "wink.png"])
        #expect(stickers.map(\.keywords) == [[":)", "<3"], [";-)"]] && stickers[1].emoji == ["😉"])
        #expect(report.leftOut == ["emoticon on line 7": "it names no image file"])
        #expect(
            report.notes == [
                "'Glass/emoticons.xml' begins with a byte order mark",
                "the document type of 'Glass/emoticons.xml' was ignored",
                "'Glass/emoticons.xml' contains stray text, which was ignored",
            ])
    }

    @Test func `names that differ only in case are different files`() throws {
        let fixture = try ImportFixture(
            ["theme": "Name=Case\n[default]\nA.png :A\na.png :a\nB.PNG :B\n"], images: ["A.png", "a.png", "b.png"])
        let report = try fixture.run()
        let stickers = try fixture.stickers(of: report.packs[0])
        #expect(stickers.map(\.file) == ["A.png", "a-2.png", "b.png"])
        #expect(try fixture.bytes("A.png", of: report.packs[0]) != fixture.bytes("a-2.png", of: report.packs[0]))
    }

    @Test func `a plain directory is a pack of its images, and names what is none`() throws {
        let fixture = try ImportFixture(
            ["LICENSE": "CC0 1.0 Universal\n\nText", "LICENSE.html": "<p>", "broken.png": "no image"],
            images: ["1_😂.png", "02.gif", "10.jpg", "cover.png"])
        let report = try fixture.run()
        #expect(report.format == "images")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.license == "CC0 1.0 Universal" && information.cover == "cover.png")
        #expect(information.stickers.map(\.file) == ["1_😂.png", "02.gif", "10.jpg"])
        #expect(information.stickers[0].emoji == ["😂"])
        #expect(report.leftOut["broken.png"]?.contains("not an image") == true)
        #expect(report.leftOut["LICENSE.html"] == "it is not an image")
    }

    @Test func `an image with the wrong extension gets the right one`() throws {
        let fixture = try ImportFixture()
        try fixture.source.directory.put("a.png", Data(ImageForge.jpeg()))
        let report = try fixture.run()
        #expect(try fixture.stickers(of: report.packs[0]).map(\.file) == ["a.jpg"])
    }

    @Test func `a description can't name files outside its directory`() throws {
        let fixture = try ImportFixture(
            ["inner/theme": "Name=x\n[default]\n../secret.png :)\n/etc/passwd :(\nok.png :D\nlink.png :P\n"],
            images: ["secret.png", "inner/ok.png"])
        try fixture.source.directory.openDirectory("inner").putLink("link.png", to: "../secret.png")
        let report = try PackImporter().run(ImportSource(fixture.source.path + "/inner")) { pack in
            try fixture.packs.directory.createDirectory(pack.productIdentifier)
        }
        #expect(try fixture.stickers(of: report.packs[0]).map(\.file) == ["ok.png"])
        #expect(report.leftOut.count == 3)
    }

    @Test func `what no format describes is refused`() throws {
        let fixture = try ImportFixture(["readme.txt": "nothing"])
        let error = #expect(throws: StoreError.self) { try fixture.run() }
        #expect(error?.code == .importNotRecognized)
        let unknown = #expect(throws: StoreError.self) { try fixture.run(format: "nope") }
        #expect(unknown?.code == .importFormatUnknown)
    }

    @Test func `a pack without a usable image is reported and not written`() throws {
        let fixture = try ImportFixture(["theme": "Name=x\n[default]\na.bmp :)\n", "a.bmp": "BM"])
        let report = try fixture.run()
        #expect(report.packs[0].count == 0 && report.leftOut.count == 1)
        #expect(try fixture.packs.directory.names() == [])
    }

    @Test func `a pack of this project and a directory of images are not of another program`() throws {
        func isForeign(_ files: [String: String]) throws -> Bool {
            let fixture = try ImportFixture(files, images: ["a.png"])
            return PackFormats.isForeign(try ImportSource(fixture.source.path))
        }
        #expect(try !isForeign(["pack.json": #"{"stickers": [{"file": "a.png"}]}"#]))
        #expect(try !isForeign([:]))
        #expect(try isForeign(["pack.json": #"{"files": {"a": "a.png"}}"#]))
        #expect(try isForeign(["emoticons.xml": "<map><emoticon file='a.png'/></map>"]))
    }
}
