import Glibc
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Directories as a process leaves them behind that an archive has taken over.
@Suite struct UnpackedFilesTests {
    private let folder: TemporaryFolder
    private let pack: Directory

    init() throws {
        folder = try TemporaryFolder()
        pack = try folder.directory.createDirectory("pack", mode: 0o755)
        try pack.createFile("a.txt").write([1], at: 0)
        try pack.createDirectory("inner/deeper", mode: 0o755).createFile("b.txt").write([2, 3], at: 0)
    }

    private func read(_ limits: ArchiveLimits = ArchiveLimits()) throws -> [Receipt.File] {
        try UnpackedFiles(limits: limits).read(pack).files
    }

    private func expectRefused(_ words: String..., limits: ArchiveLimits = ArchiveLimits()) throws {
        let error = try #require(throws: StoreError.self) { _ = try read(limits) }
        #expect(error.code == .workerBadOutput)
        for word in words { #expect(error.message.contains(word), "\(error.message)") }
    }

    @Test func `files are listed with the hashes that they have`() throws {
        #expect(
            try read() == [
                Receipt.File(path: "a.txt", size: 1, sha256: SHA256Digest(of: [1])),
                Receipt.File(path: "inner/deeper/b.txt", size: 2, sha256: SHA256Digest(of: [2, 3])),
            ])
    }

    @Test func `many files are listed in the order of their paths`() throws {
        for number in 0..<200 { try pack.createFile("\(number).txt").write([UInt8(number)], at: 0) }
        let files = try read()
        #expect(files.count == 202)
        #expect(files.map(\.path) == files.map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(files.first { $0.path == "7.txt" }?.sha256 == SHA256Digest(of: [7]))
    }

    @Test func `a symbolic link is refused, whatever it leads to`() throws {
        try pack.putLink("link", to: "a.txt")
        try expectRefused("link", "neither a file nor a directory")
    }

    @Test func `a pipe is refused and not waited for`() throws {
        #expect(mknodat(pack.descriptor, "pipe", S_IFIFO | 0o644, 0) == 0)
        try expectRefused("pipe", "neither a file nor a directory")
    }

    @Test func `a second name of a file is refused`() throws {
        try folder.directory.put("outside", "secret")
        #expect(linkat(folder.directory.descriptor, "outside", pack.descriptor, "b.txt", 0) == 0)
        try expectRefused("b.txt", "second name")
    }

    @Test(arguments: [0o755, 0o4644, 0o666] as [UInt32])
    func `a file with other permissions than those of a pack is refused`(mode: UInt32) throws {
        _ = try pack.createFile("c.txt")
        #expect(fchmodat(pack.descriptor, "c.txt", mode, 0) == 0)
        try expectRefused("c.txt", "permissions")
    }

    @Test func `a directory that others can write to is refused`() throws {
        try pack.openDirectory("inner").setPermissions(0o777)
        try expectRefused("inner", "permissions")
    }

    @Test(arguments: [".receipt.json", ".bashrc", "A.txt", "a\n.txt", "a\\b", "a.", "C:x"])
    func `a name that no archive may have is refused`(name: String) throws {
        try pack.putFile(named: Array(name.utf8))
        #expect(fchmodat(pack.descriptor, name, 0o644, 0) == 0)
        try expectRefused()
    }

    @Test func `a name that is not UTF-8 is refused`() throws {
        try pack.putFile(named: [0x61, 0xFF])
        #expect(throws: StoreError.self) { try read() }
    }

    @Test func `more than the limits allow is refused`() throws {
        var limits = ArchiveLimits()
        limits.entries = 3
        try expectRefused("more than 3", limits: limits)
        limits = ArchiveLimits()
        limits.unpackedSize = 2
        try expectRefused("more than 2 bytes", limits: limits)
        limits = ArchiveLimits()
        limits.depth = 2
        try expectRefused("b.txt", limits: limits)
    }

    @Test(.hangGuard)
    func `a directory that is exchanged for a link while the files are read leads nowhere`() async throws {
        let outside = try folder.directory.createDirectory("outside/deeper", mode: 0o755)
        try outside.createFile("b.txt").write([9], at: 0)
        try folder.directory.putLink("link", to: folder.path + "/outside")
        // Each read finds the directory or the link, and sometimes one after the other.
        let isDone = CancellationFlag()
        let (pack, root) = (pack, folder.directory)
        guard try root.exchange("link", with: pack, "inner") else {
            try skip("the file system of \(folder.path) can't exchange two names")
        }
        let swapping = Promise<Void>()
        try SystemThread.start {
            while !isDone.isCancelled { _ = try? root.exchange("link", with: pack, "inner") }
            swapping.keep(())
        }
        defer { isDone.cancel() }
        var (accepted, refused) = (0, 0)
        while accepted + refused < 500 || accepted < 50 || refused < 50 {
            try Task.checkCancellation()
            guard let files = try? read() else {
                refused += 1
                continue
            }
            accepted += 1
            #expect(files.allSatisfy { $0.sha256 != SHA256Digest(of: [9]) })
        }
        isDone.cancel()
        try await swapping.value()
    }

    @Test func `a list of expected files is met exactly or not at all`() throws {
        let files = try read()
        let report = UnpackReport(files: files)
        try report.requireExactly(files.reversed())
        var other = files
        other[0].sha256 = SHA256Digest(of: [7])
        let extra = Receipt.File(path: "c", size: 0, sha256: SHA256Digest(of: []))
        for (list, reason) in [
            (other, "expected hash"), (Array(files.dropFirst()), "not asked for"), (files + [extra], "missing"),
        ] {
            let error = try #require(throws: StoreError.self) { try report.requireExactly(list) }
            #expect(error.code == .workerBadOutput && error.message.contains(reason), "\(error.message)")
        }
    }
}
