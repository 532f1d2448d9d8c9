import FoundationEssentials
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSystem
import Testing

/// Tests which directories are packs, and what is said of the packs that are added.
@Suite struct PackDirectoryTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func add(_ folder: String, _ options: AddOptions = AddOptions()) throws -> Storehouse.Added {
        try workshop.store(kinds: ContentMistake.kinds).add([folder], options: options, time: workshop.time)[0]
            .result.get()
    }

    @Test(arguments: ["", "/"])
    func `the directory in which packs are is refused with the packs that may be meant`(ending: String) throws {
        let picture = ContentMistake.picture
        let parent = try workshop.pack(
            "packs",
            data: [
                "cups/pack.json": Data("{}".utf8), "cups/01.png": picture, "dogs/01.png": picture,
                "night/skin.xml": Data("<skin identifier='night'/>".utf8), ".trash/pack.json": Data("{}".utf8),
                "readme.txt": Data("Packs".utf8),
            ])
        let report = #expect(throws: ErrorReport.self) { try add(parent + ending) }
        #expect(report?.code == .severalPacks)
        #expect(report?.hint == "did you mean '\(parent)/cups' '\(parent)/night'?")
        // No client can tell which of the packs is meant.
        #expect(throws: ErrorReport.self) { try add(parent, AddOptions(productIdentifier: "all", kind: .emoji)) }
        #expect(try workshop.store().products().isEmpty)
    }

    @Test func `of many packs in a directory the first five are named`() throws {
        let files = (1...6).map { ("\($0)/pack.json", Data("{}".utf8)) }
        let parent = try workshop.pack("packs", data: Dictionary(uniqueKeysWithValues: files))
        let report = #expect(throws: ErrorReport.self) { try add(parent) }
        let named = (1...5).map { "'\(parent)/\($0)'" }.joined(separator: " ")
        #expect(report?.hint == "did you mean \(named) …?")
    }

    @Test func `several packs of another program don't get one identifier or one name`() throws {
        let packs = (1...2).map { number in
            #"{"identifier": "\#(number)", "name": "Pack \#(number)", "publisher": "P", "#
                + #""stickers": [{"image_file": "a.png", "emojis": ["☕"]}]}"#
        }
        let source = try workshop.pack(
            "packs",
            data: [
                "contents.json": Data(#"{"sticker_packs": [\#(packs.joined(separator: ","))]}"#.utf8),
                "1/a.png": ContentMistake.picture, "2/a.png": ContentMistake.picture,
            ])
        for options in [AddOptions(productIdentifier: "one"), AddOptions(name: "One")] {
            let report = #expect(throws: ErrorReport.self) { try add(source, options) }
            #expect(report?.code == .severalPacks)
        }
        #expect(try workshop.store().products().isEmpty)
        let store = try workshop.store(kinds: ContentMistake.kinds)
        let added = try store.add([source], time: workshop.time).map { try $0.result.get().productIdentifier }
        #expect(added.count == 2)
    }

    @Test func `a pack with an information file may have one in a subdirectory, too`() throws {
        let picture = ContentMistake.picture
        let pack = try workshop.pack(
            "cups", data: ["pack.json": Data("{}".utf8), "01.png": picture, "old/pack.json": Data("{}".utf8)])
        #expect(try add(pack).contents?.description == "1 sticker")
    }

    @Test func `the stickers and the emoji of a pack are counted`() throws {
        let picture = ContentMistake.picture
        let listed = #"{"stickers": [{"file": "01.png"}, {"file": "02.png"}]}"#
        let files = ["01.png": picture, "02.png": picture, "03.png": picture]
        let all = try workshop.pack("all", data: files)
        let some = try workshop.pack("some", data: files.merging(["pack.json": Data(listed.utf8)]) { $1 })
        let emoji = try workshop.pack("faces", data: ["1f600.png": picture, "1f601.png": picture])
        let plugin = try workshop.pack("clock", data: ["a.txt": Data("a".utf8)])
        #expect(try add(all).contents?.description == "3 stickers")
        #expect(try add(some).contents?.description == "2 stickers")
        #expect(try add(emoji, AddOptions(kind: .emoji)).contents?.description == "2 emoji")
        #expect(try add(plugin, AddOptions(kind: .plugin)).contents == nil)
    }
}
