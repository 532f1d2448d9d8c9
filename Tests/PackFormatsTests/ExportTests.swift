import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

@Suite struct ExportTests {
    private let folder: TemporaryFolder
    private let target: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        target = try TemporaryFolder()
        for (index, name) in ["smile.png", "wave.webp", "party.apng", "tray.png", "film.webm"].enumerated() {
            let bytes =
                switch name.suffix {
                case "webp": ImageForge.webp(ImageForge.vp8l(index + 1, 2))
                case "apng": ImageForge.apng(index + 1, 2)
                case "webm": AnimationForge.webm()
                default: ImageForge.png(index + 1, 2)
                }
            try folder.directory.put(name, Data(bytes))
        }
    }

    private var pack: ExportedPack {
        ExportedPack(
            StickerPack(
                productIdentifier: "org.example.cups",
                name: LocalizedText(byLanguage: ["en": "Cups & \"Co\"", "de": "Tassen"]),
                publisher: "Jane Doe", license: "CC-BY-4.0", version: Version("1.2"), path: folder.path,
                cover: "tray.png",
                stickers: [
                    Sticker(id: "smile", file: "smile.png", emoji: ["🙂"], keywords: [":-)", "<3", "happy"]),
                    Sticker(id: "wave", file: "wave.webp", emoji: ["👋", "😀"]),
                    Sticker(id: "party", file: "party.apng", keywords: ["party time"]),
                    Sticker(id: "film", file: "film.webm", emoji: ["🎬"]),
                ]), in: folder.directory, website: "https://example.org/")
    }

    private func export(_ format: String) throws -> ExportReport {
        var directory = try ExportDirectory(target.path)
        return try directory.export(pack, as: PackFormats.exporter(of: format))
    }

    private func reimport(_ path: String, _ format: String) throws -> ImportFixture.Information {
        let fixture = try ImportFixture()
        let report = try PackImporter().run(ImportSource(target.path + "/" + path), format: nil) { pack in
            try fixture.packs.directory.createDirectory(pack.productIdentifier)
        }
        #expect(report.format == format)
        return try fixture.information(of: report.packs[0])
    }

    @Test func `every exported format names what it leaves out`() throws {
        for exporter in PackFormats.exporters {
            let report = try export(exporter.format)
            #expect(report.leftOut.map(\.source).contains("film.webm"), "\(exporter.format)")
            #expect(report.leftOut.allSatisfy { $0.reason?.isEmpty == false })
            #expect(report.written == report.files.count && report.written > 0)
        }
    }

    @Test func `a damaged image is left out, and the others are exported`() throws {
        try folder.directory.put("smile.png", Data(ImageForge.png(1, 2).prefix(20)))
        let report = try export("matrix")
        #expect(
            report.leftOut.map(\.source) == ["smile.png", "film.webm"]
                || report.leftOut.map(\.source) == ["film.webm", "smile.png"])
        #expect(report.files.count == 3)
    }

    @Test func `a pack of more files than a process may have open by default is exported`() throws {
        let names = (1...1100).map { "s\($0).png" }
        for name in names { try folder.directory.put(name, Data(ImageForge.png(1, 1))) }
        let pack = StickerPack(
            productIdentifier: "org.example.many", name: LocalizedText("Many"), path: folder.path, cover: nil,
            stickers: names.map { Sticker(id: $0, file: $0) })
        var directory = try ExportDirectory(target.path)
        let report = try directory.export(
            ExportedPack(pack, in: folder.directory), as: PackFormats.exporter(of: "deltachat"))
        #expect(report.written == names.count)
    }

    @Test func `what a cancelled export has written belongs to it`() throws {
        var directory = try ExportDirectory(target.path)
        let exporter = try PackFormats.exporter(of: "deltachat")
        #expect(throws: CancellationError.self) {
            try directory.export(pack, as: exporter, cancellation: CancellationFlag(cancelledAfter: 2))
        }
        let written = try target.directory.openDirectory("Cups & _Co_").entries().count
        #expect((1...2).contains(written))
        let report = try export("deltachat")
        #expect(report.files.count == 3 && report.files.allSatisfy { $0.hasPrefix("Cups & _Co_/") })
    }

    @Test func `a Delta Chat directory has one directory of images`() throws {
        let report = try export("deltachat")
        #expect(
            report.files == [
                "Cups & _Co_/party.png", "Cups & _Co_/smile.png", "Cups & _Co_/wave.webp",
            ])
        for file in report.files {
            #expect(try target.directory.status(of: file)?.kind == .file)
        }
    }

    @Test func `a KDE theme keeps the shortcuts, but no words`() throws {
        _ = try export("kde")
        let information = try reimport("Cups & _Co_", "kde")
        #expect(information.stickers.map(\.file) == ["smile.png", "wave.webp", "party.png"])
        #expect(information.stickers.map(\.emoji) == [["🙂"], ["👋", "😀"], []])
        #expect(information.stickers.map(\.keywords) == [[":-)", "<3"], [], [":party:"]])
    }

    @Test func `a KDE theme of a pack with any number of hyphens in its name is well-formed`() throws {
        try folder.directory.put("a.png", Data(ImageForge.png(1, 9)))
        for hyphens in ["--", "---", "----", "-----"] {
            var directory = try ExportDirectory(target.path)
            let pack = StickerPack(
                productIdentifier: "x", name: LocalizedText(hyphens), publisher: "-" + hyphens, path: folder.path,
                cover: nil, stickers: [Sticker(id: "a", file: "a.png")])
            let report = try directory.export(ExportedPack(pack, in: folder.directory), as: KDEFormat())
            let file = try #require(report.files.first { $0.hasSuffix("emoticons.xml") })
            let xml = try target.directory.text(file)
            let comment = try #require(xml.split(separator: "<!--").last?.split(separator: "-->").first)
            #expect(!comment.contains("--"), "\(xml)")
        }
    }

    @Test func `a Pidgin theme keeps name, author, cover and shortcuts`() throws {
        let report = try export("pidgin")
        #expect(report.leftOut.map(\.source) == ["wave.webp", "film.webm"])
        let information = try reimport("Cups & _Co_", "pidgin")
        #expect(information.name.text() == "Cups & \"Co\"" && information.publisher == "Jane Doe")
        #expect(information.stickers.map(\.keywords) == [[":-)", "<3"], [":party:"]])
    }

    @Test func `a Pidgin theme has no word or line that Pidgin would read as two`() throws {
        let long = String(repeating: "é", count: 60)
        var stickers: [Sticker] = []
        let names = ["#1.png", "[a].png", "Name=x.png", "a b.png", "a_b.png", "\(long).png", "\(long)x.png"]
        for (number, name) in names.enumerated() {
            try folder.directory.put(name, Data(ImageForge.png(number + 1, 9)))
            stickers.append(Sticker(id: "\(number)", file: name, keywords: (1...40).map { ":\(number)-\($0)\\:" }))
        }
        try folder.directory.put("last.png", Data(ImageForge.png(1, 30)))
        stickers.append(Sticker(id: long, file: "last.png"))
        var directory = try ExportDirectory(target.path)
        let report = try directory.export(
            ExportedPack(
                StickerPack(
                    productIdentifier: "x", name: LocalizedText("Long \(long)\(long)"), publisher: "A\nB",
                    path: folder.path,
                    cover: nil,
                    stickers: stickers), in: folder.directory), as: PidginFormat())
        #expect(report.leftOut.map(\.source) == ["last.png"])
        let root = try #require(report.files.first?.split(separator: "/").first)
        let lines = try target.directory.text("\(root)/theme").split(separator: "\n")
        #expect(lines.allSatisfy { $0.utf8.count < 255 })
        #expect(lines.flatMap { $0.split(separator: "\t") }.dropFirst(5).allSatisfy { $0.utf8.count <= 63 })
        let information = try reimport(String(root), "pidgin")
        #expect(information.publisher == "A B")
        #expect(information.stickers.map(\.keywords) == stickers.dropLast().map(\.keywords))
        for (sticker, name) in zip(information.stickers, names) {
            let copy = try target.directory.read("\(root)/\(sticker.file)")
            #expect(try copy == folder.directory.read(name), "\(name)")
        }
    }

    @Test func `a jisp file keeps name, author, page, version and shortcuts`() throws {
        let report = try export("jisp")
        #expect(report.files == ["Cups & _Co_.jisp"])
        let information = try reimport("Cups & _Co_.jisp", "jisp")
        #expect(information.name.text() == "Cups & \"Co\"" && information.publisher == "Jane Doe")
        #expect(information.website == "https://example.org/" && information.version == "1.2")
        #expect(information.stickers.map(\.emoji) == [["🙂"], ["👋", "😀"], []])
        #expect(information.stickers.map(\.keywords) == [[":-)", "<3"], [], [":party:"]])
    }

    @Test func `a wastickers file keeps name, author, cover, order and emoji`() throws {
        _ = try export("wastickers")
        let information = try reimport("Cups & _Co_.wastickers", "wastickers")
        #expect(information.name.text() == "Cups & \"Co\"" && information.publisher == "Jane Doe")
        #expect(information.cover == "cover.png")
        #expect(information.stickers.map(\.file) == ["01_smile.png", "02_wave.webp", "03_party.png"])
        #expect(information.stickers.map(\.emoji) == [["🙂"], ["👋", "😀"], []])
    }

    @Test func `a Matrix pack keeps name, identifiers, emoji and keywords`() throws {
        _ = try export("matrix")
        let information = try reimport("Cups & _Co_", "matrix")
        #expect(information.name.text() == "Cups & \"Co\"")
        #expect(information.stickers.map(\.id) == ["smile", "wave", "party"])
        #expect(information.stickers.map(\.emoji) == [["🙂"], ["👋", "😀"], []])
        #expect(information.stickers[0].keywords == [":-)", "<3", "happy"])
    }

    @Test func `more than 30 stickers become several wastickers files`() throws {
        var stickers: [Sticker] = []
        for number in 1...61 {
            try folder.directory.put("n\(number).png", Data(ImageForge.png(number, 7)))
            stickers.append(Sticker(id: "\(number)", file: "n\(number).png"))
        }
        let large = StickerPack(productIdentifier: "x", name: "Many", path: folder.path, cover: nil, stickers: stickers)
        var directory = try ExportDirectory(target.path)
        let report = try directory.export(
            ExportedPack(large, in: folder.directory), as: PackFormats.exporter(of: "wastickers"))
        #expect(report.files == ["Many 2.wastickers", "Many 3.wastickers", "Many.wastickers"])
        #expect(try reimport("Many 3.wastickers", "wastickers").stickers.count == 1)
    }

    // MARK: The target directory

    @Test func `exporting again writes only what changed and removes what the pack has no longer`() throws {
        _ = try export("kde")
        #expect(try export("kde").written == 0)
        try folder.directory.put("smile.png", Data(ImageForge.png(40, 40)))
        #expect(try export("kde").written == 1)
        var smaller = pack.pack
        smaller.stickers.remove(at: 1)
        var directory = try ExportDirectory(target.path)
        let report = try directory.export(
            ExportedPack(smaller, in: folder.directory), as: PackFormats.exporter(of: "kde"))
        #expect(report.removed == ["Cups & _Co_/wave.webp"] && report.written == 1)
    }

    @Test func `files that others made or changed are left alone`() throws {
        try target.directory.put("Cups & _Co_/mine.txt", "mine")
        let report = try export("kde")
        // The name is taken.
        #expect(report.files.allSatisfy { $0.hasPrefix("Cups & _Co_ (org.example.cups)/") })
        let own = "Cups & _Co_ (org.example.cups)"
        try target.directory.put("\(own)/smile.png", "changed")
        try target.directory.put("\(own)/extra.png", "extra")
        #expect(try export("kde").kept == ["\(own)/smile.png"])
        #expect(try target.directory.text("\(own)/smile.png") == "changed")
        var directory = try ExportDirectory(target.path)
        #expect(directory.exported(as: "kde").keys.sorted() == ["org.example.cups"])
        let removal = try directory.remove("org.example.cups", format: "kde")
        #expect(removal.removed.count == 3)
        #expect(try target.directory.names() == ["Cups & _Co_", own])
        #expect(try target.directory.openDirectory(own).names() == ["extra.png", "smile.png"])
        #expect(try target.directory.text("Cups & _Co_/mine.txt") == "mine")
    }

    @Test func `a removed pack leaves nothing behind`() throws {
        for exporter in PackFormats.exporters { _ = try export(exporter.format) }
        var directory = try ExportDirectory(target.path)
        for exporter in PackFormats.exporters { _ = try directory.remove("org.example.cups", format: exporter.format) }
        #expect(try target.directory.names() == [])
    }

    @Test func `a manifest that can't be read stops the export before anything is written`() throws {
        try target.directory.put(ExportManifest.fileName, "{")
        let error = #expect(throws: StoreError.self) { try export("kde") }
        #expect(error?.code == .exportDirectory)
        #expect(try target.directory.names() == [ExportManifest.fileName])
    }
}
