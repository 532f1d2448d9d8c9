import StoreArchives
import StoreModel
import StoreTestSupport
import Testing

/// The files of a pack by an entry table, which an update trusts only as far as it would trust the archive.
@Suite struct PackFilesTests {
    private static let names = [
        "a.png", "b.png", "A.png", "d/a.png", "d/b.png", "d/e/c.png", "e/a.png", "d", "ä.png", "a\u{308}.png",
        ".hidden",
        "d/.git/config", "Thumbs.db", "../x", "/x", "d//x", "x\\y", "con.", "d/../a.png", Receipt.fileName,
        "d/" + Receipt.fileName,
    ]

    private func table(_ names: [String], size: Int = 7) -> EntryTable {
        let digest = SHA256Digest(of: "content".utf8)
        return EntryTable(
            entries: names.enumerated().map {
                EntryTable.Entry(
                    path: $1, method: .stored, offset: 100 * $0, compressedSize: size, size: size, sha256: digest,
                    compressedSHA256: digest)
            })
    }

    private func files(
        _ table: EntryTable, limits: ArchiveLimits = ArchiveLimits(), archiveSize: Int = 1000
    ) -> [SelectedEntry]? {
        table.packFiles(limits: limits, archiveSize: archiveSize)
    }

    @Test func `the files are those that the archive is unpacked to, or unknown`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var known = 0
        for _ in 0..<400 {
            let names = Self.names.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
            let folders = Bool.random(using: &random) ? ["z"] : []
            let forge = names.reduce(folders.reduce(ZipForge()) { $0.folder($1) }) { $0.file($1) }
            guard let files = files(table(Array(names))) else { continue }
            known += 1
            let (_, report) = try Scratch().unpack(forge.build())
            #expect(
                files.map { Receipt.File(path: $0.path, size: $0.entry.size, sha256: $0.entry.sha256) } == report.files,
                "\(names), seed \(seed)")
        }
        #expect(known > 20, "seed \(seed)")
    }

    @Test(arguments: [
        ["pack/a.png", "pack/b.png"], ["a.png", ".hidden"], ["a.png", "Thumbs.db"], ["a.png", "A.png"],
        ["a.png", "../x"], ["a", "a/b"], ["a.png", "a.png"], [Receipt.fileName, "a.png"], [],
    ])
    func `a table that does not tell the files of a pack has none`(names: [String]) {
        #expect(files(table(names)) == nil)
    }

    @Test func `limits of archives count`() {
        let names = ["a", "b/c"]
        #expect(files(table(names))?.map(\.path) == names)
        let limits: [(inout ArchiveLimits) -> Void] = [
            { $0.entries = 1 }, { $0.unpackedSize = 13 }, { $0.depth = 1 }, { $0.pathLength = 2 },
        ]
        for limit in limits {
            var changed = ArchiveLimits()
            limit(&changed)
            #expect(files(table(names), limits: changed) == nil, "\(changed)")
        }
        for size in [-1, Int.max] { #expect(files(table(names, size: size), archiveSize: .max) == nil) }
    }

    @Test func `entries that no archive can have give no files`() {
        let good = table(["a", "b"])
        #expect(files(good, archiveSize: 107)?.count == 2)
        #expect(files(good, archiveSize: 106) == nil, "the second one is cut")
        let changes: [(inout EntryTable.Entry) -> Void] = [
            { $0.offset = 6 }, { $0.offset = -1 }, { $0.offset = .max }, { $0.compressedSize = 8 },
            { ($0.method, $0.compressedSize) = (.deflate, .max) },
            { ($0.method, $0.compressedSize, $0.size) = (.deflate, 3, 0) },
        ]
        for change in changes {
            var table = good
            change(&table.entries[1])
            #expect(files(table) == nil, "\(table.entries[1])")
        }
        // 32 MiB of 107 bytes.
        var dense = good
        for index in dense.entries.indices {
            (dense.entries[index].method, dense.entries[index].size) = (.deflate, 16 << 20)
        }
        #expect(files(dense, archiveSize: 107) == nil)
        #expect(files(dense, archiveSize: 1 << 20)?.count == 2)
    }
}
