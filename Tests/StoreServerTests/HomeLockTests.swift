import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct HomeLockTests {
    let folder: TemporaryFolder
    var data: String { folder.path + "/deep/data" }
    var file: String { data + "/stored.lock" }

    init() throws { folder = try TemporaryFolder() }

    private func holder() throws -> DaemonLock.Holder {
        try JSON.decode(from: Data(contentsOf: URL(filePath: file)))
    }

    @Test func `the data directory is created for its user alone`() throws {
        let lock = try HomeLock.acquire(dataDirectory: data)
        #expect(FileStatus.mode(of: data) == 0o700)
        #expect(FileStatus.mode(of: folder.path + "/deep") == 0o700)
        #expect(FileStatus.mode(of: file) == 0o600)
        lock.release()
    }

    @Test func `the lock file names the process and the socket`() throws {
        let lock = try HomeLock.acquire(dataDirectory: data)
        #expect(try holder().pid == getpid())
        #expect(try holder().socket == "")
        try lock.announce(socket: "/a/rather/long/path/to/the/socket")
        try lock.announce(socket: "/short")
        #expect(try holder().socket == "/short")
        lock.release()
    }

    @Test func `a second daemon is refused with the process that uses the home`() throws {
        let lock = try HomeLock.acquire(dataDirectory: data)
        try lock.announce(socket: "/s")
        let error = #expect(throws: StoreError.self) { try HomeLock.acquire(dataDirectory: data) }
        #expect(error?.code == .daemonRunning)
        #expect(error?.code.exitCode == .conflict)
        #expect(error?.message.contains("process \(getpid())") == true)
        #expect(try holder().socket == "/s", "the one who was refused changed nothing")
        lock.release()
    }

    @Test func `a stale lock file is reused and never replaced`() throws {
        try folder.directory.put(
            "deep/data/stored.lock", #"{"pid":1,"socket":"/old","startedAt":"2024-01-01T00:00:00Z"}"#)
        let inode = FileStatus.inode(of: file)
        let lock = try HomeLock.acquire(dataDirectory: data)
        #expect(try holder().pid == getpid())
        #expect(try holder().socket == "")
        lock.release()
        #expect(FileStatus.inode(of: file) == inode)
        let next = try HomeLock.acquire(dataDirectory: data)
        #expect(FileStatus.inode(of: file) == inode)
        next.release()
    }

    @Test func `deleting the lock file lets no second daemon in`() throws {
        let lock = try HomeLock.acquire(dataDirectory: data)
        try FileManager.default.removeItem(atPath: file)
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try HomeLock.acquire(dataDirectory: data) }
            #expect(error?.code == .daemonRunning)
        }
        try folder.directory.put("deep/data/stored.lock", "")
        #expect(throws: StoreError.self) { try HomeLock.acquire(dataDirectory: data) }
        lock.release()
        let next = try HomeLock.acquire(dataDirectory: data)
        #expect(try holder().pid == getpid())
        next.release()
    }

    @Test func `a released lock names no socket`() throws {
        let lock = try HomeLock.acquire(dataDirectory: data)
        try lock.announce(socket: "/s")
        lock.release()
        #expect(try Data(contentsOf: URL(filePath: file)).isEmpty)
    }

    @Test func `the lock ends with the process that held it`() throws {
        do { _ = try HomeLock.acquire(dataDirectory: data) }
        let next = try HomeLock.acquire(dataDirectory: data)
        next.release()
    }

    @Test(arguments: ["/proc/nowhere/data", "/dev/null/data"])
    func `an unwritable home is named in the error`(path: String) {
        let error = #expect(throws: StoreError.self) { try HomeLock.acquire(dataDirectory: path) }
        #expect(error?.code == .homeUnwritable)
        #expect(error?.code.exitCode == .daemon)
        #expect(error?.message.contains(path) == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `a directory of another user is refused`() throws {
        try folder.directory.put("deep/data/x", "")
        chown(data, 12345, 12345)
        let error = #expect(throws: StoreError.self) { try HomeLock.acquire(dataDirectory: data) }
        #expect(error?.code == .homeForeign)
        #expect(error?.code.exitCode == .daemon)
        #expect(!FileStatus.exists(file))
    }
}
