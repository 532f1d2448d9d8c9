import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StorePackFormats

/// Formats of networks: Matrix, XMPP, Misskey, Pleroma, Discord, Telegram, Signal and LINE.
@Suite struct NetworkFormatsTests {
    @Test func `a sticker picker's pack finds its images by media identifier`() throws {
        let json = #"""
            {"title": "Cactus Cat", "id": "cactus", "net.maunium.telegram.pack": {"short_name": "CactusCat"}, "stickers": [
              {"body": "🌵", "url": "mxc://example.org/WHtwiDxHztAbNxpz", "info": {"w": 256, "h": 256, "size": 9, "mimetype": "image/png"},
               "msgtype": "m.sticker", "id": "sha256:5a581706d654115cf3ceaeaee2f722de",
               "net.maunium.telegram.sticker": {"emoticons": ["🌵", "😺"]}},
              {"body": "A cat", "url": "mxc://example.org/dppDpZLPzeZAXZWx", "msgtype": "m.sticker", "id": "two"},
              {"body": "gone", "url": "mxc://example.org/nothing", "msgtype": "m.sticker", "id": "three"}]}
            """#
        let fixture = try ImportFixture(
            ["cactus.json": json, "index.json": #"{"packs": ["cactus.json"]}"#],
            images: ["thumbnails/WHtwiDxHztAbNxpz.png", "thumbnails/dppDpZLPzeZAXZWx.png", "two.png"])
        let report = try fixture.run()
        #expect(report.format == "matrix")
        let stickers = try fixture.stickers(of: report.packs[0])
        #expect(stickers.map(\.id) == ["5a581706d654115c", "two"])
        #expect(stickers.map(\.emoji) == [["🌵", "😺"], []] && stickers[1].description?.text() == "A cat")
        // The image before its thumbnail.
        #expect(stickers[1].file == "two.png")
        #expect(report.leftOut.keys.first == "mxc://example.org/nothing")
        #expect(report.notes == ["the pack was made from Telegram's pack 'CactusCat'"])
    }

    @Test func `a source with too many stickers is refused before they are read`() throws {
        let sticker = #"{"body": "a", "url": "mxc://example.org/a", "msgtype": "m.sticker", "id": "a"}"#
        let list = Array(repeating: sticker, count: StickerPack.maximumCount + 1).joined(separator: ",")
        let fixture = try ImportFixture(
            ["pack.json": #"{"title": "A", "id": "a", "stickers": [\#(list)]}"#], images: ["a.png"])
        let error = #expect(throws: StoreError.self) { try fixture.run("pack.json", format: "matrix") }
        #expect(error?.code == .badInformation)
    }

    @Test func `stickers of one name are numbered`() throws {
        let sticker = #"{"body": "a", "url": "mxc://example.org/a", "msgtype": "m.sticker", "id": "a"}"#
        let list = Array(repeating: sticker, count: 2_000).joined(separator: ",")
        let fixture = try ImportFixture(
            ["pack.json": #"{"title": "A", "id": "a", "stickers": [\#(list)]}"#], images: ["a.png"])
        let report = try fixture.run("pack.json", format: "matrix")
        let identifiers = try fixture.stickers(of: report.packs[0]).map(\.id)
        #expect(identifiers == ["a"] + (2...2_000).map { "a-\($0)" })
    }

    @Test func `packs of one source with the same identifier are numbered, and none is lost`() throws {
        func picker(_ name: String) -> String {
            #"{"title": "\#(name)", "stickers": [{"body": "x", "url": "mxc://example.org/\#(name)"}]}"#
        }
        let fixture = try ImportFixture(
            ["a/pack.json": picker("a"), "b/pack.json": picker("b")], images: ["a/a.png", "b/b.png"])
        let packs = try fixture.run(format: "matrix").packs
        #expect(packs.map { $0.name.text() } == ["a", "b"] && packs.allSatisfy { $0.count == 1 })
        #expect(packs[1].productIdentifier == packs[0].productIdentifier + "-2")
        #expect(try packs.map { try fixture.stickers(of: $0).map(\.file) } == [["a.png"], ["b.png"]])
    }

    @Test func `sets of Telegram without a name in ASCII have identifiers of their own`() throws {
        let set = #"{"stickers": [{"file_unique_id": "a", "emoji": "🙂"}]}"#
        let fixture = try ImportFixture(
            ["дом/set.json": set, "лес/set.json": set], images: ["дом/a.png", "лес/a.png"])
        let identifiers = try ["дом", "лес"].map {
            try fixture.run($0, format: "telegram").packs[0].productIdentifier
        }
        #expect(Set(identifiers).count == 2 && identifiers.allSatisfy { $0.last != "." })
    }

    @Test(arguments: [
        ("discord", "guild.json", #"{"id": "дом", "name": "Home", "emojis": [{"id": "1", "name": "a"}]}"#),
        ("line", "productInfo.meta", #"{"packageId": "дом", "title": {"en": "Home"}, "stickers": [{"id": 1}]}"#),
    ])
    func `an identifier without letters and digits of ASCII is replaced by the name`(
        format: String, file: String, description: String
    ) throws {
        let fixture = try ImportFixture([file: description], images: ["1.png"])
        let identifier = try fixture.run(format: format).packs[0].productIdentifier
        #expect(identifier.hasPrefix("import.\(format).home-"))
    }

    @Test func `an image pack of MSC2545 keeps shortcodes and attribution`() throws {
        let json = #"""
            {"type": "im.ponies.room_emotes", "content": {"pack": {"display_name": "Awesome", "attribution": "Someone", "usage": ["sticker"],
              "avatar_url": "mxc://example.org/avatarid"},
              "images": {"smile": {"url": "mxc://example.org/abc", "body": "Smiles"}, "emote": {"url": "mxc://example.org/def", "usage": ["emoticon"]}}}}
            """#
        let fixture = try ImportFixture(["pack.json": json], images: ["avatarid.png", "abc.png", "emote.webp"])
        let report = try fixture.run("pack.json")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.name.text() == "Awesome" && information.publisher == "Someone")
        #expect(information.cover == "avatarid.png")
        #expect(information.stickers.map(\.id) == ["emote", "smile"])
        #expect(information.stickers[1].keywords == [":smile:", "Smiles"])
        #expect(report.notes == ["'emote' is an emoticon in Matrix"])
    }

    private static func xmpp(_ extra: String = "") -> String {
        """
        <item xmlns='http://jabber.org/protocol/pubsub'><pack xmlns='urn:xmpp:stickers:0'>
        <name>Marsey</name><name xml:lang='de'>Marsi</name><summary>CC0 cats</summary>\(extra)
        <hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>EpRv28DHHzFrE4zd+xaNpVb4jbu4s74XtioExNjQzZ0=</hash>
        <item><file xmlns='urn:xmpp:file:metadata:0'><media-type>image/png</media-type><desc>😘</desc><name>kiss.png</name>
        <hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>AAEC</hash></file>
        <sources xmlns='urn:xmpp:sfs:0'/><suggest>:kiss:</suggest><suggest xml:lang='de'>:kuss:</suggest></item>
        <item><file xmlns='urn:xmpp:file:metadata:0'><desc>A hug</desc><hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>000102</hash>
        <hash xmlns='urn:xmpp:hashes:2' algo='sha-1'>AAEC</hash></file></item></pack></item>
        """
    }

    @Test func `a sticker pack of XMPP is identified by its hash and keeps suggestions`() throws {
        let fixture = try ImportFixture(["pack.xml": Self.xmpp()], images: ["kiss.png", "000102.png"])
        let report = try fixture.run()
        #expect(report.format == "xmpp")
        #expect(report.packs[0].productIdentifier == "import.xmpp.12946fdbc0c71f316b138cddfb168da556f8")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.name.byLanguage == ["": "Marsey", "de": "Marsi"])
        #expect(information.stickers.map(\.file) == ["kiss.png", "000102.png"])
        #expect(information.stickers[0].emoji == ["😘"] && information.stickers[0].keywords == [":kiss:", ":kuss:"])
        #expect(information.stickers[1].description?.text() == "A hug")
    }

    @Test func `a restricted pack of XMPP is refused`() throws {
        let fixture = try ImportFixture(["pack.xml": Self.xmpp("<restricted/>")], images: ["kiss.png"])
        let error = #expect(throws: StoreError.self) { try fixture.run() }
        #expect(error?.code == .importRestricted)
    }

    @Test func `Misskey's export keeps names, aliases and the license`() throws {
        let json = #"""
            {"metaVersion": 2, "host": "example.org", "exportedAt": "2024", "emojis": [
              {"downloaded": true, "fileName": "blob.png", "emoji": {"name": "blob", "category": "blobs", "aliases": ["blobby", ""], "license": "Apache-2.0"}},
              {"downloaded": false, "fileName": "gone.png", "emoji": {"name": "gone", "license": null}}]}
            """#
        let fixture = try ImportFixture(["meta.json": json], images: ["blob.png"])
        let report = try fixture.runArchive(named: "emojis.zip")
        #expect(report.format == "misskey")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.license == "Apache-2.0" && information.website == "https://example.org/")
        #expect(information.stickers[0].keywords == [":blob:", "blobby", "blobs"])
        #expect(report.leftOut == ["gone": "the export does not contain its image"])
    }

    @Test func `Pleroma's pack.json keeps shortcodes, license and homepage`() throws {
        let json =
            #"{"files": {"b": "b.png", "a": "A.gif"}, "pack": {"license": "CC0", "homepage": "https://x.y/", "description": "Bears", "fallback-src": "https://z/"}, "files_count": 3}"#
        let fixture = try ImportFixture(["bears/pack.json": json], images: ["bears/b.png", "bears/a.gif"])
        let report = try fixture.run()
        #expect(report.format == "pleroma")
        let information = try fixture.information(of: report.packs[0])
        #expect(
            information.name.text() == "bears" && information.license == "CC0" && information.website == "https://x.y/")
        #expect(information.stickers.map(\.id) == ["a", "b"] && information.stickers[0].keywords == [":a:"])
        #expect(report.notes.contains("'bears/pack.json' states 3 files and lists 2"))
    }

    @Test func `a Discord server's emoji and stickers are found by identifier or name`() throws {
        let json = #"""
            {"id": "41771983423143937", "name": "Dev Server", "emojis": [{"id": "41771983429993937", "name": "LUL", "animated": false}],
             "stickers": [{"id": "749054660769218631", "name": "Wave", "tags": "wumpus, hello", "description": "Waves", "format_type": 1},
               {"id": "749054660769218632", "name": "Lottie", "tags": "x", "format_type": 3}]}
            """#
        let fixture = try ImportFixture(
            ["guild.json": json], images: ["stickers/749054660769218631.png", "emojis/LUL.png"])
        let report = try fixture.run()
        #expect(report.packs[0].productIdentifier == "import.discord.41771983423143937")
        let stickers = try fixture.stickers(of: report.packs[0])
        #expect(stickers.map(\.id) == ["Wave", "LUL"])
        #expect(stickers.map(\.keywords) == [["wumpus", "hello"], [":LUL:"]])
        #expect(report.leftOut.keys.first == "Lottie")
    }

    @Test func `Telegram's animations are kept as they are, and checked`() throws {
        let set = #"""
            {"ok": true, "result": {"name": "HotCherry", "title": "Hot Cherry", "sticker_type": "regular", "stickers": [
              {"file_id": "CAAD1", "file_unique_id": "AgADa", "emoji": "🍒", "type": "regular"},
              {"file_id": "CAAD2", "file_unique_id": "AgADb", "emoji": "😎", "is_video": true},
              {"file_id": "CAAD3", "file_unique_id": "AgADc", "emoji": "👍"}]}}
            """#
        let fixture = try ImportFixture(["set.json": set], images: ["AgADa.tgs", "AgADb.webm", "AgADc.webp"])
        let report = try fixture.run()
        #expect(report.packs[0].productIdentifier == "import.telegram.hotcherry")
        #expect(report.packs[0].website == "https://t.me/addstickers/HotCherry")
        let stickers = try fixture.stickers(of: report.packs[0])
        #expect(stickers.map(\.file) == ["AgADa.tgs", "AgADb.webm", "AgADc.webp"])
        #expect(stickers.map(\.emoji) == [["🍒"], ["😎"], ["👍"]])
        #expect(try fixture.bytes("AgADa.tgs", of: report.packs[0]) == AnimationForge.tgs())
        let plain = try ImportFixture(images: ["1.tgs", "2.webm"])
        try plain.source.directory.put("3.tgs", Data(AnimationForge.gzip(Array("{}".utf8))))
        #expect(try plain.run().leftOut["3.tgs"]?.contains("does not contain a Lottie document") == true)
    }

    @Test func `LINE's ZIP takes the animation before the still and names its price`() throws {
        let meta = #"""
            {"packageId": 1234, "onSale": true, "validDays": 0, "title": {"en": "Bear", "ja": "くま", "zh_TW": "熊"}, "author": {"en": "Ann"},
             "price": [{"country": "JP", "currency": "JPY", "symbol": "¥", "price": 250}], "hasAnimation": true, "hasSound": true,
             "stickers": [{"id": 11, "width": 320, "height": 270}, {"id": 12, "width": 1, "height": 1}, {"id": 13}]}
            """#
        let fixture = try ImportFixture(
            ["productInfo.meta": meta, "sound/11.m4a": "x"],
            images: ["11@2x.png", "animation@2x/11@2x.png", "12@2x.png", "tab_on@2x.png"])
        let report = try fixture.runArchive(named: "bear.zip")
        #expect(report.format == "line" && report.packs[0].productIdentifier == "import.line.1234")
        let information = try fixture.information(of: report.packs[0])
        #expect(
            information.name.byLanguage == ["en": "Bear", "ja": "くま", "zh-TW": "熊"] && information.publisher == "Ann")
        #expect(information.cover == "tab_on@2x.png" && information.stickers.map(\.id) == ["11", "12"])
        #expect(report.packs[0].files.contains { $0.source == "animation@2x/11@2x.png" && $0.outcome == .taken })
        #expect(report.leftOut.keys.first == "13@2x.png")
        #expect(report.notes.contains { $0.contains("250 JPY") } && report.notes.contains { $0.contains("1 sounds") })
    }

    // MARK: Signal

    /// Returns a message of Protocol Buffers with one field of bytes.
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = bytes.count
        repeat {
            length.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return [number << 3 | 2] + length + bytes
    }

    private static func sticker(_ id: UInt8, _ emoji: String) -> [UInt8] { [8, id] + field(2, Array(emoji.utf8)) }

    private static let manifest =
        field(1, Array("Bandit the Cat".utf8)) + field(2, Array("Agnes Lee".utf8)) + field(3, sticker(2, "🐱"))
        + field(4, sticker(0, "😂")) + field(4, sticker(1, "")) + field(4, sticker(5, "👋"))
        // A field of a later version.
        + [0x78, 0x96, 0x01]

    private static let key = "9dc85e4d5d65d0b272274e5bd4f047fcda3551e77f89053c06078ace81fa6a41"
    private static let identifier = "45bdc863f62e6a2548052e0a0c4cb153"
    private static let link = "https://signal.art/addstickers/#pack_id=\(identifier)&pack_key=\(key)"

    @Test func `a Signal pack is decrypted with the key of its link`() throws {
        let cipher = SignalCipher(packKey: try #require(SignalLink(Self.key).key))
        let vector = [UInt8](repeating: 7, count: 16)
        let fixture = try ImportFixture()
        func put(_ path: String, _ bytes: [UInt8]) throws {
            try fixture.source.directory.put(path, Data(cipher.encrypt(bytes, vector: vector)))
        }
        try put("manifest.proto", Self.manifest)
        try put("full/0", ImageForge.webp(ImageForge.vp8l(4, 4)))
        try put("full/1", ImageForge.apng())
        try put("full/2", ImageForge.png(3, 3))
        var damaged = try cipher.encrypt(ImageForge.png(9, 9), vector: vector)
        damaged[20] ^= 1
        try fixture.source.directory.put("full/5", Data(damaged))
        let report = try fixture.run(key: Self.link)
        #expect(report.packs[0].productIdentifier == "import.signal.\(Self.identifier)")
        let information = try fixture.information(of: report.packs[0])
        #expect(information.name.text() == "Bandit the Cat" && information.publisher == "Agnes Lee")
        #expect(information.stickers.map(\.file) == ["0.webp", "1.apng"] && information.cover == "2.png")
        #expect(information.stickers.map(\.emoji) == [["😂"], []])
        #expect(report.packs[0].files.filter { $0.outcome == .converted }.count == 3)
        #expect(report.leftOut == ["full/5": "it can't be decrypted with the key, or was damaged"])
        for (key, code) in [(nil, ErrorCode.importKey), (String(Self.key.reversed()), .importKey)] {
            let error = #expect(throws: StoreError.self) { try fixture.run(key: key) }
            #expect(error?.code == code)
        }
        let error = #expect(throws: StoreError.self) { try fixture.run(key: String(Self.key.dropLast())) }
        #expect(error?.code == .importKey && error?.message.contains("neither a pack's link nor 64") == true)
    }

    /// If each occurrence was decrypted, and kept in memory, this would take minutes and 80 GB.
    @Test(.hangGuard) func `an image that a manifest names many times is decrypted once`() throws {
        let cipher = SignalCipher(packKey: try #require(SignalLink(Self.key).key))
        let vector = [UInt8](repeating: 7, count: 16)
        let image = ImageForge.png(3, 3, ImageForge.chunk("teXt", [UInt8](repeating: 0, count: 16 << 20)))
        let stickers = (0..<5_000).flatMap { _ in Self.field(4, Self.sticker(1, "😂")) }
        let manifest = Self.field(1, Array("Cats".utf8)) + stickers
        let fixture = try ImportFixture()
        try fixture.source.directory.put("manifest.proto", Data(cipher.encrypt(manifest, vector: vector)))
        try fixture.source.directory.put("full/1", Data(cipher.encrypt(image, vector: vector)))
        let pack = try fixture.run(key: Self.link).packs[0]
        #expect(pack.count == 5_000 && pack.files.allSatisfy { $0.outcome == .converted && $0.file == "1.png" })
    }

    @Test func `a manifest of too many stickers is refused before any is decrypted`() throws {
        let stickers = (0...StickerPack.maximumCount).flatMap { _ in Self.field(4, Self.sticker(1, "")) }
        let fixture = try ImportFixture()
        try fixture.source.directory.put("manifest.proto", Data(stickers))
        let source = try ImportSource(fixture.source.path)
        let error = #expect(throws: StoreError.self) { try SignalFormat().packs(in: source, key: nil) }
        #expect(error?.code == .badInformation)
    }

    @Test func `keys are derived as HKDF of RFC 5869 says`() throws {
        // Computed with OpenSSL and Python: HKDF-SHA-256 of 32 bytes 0x01 without a salt, info 'Sticker Pack'.
        let cipher = SignalCipher(packKey: [UInt8](repeating: 1, count: 32))
        let encrypted = try cipher.encrypt(Array("hello".utf8), vector: [UInt8](repeating: 0, count: 16))
        #expect(encrypted.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == Self.expectedCipherText)
    }

    private static let expectedCipherText =
        "00000000000000000000000000000000eb905f4152e562ea9bead257df8e3f423ecb834876cb78a397c9d795766e38c9cec72e7ee9113890a0edddf10a10f9d0"

    @Test func `a decrypted Signal pack needs no key`() throws {
        let fixture = try ImportFixture(images: ["\(Self.identifier)/0.png", "\(Self.identifier)/1.png"])
        try fixture.source.directory.put("\(Self.identifier)/manifest.proto", Data(Self.manifest))
        let report = try fixture.run(Self.identifier)
        #expect(report.packs[0].productIdentifier == "import.signal.\(Self.identifier)" && report.packs[0].count == 2)
    }

    @Test func `bytes that are no message are no manifest`() {
        #expect(SignalManifest([0x0A, 5, 1]) == nil)
        #expect(SignalManifest([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
        #expect(SignalManifest([0x0A, 1, 0xFF]) == nil)
        #expect(SignalManifest([0x0B]) == nil)
    }
}
