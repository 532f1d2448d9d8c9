import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreDownloads

@Suite struct FetchPlanTests {
    private func file(_ path: String, _ text: String) -> Receipt.File {
        Receipt.File(path: path, size: text.utf8.count, sha256: SHA256Digest(of: text.utf8))
    }

    private func entry(_ file: Receipt.File, at offset: Int, in folder: String = "") -> EntryTable.Entry {
        EntryTable.Entry(
            path: folder + file.path, method: .stored, offset: offset, compressedSize: file.size, size: file.size,
            sha256: file.sha256, compressedSHA256: file.sha256)
    }

    /// Returns files of 1,000 bytes that are far apart in the archive.
    private func version(_ count: Int) -> (files: [Receipt.File], table: EntryTable, archiveSize: Int) {
        let files = (0..<count).map { file("\($0).png", String(repeating: "\($0 % 10)", count: 1000) + "\($0)") }
        let entries = files.enumerated().map { entry($1, at: $0 * 5000) }
        return (files, EntryTable(entries: entries), count * 5000)
    }

    @Test func `present files are reused and only missing files are requested`() throws {
        let (files, table, size) = version(10)
        let present = files.filter { !["3.png", "7.png"].contains($0.path) }
        let plan = try #require(FetchPlan(wanted: files, present: present, table: table, archiveSize: size))
        #expect(plan.present.map(\.file) == present && plan.present.allSatisfy { $0.source == $0.file.path })
        #expect(plan.parts.map(\.path) == ["3.png", "7.png"])
        #expect(plan.ranges == [15000..<15000 + files[3].size, 35000..<35000 + files[7].size])
        #expect(plan.files == files && plan.size == files[3].size + files[7].size)
    }

    @Test func `a plan without missing files needs no entry table`() throws {
        let files = version(3).files
        let plan = try #require(FetchPlan(wanted: files, present: files))
        #expect(plan.ranges.isEmpty && plan.parts.isEmpty && plan.present.count == 3)
        #expect(FetchPlan(wanted: files, present: Array(files.dropLast())) == nil)
    }

    @Test func `adjacent files are fetched with one request and distant files with several`() throws {
        let files = ["a", "b", "c"].map { file($0, String(repeating: $0, count: 100)) }
        let cost = FetchPlan.requestCost
        func ranges(_ offsets: [Int]) -> [Range<Int>]? {
            let table = EntryTable(entries: zip(files, offsets).map { entry($0, at: $1) })
            return FetchPlan(wanted: files, present: [], table: table, archiveSize: 1 << 20)?.ranges
        }
        #expect(ranges([50, 150 + cost, 10_000]) == [50..<250 + cost, 10_000..<10_100])
        #expect(ranges([10_000, 50, 151 + cost]) == [50..<150, 151 + cost..<251 + cost, 10_000..<10_100])
    }

    @Test func `a file that the old version has under another path is reused`() throws {
        let (old, new) = (file("old.png", "same"), file("new/name.png", "same"))
        let plan = try #require(FetchPlan(wanted: [new], present: [old]))
        #expect(plan.present == [.init(source: "old.png", file: new)])
        // A file with the same path is preferred to another one with the same content.
        let both = try #require(FetchPlan(wanted: [new], present: [old, new]))
        #expect(both.present.map(\.source) == ["new/name.png"])
    }

    @Test func `of many equal files, each is taken from its own path, and a new one from the first`() throws {
        let present = (0..<20_000).map { file("\($0).png", "same") }
        let new = [file("new.png", "same"), file("\u{E9}.png", "same")]
        let old = [file("e\u{301}.png", "same")]
        let plan = try #require(FetchPlan(wanted: Array(present.reversed()) + new, present: present + old))
        #expect(plan.present.dropLast(2).allSatisfy { $0.source == $0.file.path })
        // Paths that are canonically equivalent are not the same path.
        #expect(plan.present.suffix(2).map(\.source) == ["0.png", "0.png"])
    }

    @Test func `the archive may contain the pack in a top-level directory`() throws {
        let files = [file("a.png", "one"), file("sub/b.png", "two")]
        let table = EntryTable(entries: [
            entry(files[0], at: 50, in: "pack/"), entry(files[1], at: 4000, in: "pack/"),
        ])
        let plan = try #require(FetchPlan(wanted: files, present: [], table: table, archiveSize: 9000))
        #expect(plan.parts.map(\.path) == ["a.png", "sub/b.png"])
        #expect(plan.parts.map(\.entry.path) == ["pack/a.png", "pack/sub/b.png"])
    }

    @Test func `an empty file needs no request`() throws {
        let empty = file("empty", "")
        let table = EntryTable(entries: [entry(empty, at: 100)])
        let plan = try #require(FetchPlan(wanted: [empty], present: [], table: table, archiveSize: 1000))
        #expect(plan.ranges.isEmpty && plan.parts.count == 1)
    }

    @Test func `an entry table that contradicts the wanted files is not used`() throws {
        let wanted = file("a", "one")
        let wrong: [(inout EntryTable.Entry) -> Void] = [
            { $0.path = "b" }, { $0.size = 4 }, { $0.sha256 = SHA256Digest(of: []) }, { $0.offset = -1 },
            { $0.offset = 9_999 }, { $0.offset = .max }, { $0.compressedSize = -1 }, { $0.compressedSize = .max },
            { $0.compressedSize = 2 }, { $0.compressedSHA256 = SHA256Digest(of: []) },
        ]
        for change in wrong {
            var entry = entry(wanted, at: 100)
            change(&entry)
            let table = EntryTable(entries: [entry])
            #expect(FetchPlan(wanted: [wanted], present: [], table: table, archiveSize: 10_000) == nil, "\(entry)")
        }
    }

