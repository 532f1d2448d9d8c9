import Foundation
import StoreModel
import StorePublishing
import StoreTestSupport
import Testing

/// Tests that the publisher of a pack with a mistake learns the file, the place in it, and what is expected there.
@Suite struct ContentMistakeTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    @Test(arguments: ContentMistake.all)
    func `adding a pack with a mistake says where it is and what is expected`(mistake: ContentMistake) throws {
        let pack = try workshop.pack("mistake", data: mistake.files)
        let store = try workshop.store(kinds: ContentMistake.kinds)
        let outcome = try store.add([pack], options: AddOptions(kind: mistake.kind), time: workshop.time)[0]
        let report = try #require(throws: ErrorReport.self) { try outcome.result.get() }
        #expect(report.code.rawValue == mistake.code, "\(report)")
        for part in mistake.parts { #expect(report.message.contains(part), "\(report.message)") }
        #expect(report.hint == mistake.hint)
        #expect(!report.message.contains("publisher"))
    }

    @Test(arguments: ContentMistake.all.filter { !$0.isForPublishing })
    func `checking an archive of a pack with a mistake says the same`(mistake: ContentMistake) throws {
        var archive = ZipForge()
        for (name, data) in mistake.files.sorted(by: { $0.key < $1.key }) { archive = archive.file(name, Array(data)) }
        let file = workshop.path + "/mistake.zip"
        try Data(archive.build()).write(to: URL(filePath: file))
        let verdict = try ArchiveCheck(kind: mistake.kind, kinds: ContentMistake.kinds).verdict(on: file)
        #expect(verdict.code == mistake.code)
        for part in mistake.parts { #expect(verdict.message?.contains(part) == true, "\(verdict)") }
    }

    @Test func `every code of an error in the content of packs is among the mistakes`() throws {
        var codes: Set<String> = []
        for module in ["Library", "Emoji", "Images", "XML"] {
            let path = DocumentedErrorCodes.sources.appending(path: "StoreModel/Errors/Errors+\(module).swift")
            let text = try String(contentsOf: path, encoding: .utf8)
            codes.formUnion(text.matches(of: /ErrorCode\("((?:content|xml)\.[a-z0-9-]+)"/).map { String($0.1) })
        }
        #expect(codes.count > 10)
        // libxml2 fails for want of memory, which is no mistake of the publisher.
        codes.remove("xml.failed")
        #expect(codes.subtracting(ContentMistake.all.map(\.code)) == [])
    }

    @Test func `an intact pack of each kind is accepted`() throws {
        let store = try workshop.store(kinds: ContentMistake.kinds)
        for kind in [ProductKind.sticker, .emoji, .plugin, .skin] {
            let pack = try workshop.pack(kind.rawValue, data: ["01.png": ContentMistake.picture])
            _ = try store.add([pack], options: AddOptions(kind: kind), time: workshop.time)[0].result.get()
        }
    }
}
