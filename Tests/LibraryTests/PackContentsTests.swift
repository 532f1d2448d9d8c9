import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

/// The files of a pack as the rules read them: the same from a directory and from memory.
@Suite struct PackContentsTests {
    private static let composed = "\u{E9}.png"
    private static let decomposed = "e\u{301}.png"
    private let folder: TemporaryFolder
    private let both: [PackContents]

    init() throws {
        folder = try TemporaryFolder()
        let files = ["a.txt": "12345", Self.composed: "composed", "in/b.txt": "", "in/deeper/c.png": "c"]
        for (path, text) in files { try folder.directory.put(path, text) }
        let tree = FileTree(files: files.map { FileTree.File($0.key, Array($0.value.utf8)[...]) })
        both = [PackContents(folder.directory), PackContents(tree)]
    }

    @Test func `a file is read up to a limit`() throws {
        for pack in both {
            #expect(try pack.read("a.txt", limit: 5) == Data("12345".utf8))
            #expect(try pack.read("in/deeper/c.png", limit: 5) == Data("c".utf8))
            #expect(try pack.read("none", limit: 5) == nil && pack.read("in/none", limit: 5) == nil)
            let error = #expect(throws: StoreError.self) { try pack.read("a.txt", limit: 4) }
            #expect(error?.code == .fileFailed)
            #expect(throws: StoreError.self) { try pack.read("in", limit: 5) }
        }
    }

    @Test func `names are those of the same bytes`() throws {
        for pack in both {
            #expect(pack.hasFile(Self.composed) && !pack.hasFile(Self.decomposed))
            #expect(try pack.read(Self.decomposed, limit: 100) == nil)
            #expect(
                pack.hasFile("in/b.txt") && !pack.hasFile("in") && !pack.hasFile("in/deeper") && !pack.hasFile("b.txt"))
        }
    }

    @Test func `the names at the top level are those of files`() throws {
        for pack in both { #expect(try Set(pack.fileNames()) == ["a.txt", Self.composed]) }
    }

    @Test(arguments: [
        #"{"stickers": [{"file": "1.png"}]}"#, #"{"stickers": [{"file": "in/2.png"}], "cover": "1.png"}"#,
        #"{"stickers": [{"file": "none.png"}]}"#, #"{"cover": "in/none.png"}"#, #"{"stickers": [{"file": "in"}]}"#,
        #"{"stickers": [{"file": "a.txt"}]}"#, #"{"stickers": 1}"#, "", #"{"stickers": [{"file": "../1.png"}]}"#,
    ])
    func `sticker packs are accepted and refused alike`(information: String) throws {
        let image = ImageForge.png()
        let files = [
            "1.png": image, "in/2.png": image, "a.txt": Array("text".utf8), "pack.json": Array(information.utf8),
        ]
        let folder = try TemporaryFolder()
        for (path, bytes) in files { try folder.directory.put(path, Data(bytes)) }
        let tree = FileTree(files: files.map { FileTree.File($0.key, $0.value[...]) })
        let kind = StickerKind()
        let messages = [PackContents(folder.directory), PackContents(tree)].map { pack -> String? in
            do {
                try kind.check(pack, cancellation: CancellationFlag())
                return nil
            } catch {
                return ErrorReport(error).message
            }
        }
        #expect(messages[0] == messages[1])
        #expect((messages[0] == nil) == information.hasSuffix("\"1.png\"}]}") || information.contains("in/2"))
    }
}
