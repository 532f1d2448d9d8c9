import Glibc
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreSystem

@Suite struct LockResultTests {
    private let folder: TemporaryFolder

    /// `O_PATH` of open(2), which the module Glibc does not have.
    private static let pathOnly: Int32 = 0o1000_0000

    init() throws {
        folder = try TemporaryFolder()
        try folder.directory.put("a", "")
    }

    /// Returns a descriptor that the kernel does not lock, because it only names the file (open(2)).
    private func unlockable(_ name: String) throws -> Int32 {
        let descriptor = open(folder.path + "/" + name, Self.pathOnly | O_CLOEXEC)
        try #require(descriptor >= 0)
        return descriptor
    }

    private func name(_ result: LockResult) -> String {
        switch result {
        case .acquired: "acquired"
        case .heldElsewhere: "held elsewhere"
        case .unsupported: "unsupported"
        }
    }

    @Test func `a file and a directory are locked once`() throws {
        let files = try (0..<2).map { _ in try folder.directory.openFile("a") }
        #expect(try files.map { try name($0.tryLock()) } == ["acquired", "held elsewhere"])
        files[0].unlock()
        #expect(try name(files[1].tryLock()) == "acquired")
        let directories = try (0..<2).map { _ in try Directory.open(folder.path) }
        #expect(try directories.map { try name($0.tryLock()) } == ["acquired", "held elsewhere"])
    }

    @Test func `the lock of a released file ends although a process that is being started has its descriptor`() throws {
        var file: OpenFile? = try folder.directory.openFile("a")
        let inherited = dup(try #require(file).descriptor)
        defer { close(inherited) }
        #expect(try name(#require(file).tryLock()) == "acquired")
        file = nil
        #expect(try name(folder.directory.openFile("a").tryLock()) == "acquired")
    }

    @Test func `a file and a directory that can't be locked are told from locked ones`() throws {
        let file = OpenFile(descriptor: try unlockable("a"), path: "a")
        let directory = Directory(descriptor: try unlockable("."), path: folder.path)
        for result in [try file.tryLock(), try directory.tryLock()] {
            guard case .unsupported(let error) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(error.errno == .badFileDescriptor)
        }
    }

    @Test func `a process needs a lock of the data directory or of the lock file`() throws {
        let unsupported = LockResult.unsupported(StoreError(call: "flock", path: "a", errno: .noLocks))
        for other in [LockResult.acquired, unsupported] {
            #expect(try HomeLock.isAcquired(directory: .acquired, file: other))
            #expect(try HomeLock.isAcquired(directory: other, file: .acquired))
            #expect(try !HomeLock.isAcquired(directory: .heldElsewhere, file: other))
            #expect(try !HomeLock.isAcquired(directory: other, file: .heldElsewhere))
        }
        let error = #expect(throws: StoreError.self) {
            try HomeLock.isAcquired(directory: unsupported, file: unsupported)
        }
        #expect(error?.errno == .noLocks)
    }

    @Test func `a data directory that can't be locked is locked by its lock file`() throws {
        func acquire() throws -> HomeLock.Acquisition {
            try HomeLock.acquire(in: Directory(descriptor: unlockable("."), path: folder.path), as: .daemon)
        }
        guard case .acquired(let lock) = try acquire() else {
            Issue.record("not acquired")
            return
        }
        guard case .heldBy(let holder?) = try acquire() else {
            Issue.record("acquired twice")
            return
        }
        #expect(holder.pid == getpid())
        lock.release()
    }
}
