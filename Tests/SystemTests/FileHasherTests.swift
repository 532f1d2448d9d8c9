import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct FileHasherTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private func file() throws -> OpenFile {
        let directory = try Directory.open(folder.path)
        let file = try directory.createFile("file")
        try file.write(bytes, at: 0)
        return file
    }

    @Test(arguments: [1, 7, 4096, 9_999, 10_000, 10_001])
    func `the digest does not depend on the chunk size`(_ size: Int) throws {
        let (digest, count) = try FileHasher(chunkSize: size).digest(of: try file())
        #expect(digest == SHA256Digest(of: bytes))
        #expect(count == bytes.count)
    }

    @Test func `consecutive parts give the digest of the whole`() throws {
        let (file, hasher) = (try file(), FileHasher(chunkSize: 1000))
        var digest = SHA256Hasher()
        #expect(try hasher.update(&digest, with: file, in: 0..<4_321) == 4_321)
        #expect(try hasher.update(&digest, with: file, in: 4_321..<20_000) == bytes.count - 4_321)
        #expect(digest.finalize() == SHA256Digest(of: bytes))
    }

    @Test func `a cancellation is noticed before the next chunk`() throws {
        let (file, hasher) = (try file(), FileHasher(chunkSize: 1000))
        let flag = CancellationFlag(cancelledAfter: 3)
        #expect(throws: CancellationError.self) { try hasher.digest(of: file, cancellation: flag) }
        // Ten chunks and the end of the file have eleven checks.
        #expect(try hasher.digest(of: file, cancellation: CancellationFlag(cancelledAfter: 11)).size == bytes.count)
        #expect(throws: CancellationError.self) {
            try hasher.digest(of: file, cancellation: CancellationFlag(cancelledAfter: 10))
        }
    }
}

@Suite struct FileIdentityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func identity(by timestamp: FileIdentity.Timestamp) throws -> FileIdentity {
        FileIdentity(try #require(try Directory.open(folder.path).status(of: "file")), by: timestamp)
    }

    @Test func `a replaced file has another identity`() throws {
        let directory = try Directory.open(folder.path)
        try directory.replace("file", with: Data("abc".utf8))
        let before = try identity(by: .modification)
        #expect(try identity(by: .modification) == before)
        try directory.replace("file", with: Data("abc".utf8))
        #expect(try identity(by: .modification) != before)
    }

    @Test func `setting the modification time back changes the file identity`() throws {
        let directory = try Directory.open(folder.path)
        try directory.replace("file", with: Data("abc".utf8))
        let file = try directory.openOrCreateFile("file")
        try file.setModified(Date(timeIntervalSince1970: 1_000))
        let (modified, changed) = (try identity(by: .modification), try identity(by: .statusChange))
        SystemThread.sleep(for: .milliseconds(30))
        try file.write([UInt8](repeating: 1, count: 3), at: 0)
        try file.setModified(Date(timeIntervalSince1970: 1_000))
        #expect(try identity(by: .modification) == modified)
        #expect(try identity(by: .statusChange) != changed)
    }

    @Test func `a stored identity omits the device`() throws {
        let directory = try Directory.open(folder.path)
        try directory.replace("file", with: Data("abc".utf8))
        let status = try #require(try directory.status(of: "file"))
        let stored = FileIdentity(status, by: .modification, isStored: true)
        #expect(stored.device == 0)
        #expect(
            stored
                == FileIdentity(
                    inode: status.inode, size: 3, changedAt: status.modifiedAt.timeIntervalSince1970))
    }
}
