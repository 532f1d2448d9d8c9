import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSystem
import Testing

/// A content kind that requires a certain file.
private struct Poem: ContentKind {
    var kind: ProductKind { ProductKind(rawValue: "poem") }
    var folderExtension: String { "poem" }
    func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        guard try pack.status(of: "poem.txt") != nil else {
            throw ErrorReport(code: ErrorCode("content.no-poem", .refused), message: "there is no poem.txt")
        }
    }
}

@Suite
struct ArchiveCheckTests {
    let workshop: Workshop
    let kinds = ContentKinds([Poem()])
    let poem = ProductKind(rawValue: "poem")
    init() throws { workshop = try Workshop() }

    func archive(_ files: [String: String], name: String = "a.zip") throws -> String {
        let folder = try workshop.pack("packed", files)
        let root = try Directory.open(workshop.path)
        try root.removeTree(name)
        let file = try root.createFile(name)
        _ = try ArchiveWriter(modified: workshop.time).write(Directory.open(folder), into: file)
        return workshop.path + "/" + name
    }

    @Test
    func `a valid archive is accepted, and a damaged one is refused with the reason`() throws {
        let check = try ArchiveCheck(kinds: kinds)
        let good = try archive(["a.png": "some bytes", "b/c.txt": String(repeating: "text", count: 100)])
        let accepted = check.verdict(on: good)
        #expect(accepted.file == good)
        #expect(accepted.verdict == .accepted)
        #expect(accepted.code == nil && accepted.message == nil)

        let bytes = try OpenFile.open(good).readAll(limit: 1 << 20)
        let root = try Directory.open(workshop.path)
        try root.replace("cut.zip", with: bytes.dropLast(10))
        let cut = check.verdict(on: workshop.path + "/cut.zip")
        #expect(cut.verdict == .refused)
        #expect(cut.code == "archive.no-end-record")
        // The contents are read as well, not only the headers.
        var flipped = bytes
        flipped[bytes.firstRange(of: Data("some bytes".utf8))!.lowerBound] ^= 1
        try root.replace("flipped.zip", with: flipped)
        #expect(check.verdict(on: workshop.path + "/flipped.zip").code == "archive.wrong-checksum")
        #expect(check.verdict(on: workshop.path + "/nothing.zip").code == "file.missing")
    }

    @Test
    func `an archive is checked with the rules of its kind, and no files are left`() throws {
        let before = try temporaryLeftovers()
        let check = try ArchiveCheck(kind: poem, kinds: kinds)
        #expect(check.verdict(on: try archive(["poem.txt": "x"])).verdict == .accepted)
        #expect(check.verdict(on: try archive(["pack/poem.txt": "x"])).verdict == .accepted)
        #expect(check.verdict(on: try archive(["prose.txt": "x"])).code == "content.no-poem")
        #expect(try temporaryLeftovers().isSubset(of: before))
        let error = #expect(throws: StoreError.self) { try ArchiveCheck(kind: .skin, kinds: kinds) }
        #expect(error?.code == .unknownKind)
        #expect(error?.code.exitCode == .usage)
    }

    private func temporaryLeftovers() throws -> Set<String> {
        let names = try Directory.open(FileManager.default.temporaryDirectory.path).entries().map(\.name)
        return Set(names.filter { $0.hasPrefix("storehouse-check-") })
    }

    @Test
    func `a pack that violates the rules of its kind is not added`() throws {
        let store = try workshop.store(kinds: kinds)
        let folders = [try workshop.pack("poem", ["poem.txt": "x"]), try workshop.pack("prose", ["prose.txt": "x"])]
        let outcomes = try store.add(folders, options: AddOptions(kind: poem), time: workshop.time)
        #expect(throws: Never.self) { try outcomes[0].result.get() }
        #expect(throws: ErrorReport.self) { try outcomes[1].result.get() }
        #expect(try store.products().map(\.productIdentifier) == ["poem"])
    }
}
