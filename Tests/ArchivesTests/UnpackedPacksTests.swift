import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Archives that are unpacked into memory, and what a process may leave there that an archive has taken over.
@Suite struct UnpackedPacksTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func unpack(_ archives: [[UInt8]], _ limits: ArchiveLimits = ArchiveLimits()) throws -> UnpackedPacks {
        try Unpacker().unpackInMemory(
            archives.map { try scratch.file($0) }, limits: limits, cancellation: CancellationFlag())
    }

    @Test func `each archive has its files, with their hashes, and its directories`() throws {
        let first = ZipForge().folder("top").file("top/b", [1, 2], deflated: true).folder("top/in").file("top/in/a", [])
        let unpacked = try unpack([first, ZipForge(), ZipForge().file("c", [3])].map { $0.build() })
        #expect(
            unpacked.reports.map(\.files) == [
                [
                    Receipt.File(path: "b", size: 2, sha256: SHA256Digest(of: [1, 2])),
                    Receipt.File(path: "in/a", size: 0, sha256: SHA256Digest(of: [])),
                ],
                [], [Receipt.File(path: "c", size: 1, sha256: SHA256Digest(of: [3]))],
            ])
        #expect(unpacked.contents.trees.map(\.directories) == [["in"], [], []])
    }

    @Test func `archives that are too large together are refused, although each is small enough`() throws {
        let large = ZipForge().file("a", [UInt8](repeating: 7, count: 5 << 20)).build()
        #expect(try unpack([large]).reports[0].size == 5 << 20)
        let error = #expect(throws: StoreError.self) { _ = try unpack([large, large]) }
        #expect(error?.code == .archiveTooLarge)
    }

    // MARK: Processes that were taken over

    /// Returns the error with which bytes are refused that a process has left in place of unpacked archives.
    private func refusal(_ bytes: [UInt8], count: Int = 1, _ limits: ArchiveLimits = ArchiveLimits()) throws
        -> StoreError?
    {
        let file = try OpenFile.inMemory()
        try bytes.withUnsafeBytes { try file.write($0) }
        do {
            _ = try UnpackedPacks(file, count: count, limits: limits)
            return nil
        } catch {
            return try #require(error as? StoreError, "\(error)")
        }
    }

    private func encoding(_ names: [String]) -> [UInt8] {
        var encoding = FileTree.Encoder(entries: names.count, size: names.count)
        for name in names {
            if name.hasSuffix("/") {
                encoding.addDirectory(String(name.dropLast()))
            } else {
                encoding.addFile(name, size: 1)
                [7].withUnsafeBytes { encoding.append(UnsafeRawBufferPointer(rebasing: $0.prefix(1))) }
            }
        }
        return encoding.bytes
    }

    @Test func `well-formed bytes are accepted for as many packs as there are archives`() throws {
        let bytes = encoding(["a", "in/b", "empty/"])
        #expect(try refusal(bytes) == nil)
        #expect(try refusal(bytes + bytes, count: 2) == nil)
        for count in [0, 2] { #expect(try refusal(bytes, count: count)?.code == .workerBadOutput) }
    }

    @Test func `bytes in another format are refused`() throws {
        let bytes = encoding(["a", "in/b", "empty/"])
        for count in 0..<bytes.count { #expect(try refusal(Array(bytes.prefix(count)))?.code == .workerBadOutput) }
        #expect(try refusal(bytes + [0])?.code == .workerBadOutput)
    }

    @Test(arguments: [
        ".receipt.json", ".bashrc", "a\n.txt", "a\\b", "a.", "C:x", "../a", "/a", "a/../b", "in//b", "", "HEAD",
        "x/.git/b",
        ".git/", "a/./b",
    ])
    func `a name that no archive may have is refused`(name: String) throws {
        #expect(try refusal(encoding([name]))?.code == .workerBadOutput, "\(name)")
    }

    @Test func `names that denote the same file are refused`() throws {
        for names in [["a", "a"], ["a", "A"], ["a/", "a"], ["a", "a/b"]] {
            #expect(try refusal(encoding(names))?.code == .workerBadOutput, "\(names)")
        }
    }

    @Test func `the limit of the size is that of each archive`() throws {
        var limits = ArchiveLimits()
        limits.unpackedSize = 7
        let small = ZipForge().file("a", [UInt8](repeating: 7, count: 7)).build()
        #expect(try unpack([small, small, small], limits).reports.map(\.size) == [7, 7, 7])
        limits.unpackedSize = 6
        #expect(throws: StoreError.self) { _ = try unpack([small], limits) }
    }

    @Test func `a file in memory that is too large is not read`() throws {
        let file = try OpenFile.inMemory()
        try file.truncate(to: UnpackedPacks.memoryLimit + 1)
        let error = #expect(throws: StoreError.self) {
            _ = try UnpackedPacks(file, count: 1 << 30, limits: ArchiveLimits())
        }
        #expect(error?.code == .workerBadOutput)
    }

    @Test func `reading can be cancelled`() throws {
        let file = try OpenFile.inMemory()
        try encoding(["a/"]).withUnsafeBytes { try file.write($0) }
        let cancellation = CancellationFlag()
        cancellation.cancel()
        #expect(throws: CancellationError.self) {
            _ = try UnpackedPacks(file, count: 1, limits: ArchiveLimits(), cancellation: cancellation)
        }
    }

    @Test func `more than the limits allow is refused`() throws {
        var limits = ArchiveLimits()
        limits.entries = 2
        #expect(try refusal(encoding(["a", "b"]), limits) == nil)
        #expect(try refusal(encoding(["a", "b", "c/"]), limits)?.code == .workerBadOutput)
        limits = ArchiveLimits()
        limits.unpackedSize = 1
        #expect(try refusal(encoding(["a", "b"]), limits)?.code == .workerBadOutput)
    }
}
