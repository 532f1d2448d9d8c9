import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreTransfers
import Testing

@testable import StoreDownloads

/// Tests which partial files of failed downloads are kept, and that the next download finds them.
@Suite struct PartialDirectoryTests {
    private let folder: TemporaryFolder
    private let partials: PartialDirectory
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        folder = try TemporaryFolder()
        partials = PartialDirectory(folder.directory)
    }

    private static func hash(_ number: Int) -> SHA256Digest { SHA256Digest(of: Array("\(number)".utf8)) }

    /// Leaves the partial file of an operation that failed, and keeps it.
    private func keep(
        _ number: Int, bytes: Int = 4096, daysAgo: Double = 0, within limits: PartialFileLimits = .init(),
        ranges: String? = nil
    ) async throws {
        let operation = OperationID(rawValue: "operation-\(number)")
        try folder.directory.put("operation-\(number).part", Data(repeating: UInt8(number), count: bytes))
        try folder.directory.openFile("operation-\(number).part").setModified(now - daysAgo * 86_400)
        if let ranges { try folder.directory.put("operation-\(number).ranges", ranges) }
        await partials.keep(operation, as: Self.hash(number), within: limits, now: now)
        await partials.remove(operation)
    }

    private var names: [String] { get throws { try folder.directory.names().sorted() } }

    private func kept(_ numbers: Int...) -> [String] { numbers.map { Self.hash($0).hex + ".part" }.sorted() }

    @Test func `a download of the same archive continues the partial file of a failed one`() async throws {
        try await keep(1, bytes: 5000, ranges: "0-1000 3000-5000 .")
        #expect(try names == [Self.hash(1).hex + ".part", Self.hash(1).hex + ".ranges"])
        let other = OperationID(rawValue: "other")
        let (file, isContinued) = try await partials.openArchive(other, sha256: Self.hash(1))
        #expect(file.size == 3000, "the gap is known")
        #expect(!isContinued, "this download has not reached a server yet")
        #expect(try names == ["other.part", "other.ranges"])
        await partials.remove(other)
        #expect(try names == [])
    }

    @Test func `a kept archive takes no space for the bytes that are missing`() async throws {
        let operation = OperationID(rawValue: "operation")
        let file = try folder.directory.createFile("operation.part")
        try file.write(Data(repeating: 1, count: 4096))
        try file.reserve(8 << 20)
        await partials.keep(operation, as: Self.hash(1), within: .init(), now: now)
        let status = try #require(try folder.directory.status(of: Self.hash(1).hex + ".part"))
        #expect(status.size == 4096 && status.space < 8 << 20)
    }

    @Test func `the bytes on disk are those of one operation, or of each`() async throws {
        let (one, two, none) = (OperationID(rawValue: "one"), OperationID(rawValue: "two"), OperationID(rawValue: "x"))
        try folder.directory.put("one.part", Data(repeating: 1, count: 5000))
        try folder.directory.put("one.ranges", "0-1000 3000-5000 .")
        try folder.directory.put("two.part", Data(repeating: 2, count: 700))
        #expect(await partials.bytesOnDisk(of: one) == 3000)
        #expect(await partials.bytesOnDisk(of: two) == 700)
        #expect(await partials.bytesOnDisk(of: none) == 0)
        #expect(await partials.bytesOnDisk() == [one: 3000, two: 700])
    }

    @Test func `a download of another archive, or of one without a hash, begins anew`() async throws {
        try await keep(1)
        for sha256 in [Self.hash(2), nil] {
            let operation = OperationID(rawValue: "other")
            #expect(try await partials.openArchive(operation, sha256: sha256).file.size == 0)
            await partials.remove(operation)
        }
        #expect(try names == kept(1))
    }

    @Test func `an operation that has a partial file of its own continues that`() async throws {
        try await keep(1, bytes: 5000)
        try folder.directory.put("own.part", Data(repeating: 7, count: 300))
        let (file, isContinued) = try await partials.openArchive(OperationID(rawValue: "own"), sha256: Self.hash(1))
        #expect(file.size == 300)
        #expect(isContinued)
        #expect(try names == (kept(1) + ["own.part"]).sorted())
    }

    @Test func `a crash between the two files of an archive loses neither`() async throws {
        // Kept: the archive was renamed, the record not yet.
        let operation = OperationID(rawValue: "crashed")
        try folder.directory.put(Self.hash(1).hex + ".part", Data(repeating: 1, count: 5000))
        try folder.directory.put("crashed.ranges", "0-1000 3000-5000 .")
        await partials.removeAll(except: [operation])
        #expect(try await partials.openArchive(operation, sha256: Self.hash(1)).file.size == 3000)
        await partials.remove(operation)
        // Found: the record was renamed, the archive not yet.
        try folder.directory.put(Self.hash(1).hex + ".part", Data(repeating: 1, count: 5000))
        try folder.directory.put("crashed.ranges", "0-2000 3000-5000 .")
        #expect(try await partials.openArchive(operation, sha256: Self.hash(1)).file.size == 4000)
    }

    @Test func `a record without a file is removed when the download begins anew`() async throws {
        let operation = OperationID(rawValue: "new")
        try folder.directory.put("new.ranges", "0-1000 3000-5000 .")
        let (file, isContinued) = try await partials.openArchive(operation, sha256: Self.hash(1))
        #expect(file.size == 0 && !isContinued)
        #expect(try names == ["new.part"])
        await partials.remove(operation)
        #expect(try names == [])
    }

    @Test func `all files of an operation are removed, whichever it has`() async throws {
        let operation = OperationID(rawValue: "new")
        _ = try await partials.createPartsFile(operation)
        _ = try await partials.openArchive(operation, sha256: Self.hash(1))
        #expect(try names == ["new.part", "new.parts"])
        await partials.remove(operation)
        #expect(try names == [])
        _ = try await partials.openArchive(operation, sha256: Self.hash(1))
        _ = try await partials.createPartsFile(operation)
        await partials.remove(operation)
        #expect(try names == [])
        // Of an earlier process.
        for suffix in ["part", "ranges", "parts"] { try folder.directory.put("new.\(suffix)", "") }
        await partials.remove(operation)
        #expect(try names == [])
    }

    @Test func `an archive that was moved to the cache leaves nothing, and one that was not is removed`() async throws {
        let cacheFolder = try TemporaryFolder()
        for (limit, cached) in [(1 << 20, [Self.hash(1).hex]), (10, [])] {
            let cache = ArchiveCache(cacheFolder.directory, limit: limit)
            let operation = OperationID(rawValue: "new")
            let file = try await partials.openArchive(operation, sha256: Self.hash(1)).file
            try file.file.write([1, 2, 3] + [UInt8](repeating: 0, count: 100), at: 0)
            await partials.moveArchive(of: operation, to: cache, as: Self.hash(1), size: 103)
            await partials.remove(operation)
            #expect(try names == [] && cacheFolder.directory.names() == cached)
            try cacheFolder.directory.removeTree(Self.hash(1).hex)
        }
    }

    @Test func `kept files remain at a start, and partial files of unknown operations do not`() async throws {
        try await keep(1)
        for name in ["x.part", "x.ranges", "y.parts", "abc", "\(Self.hash(1).hex).zip"] {
            try folder.directory.put(name, "")
        }
        await partials.removeAll(except: [OperationID(rawValue: "x")])
        #expect(try names == (kept(1) + ["x.part", "x.ranges"]).sorted())
    }

    @Test func `kept files are removed when they are too old`() async throws {
        let limits = PartialFileLimits(age: .seconds(3 * 86_400))
        try await keep(1, daysAgo: 2.9, within: limits)
        try await keep(2, daysAgo: 3.1, within: limits)
        #expect(try names == kept(1))
        await partials.prune(to: limits, now: now + 86_400)
        #expect(try names == [])
    }

    @Test func `the oldest kept files are removed when all together are too large`() async throws {
        for (number, days) in [(1, 1.0), (2, 3.0), (3, 2.0)] {
            try await keep(number, bytes: 64 << 10, daysAgo: days, ranges: "0-10 .")
        }
        let size = try folder.directory.openFile(Self.hash(1).hex + ".part").status().space
        await partials.prune(to: PartialFileLimits(size: 2 * size), now: now)
        #expect(try names.filter { $0.hasSuffix(".part") } == kept(1, 3))
        #expect(try names.filter { $0.hasSuffix(".ranges") }.count == 2)
        await partials.prune(to: PartialFileLimits(size: 0), now: now)
        #expect(try names == [])
    }
}
