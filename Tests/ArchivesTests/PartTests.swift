import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct PartTests {
    private let scratch: Scratch
    private let archive: OpenFile
    private let table: EntryTable

    init() throws {
        scratch = try Scratch()
        let forge = ZipForge().file("a.png", text("one")).file("sub/b.png", OriginBytes.random(200_000), deflated: true)
            .file("empty").file("nothing", [], deflated: true).file("none", [])
        archive = try scratch.file(forge.build())
        table = try Archive(archive).entryTable()
    }

    private var parts: [SelectedEntry] { table.entries.map { SelectedEntry(path: $0.path, entry: $0) } }

    /// Returns a file that contains only the bytes of these parts.
    private func only(_ parts: [SelectedEntry]) throws -> OpenFile {
        let file = try scratch.file([])
        for part in parts {
            let bytes = try archive.read(count: part.range.count, at: part.range.lowerBound)
            try bytes.withUnsafeBytes { try file.write($0, at: part.range.lowerBound) }
        }
        return file
    }

    @Test func `a file is extracted from its own bytes alone`() throws {
        let unpacker = Unpacker()
        let whole = try scratch.folder.createDirectory("whole")
        _ = try unpacker.unpack(archive, into: whole, limits: ArchiveLimits())
        for part in parts {
            let folder = try scratch.folder.createDirectory("part-" + part.path.replacing("/", with: "-"))
            let file = try only([part])
            try unpacker.unpack([part], of: file, into: nil)
            try unpacker.unpack([part], of: file, into: folder)
            #expect(try folder.read(part.path) == whole.read(part.path))
            #expect(try folder.status(of: part.path)?.permissions == 0o644)
        }
        let all = try scratch.folder.createDirectory("all")
        try unpacker.unpack(parts, of: try only(parts), into: all)
        #expect(try Scratch.contents(of: all) == Scratch.contents(of: whole))
    }

    @Test func `a file that differs from its table entry is refused`() throws {
        /// - Parameter isConsistent: whether the hash of the bytes in the archive is that of the changed entry.
        func code(
            _ place: Int, isConsistent: Bool = false, _ change: (inout EntryTable.Entry) -> Void
        ) throws -> ErrorCode? {
            var part = parts[place]
            change(&part.entry)
            if isConsistent {
                part.entry.compressedSHA256 = SHA256Digest(
                    of: try archive.read(count: part.range.count, at: part.range.lowerBound))
            }
            let folder = try scratch.folder.createDirectory("refused")
            defer { try? scratch.folder.removeTree("refused") }
            let error = #expect(throws: StoreError.self) { try Unpacker().unpack([part], of: archive, into: folder) }
            return error?.code
        }
        #expect(try code(0) { $0.sha256 = SHA256Digest(of: []) } == .archiveWrongChecksum)
        #expect(try code(0) { $0.size = 2 } == .archiveWrongSize)
        #expect(try code(0) { $0.size = 4 } == .archiveWrongSize)
        #expect(try code(0) { $0.offset += 1 } == .archiveWrongChecksum)
        #expect(try code(0) { $0.offset = 1 << 40 } == .archiveWrongSize)
        #expect(try code(1) { $0.size -= 1 } == .archiveWrongSize)
        #expect(try code(1) { $0.size += 1 } == .archiveWrongSize)
        #expect(try code(1, isConsistent: true) { $0.compressedSize -= 1 } == .archiveWrongSize)
        #expect(try code(1, isConsistent: true) { $0.compressedSize += 1 } == .archiveWrongSize)
        #expect(try code(1, isConsistent: true) { $0.offset += 1 } != nil)
        #expect(try code(1) { $0.method = .stored } == .archiveWrongSize)
        #expect(try code(0) { $0.method = .deflate } != nil)
        for place in 0...1 {
            #expect(try code(place) { $0.compressedSHA256 = nil } == .archiveWrongChecksum)
            #expect(try code(place) { $0.compressedSHA256 = SHA256Digest(of: []) } == .archiveWrongChecksum)
        }
    }

    @Test(arguments: [EntryTable.Method.stored, .deflate])
    func `no byte is inflated or written before the bytes in the archive are verified`(
        method: EntryTable.Method
    ) throws {
        // As from a server that sends another stream than the publisher's: it inflates to as many bytes.
        let (honest, forged) = (
            text(String(repeating: "a", count: 100_000)), text(String(repeating: "b", count: 100_000))
        )
        let isDeflated = method == .deflate
        let data = isDeflated ? ZipForge.deflated(honest) : honest
        let other = isDeflated ? ZipForge.deflated(forged) : forged
        try #require(other.count == data.count)
        let entry = EntryTable.Entry(
            path: "a", method: method, offset: 0, compressedSize: data.count, size: honest.count,
            sha256: SHA256Digest(of: honest), compressedSHA256: SHA256Digest(of: data))
        let error = #expect(throws: StoreError.self) {
            try Unpacker().unpack(
                [SelectedEntry(path: "a", entry: entry)], of: scratch.file(other), into: scratch.folder)
        }
        #expect(error?.code == .archiveWrongChecksum)
        #expect(try scratch.folder.read("a").isEmpty)
        try scratch.folder.remove("a")
        try Unpacker().unpack([SelectedEntry(path: "a", entry: entry)], of: scratch.file(data), into: scratch.folder)
        #expect(try Array(scratch.folder.read("a")) == honest)
    }

    /// Tests random changes; changed bytes are refused, and bytes that changed back are accepted.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `a file with changed bytes is never accepted`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let part = parts[1]
        let file = try only([part])
        // At different places, so that no change reverts another.
        for place in part.range.shuffled(using: &random).prefix(.random(in: 1...4, using: &random)) {
            let byte = try file.read(count: 1, at: place)[0] ^ UInt8.random(in: 1...255, using: &random)
            try [byte].withUnsafeBytes { try file.write($0, at: place) }
        }
        #expect(throws: StoreError.self) { try Unpacker().unpack([part], of: file, into: nil) }
    }

    @Test func `no path of a file leads out of the directory`() throws {
        let folder = try scratch.folder.createDirectory("folder")
        for path in ["../x", "sub/../../x", ""] {
            let part = SelectedEntry(path: path, entry: table.entries[0])
            #expect(throws: StoreError.self, "\(path)") { try Unpacker().unpack([part], of: archive, into: folder) }
        }
        #expect(try scratch.folder.entries().allSatisfy { $0.name != "x" })
    }
}
