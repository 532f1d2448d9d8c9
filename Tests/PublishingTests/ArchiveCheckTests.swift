import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSystem
import StoreTestSupport
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

    @Test(arguments: [
        (ImageForge.png(), "not a ZIP file, but a PNG image"),
        ([0xFF, 0xD8, 0xFF, 0xE0], "not a ZIP file, but a JPEG image"),
        (Array("%PDF-1.7\n".utf8), "not a ZIP file, but a PDF document"),
        (Array("<!DOCTYPE html><html>".utf8), "not a ZIP file, but a web page"),
        ([0x1F, 0x8B, 8, 0], "not a ZIP file, but a gzip archive"), ([], "not a ZIP file, but an empty file"),
        ([0xB7, 0xFE, 1, 2], "not a ZIP file"),
        (Array("PK\u{03}\u{04}".utf8), "not a ZIP file, or truncated"),
    ])
    func `the type of a file that is no archive is named`(bytes: [UInt8], message: String) throws {
        try Directory.open(workshop.path).replace("a.zip", with: Data(bytes))
        for kind in [nil, poem] {
            let verdict = try ArchiveCheck(kind: kind, kinds: kinds).verdict(on: workshop.path + "/a.zip")
            #expect(verdict.code == "archive.no-end-record")
            #expect(verdict.message?.hasSuffix(message) == true, "\(verdict)")
        }
    }

    @Test
    func `a directory is refused, and the command for it is named`() throws {
        let verdict = try ArchiveCheck(kinds: kinds).verdict(on: workshop.pack("cups", ["a.png": "x"]))
        #expect(verdict.verdict == .refused && verdict.code == "file.unusable")
        #expect(
            verdict.message?.contains("a directory") == true && verdict.message?.contains("'storehouse add'") == true)
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
    func `the files in an accepted archive are listed with their hashes if that is requested`() throws {
        let good = try archive(["a.png": "some bytes", "b/c.txt": "more"])
        let verdict = try ArchiveCheck(kinds: kinds, listsFiles: true).verdict(on: good)
        let files = try #require(verdict.files).sorted { $0.path < $1.path }
        #expect(files.map(\.path) == ["a.png", "b/c.txt"])
        #expect(files.map(\.size) == [10, 4])
        #expect(files.map(\.sha256) == [SHA256Digest(of: "some bytes".utf8), SHA256Digest(of: "more".utf8)])
        #expect(try ArchiveCheck(kinds: kinds).verdict(on: good).files == nil)
    }

    @Test
    func `an archive is checked with the rules of its kind, and no files are left`() async throws {
        let before = try temporaryLeftovers()
        let check = try ArchiveCheck(kind: poem, kinds: kinds)
        #expect(check.verdict(on: try archive(["poem.txt": "x"])).verdict == .accepted)
        #expect(check.verdict(on: try archive(["pack/poem.txt": "x"])).verdict == .accepted)
        #expect(check.verdict(on: try archive(["prose.txt": "x"])).code == "content.no-poem")
        // Other tests have such directories for a moment, too.
        try await eventually { try temporaryLeftovers().isSubset(of: before) }
        let error = #expect(throws: StoreError.self) { try ArchiveCheck(kind: .skin, kinds: kinds) }
        #expect(error?.code == .unknownKind)
        #expect(error?.code.exitCode == .usage)
    }

    @Test(arguments: [".git/config", "in/.envrc", "autorun.inf"])
    func `an archive with a hidden entry is refused without a kind, too`(name: String) throws {
        let root = try Directory.open(workshop.path)
        try root.replace("hidden.zip", with: Data(ZipForge().file("1.txt", [1]).file(name, [2]).build()))
        let check = try ArchiveCheck(kinds: kinds)
        #expect(check.verdict(on: workshop.path + "/hidden.zip").code == "archive.hidden-name")
        let list = try ArchiveCheck(kinds: kinds, listsFiles: true).verdict(on: workshop.path + "/hidden.zip")
        #expect(list.files?.map(\.path) == ["1.txt", name])
    }

    @Test func `litter in an archive is accepted, and listed like any other file`() throws {
        let root = try Directory.open(workshop.path)
        try root.replace("litter.zip", with: Data(ZipForge().file("1.txt", [1]).file(".DS_Store", [2]).build()))
        #expect(try ArchiveCheck(kinds: kinds).verdict(on: workshop.path + "/litter.zip").verdict == .accepted)
        let verdict = try ArchiveCheck(kinds: kinds, listsFiles: true).verdict(on: workshop.path + "/litter.zip")
        #expect(verdict.verdict == .accepted && verdict.files?.map(\.path) == ["1.txt", ".DS_Store"])
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