    @Test func `an archive and a file as large as an integer can be are no plan`() {
        let wanted = file("a", "one")
        for compressedSize in [Int.max, .max - 1, .max - FetchPlan.updateRequestCost] {
            var entry = entry(wanted, at: 0)
            (entry.method, entry.compressedSize) = (.deflate, compressedSize)
            let plan = FetchPlan(
                wanted: [wanted], present: [], table: EntryTable(entries: [entry]), archiveSize: .max,
                requestCost: FetchPlan.updateRequestCost)
            #expect(plan == nil)
        }
    }

    @Test(arguments: [EntryTable.Method.stored, .deflate])
    func `an entry without a hash of its bytes in the archive is not fetched alone`(method: EntryTable.Method) throws {
        let wanted = file("a", "one")
        var entry = entry(wanted, at: 100)
        entry.method = method
        func plan() -> FetchPlan? {
            FetchPlan(wanted: [wanted], present: [], table: EntryTable(entries: [entry]), archiveSize: 10_000)
        }
        #expect(plan()?.parts.count == 1)
        entry.compressedSHA256 = nil
        #expect(plan() == nil)
    }

    @Test(arguments: [".git/config", "in/.envrc", "Thumbs.db"])
    func `a pack whose receipt has a file that must not be in a pack is repaired from the whole archive`(
        name: String
    ) throws {
        let files = [file("a.png", "one"), file(name, "two")]
        let table = EntryTable(entries: [entry(files[0], at: 50), entry(files[1], at: 4000)])
        #expect(FetchPlan(wanted: files, present: [files[1]], table: table, archiveSize: 9000) == nil)
        #expect(FetchPlan(wanted: files, present: files) == nil)
    }

    @Test func `the whole archive is fetched if its parts are not smaller`() throws {
        let (files, table, _) = version(4)
        #expect(FetchPlan(wanted: files, present: [], table: table, archiveSize: 17_000) != nil)
        let packed = EntryTable(
            entries: files.enumerated().map { entry($1, at: 50 + $0 * 1100) })
        #expect(FetchPlan(wanted: files, present: [], table: packed, archiveSize: 4600) == nil)
    }

    @Test func `a plan covers each wanted file exactly once with disjoint ranges`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var planned = 0
        for _ in 0..<300 {
            var entries: [EntryTable.Entry] = []
            var files: [Receipt.File] = []
            var offset = 0
            for number in 0..<Int.random(in: 1...40, using: &generator) {
                let length = Int.random(in: 0...3000, using: &generator)
                let one = file("\(number)", String(repeating: "x", count: length) + "\(number)")
                offset += Int.random(in: 30...2000, using: &generator)
                files.append(one)
                entries.append(entry(one, at: offset))
                offset += one.size
            }
            let present = files.filter { _ in Bool.random(using: &generator) }
            entries.shuffle(using: &generator)
            guard
                let plan = FetchPlan(
                    wanted: files, present: present, table: EntryTable(entries: entries), archiveSize: offset + 100)
            else { continue }
            planned += 1
            #expect(plan.present.map(\.file) == present, "seed \(seed)")
            #expect(Set(plan.parts.map(\.path)).union(present.map(\.path)) == Set(files.map(\.path)), "seed \(seed)")
            #expect(plan.parts.count + present.count == files.count, "seed \(seed)")
            for part in plan.parts {
                #expect(plan.ranges.contains { $0.contains(part.range) || part.range.isEmpty }, "seed \(seed)")
            }
            for (range, next) in zip(plan.ranges, plan.ranges.dropFirst()) {
                #expect(next.lowerBound - range.upperBound > FetchPlan.requestCost, "seed \(seed)")
            }
            #expect(plan.size < offset + 100, "seed \(seed)")
        }
        #expect(planned > 0, "seed \(seed)")
    }
}

@Suite struct PartialArchiveTests {
    @Test func `each attempt requests what the previous one did not receive`() throws {
        let folder = try TemporaryFolder()
        let files = ["a", "b"].map {
            Receipt.File(path: $0, size: 100, sha256: SHA256Digest(of: Array(repeating: UInt8(1), count: 100)))
        }
        let entries = zip(files, [0, 5000]).map { file, offset in
            EntryTable.Entry(
                path: file.path, method: .stored, offset: offset, compressedSize: 100, size: 100, sha256: file.sha256,
                compressedSHA256: file.sha256)
        }
        let plan = try #require(
            FetchPlan(wanted: files, present: [], table: EntryTable(entries: entries), archiveSize: 9000))
        let parts = PartialArchive(
            file: try folder.directory.createFile("x"), plan: plan,
            archive: .init(address: nil, size: 9000, sha256: SHA256Digest(of: []), etag: nil), entryTableSize: 7)
        #expect(parts.progress == (7, 207))
        var asked = try #require(parts.next)
        #expect(asked == 0..<100)
        parts.record(30, of: asked)
        parts.record(30, of: asked)
        #expect(parts.progress == (37, 207))
        asked = try #require(parts.next)
        #expect(asked == 30..<100)
        parts.record(70, of: asked)
        // A late report of the same bytes changes nothing.
        parts.record(10, of: 0..<100)
        #expect(parts.next == 5000..<5100 && parts.progress == (107, 207))
        parts.record(100, of: 5000..<5100)
        #expect(parts.next == nil && parts.progress == (207, 207))
    }
}
