import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEngine

@Suite(.hangGuard) struct HomeLockTests {
    private let home: EngineHome
    private var data: String { home.folder.path + "/data" }
    private var file: String { data + "/stored.lock" }

    init() throws { home = try EngineHome() }

    private func acquire(as role: HomeLock.Role = .daemon) throws -> HomeLock {
        try HomeLock.acquire(home.places, as: role)
    }

    private func holder() throws -> HomeLock.Holder { try #require(HomeLock.holder(at: file)) }

    private func status(of path: String) -> stat {
        var status = stat()
        lstat(path, &status)
        return status
    }

    // MARK: Engines

    @Test func `a home is open in one engine at a time`() async throws {
        let manager = try await home.open()
        let error = await #expect(throws: StoreError.self) { try await home.open() }
        #expect(error?.code.rawValue == "home.inUse")
        #expect(error?.code.exitCode == .conflict)
        #expect(error?.message.contains("process \(getpid())") == true)
        #expect(error?.message.contains(home.folder.path) == true)
        #expect(error?.hint?.contains("StoreClient") == true, "it says what to use instead")
        // The refused one has touched nothing, so the first still works.
        let store = try FileStore(.init("a"))
        try await manager.use(store)
        #expect(try await manager.installed("a").state == .finished)
        await manager.close()
        let next = try await home.open()
        #expect(try await next.packs.list().map(\.productIdentifier) == ["a"])
        await next.close()
    }

    @Test func `an engine that is closed and released has nothing of its home open`() async throws {
        let store = try FileStore(.init("a"))
        do {
            let manager = try await home.open()
            try await manager.use(store)
            try await manager.installed("a")
            #expect(!openFiles.isEmpty)
            await manager.close()
        }
        // Tasks that have ended are released by their threads.
        while !openFiles.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// The open files of this process beneath the home.
    private var openFiles: [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        .filter { $0.hasPrefix(home.folder.path + "/") }
    }

    @Test func `an engine that could not open its home leaves it unlocked`() async throws {
        try home.folder.directory.put("config/stores.json", "not a list")
        #expect(await failure { _ = try await home.open() } == .storesMalformed)
        let lock = try acquire()
        #expect(await failure { _ = try await home.open() } == .homeInUse)
        lock.release()
        try home.folder.directory.removeTree("config/stores.json")
        let manager = try await home.open()
        await manager.close()
    }

    @Test func `an engine in an application holds the lock in that role`() async throws {
        let manager = try await home.open()
        #expect(try holder().role == .application)
        #expect(try holder().socket == "")
        #expect(try holder().program?.isEmpty == false)
        await manager.close()
        #expect(HomeLock.holder(at: file) == nil)
    }

    // MARK: The lock

    @Test func `the data directory is created for its user alone`() throws {
        let lock = try acquire()
        #expect(status(of: data).st_mode & 0o777 == 0o700)
        #expect(status(of: file).st_mode & 0o777 == 0o600)
        lock.release()
    }

    @Test func `the lock file names the process and the socket`() throws {
        let lock = try acquire()
        #expect(try holder().pid == getpid())
        #expect(try holder().socket == "")
        try lock.announce(socket: "/a/rather/long/path/to/the/socket")
        try lock.announce(socket: "/short")
        #expect(try holder().socket == "/short")
        lock.release()
    }

    @Test(arguments: [HomeLock.Role.daemon, .application])
    func `a second process is refused with the process that uses the home`(role: HomeLock.Role) throws {
        let lock = try acquire(as: role)
        try lock.announce(socket: "/s")
        let error = #expect(throws: StoreError.self) { try acquire() }
        #expect(error?.code == .homeInUse)
        #expect(error?.message.contains("process \(getpid())") == true)
        #expect(error?.message.contains("daemon") == (role == .daemon))
        #expect(try holder().socket == "/s", "the one who was refused changed nothing")
        lock.release()
    }

    @Test(arguments: [
        (
            #"{"pid":7,"socket":"/s","role":"application","program":"chat","startedAt":"2024-01-01T00:00:00Z","x":[1]}"#,
            true
        ),
        (#"{"pid":7,"socket":"/s","role":null,"program":null,"startedAt":null,"file":null}"#, true),
        (#"{"pid":7}"#, false), (#"{"socket":"/s"}"#, false), (#"{"pid":99999999999,"socket":""}"#, false),
        (#"{"pid":7,"socket":"/s","role":"king"}"#, false), (#"{"pid":7,"socket":"/s","file":{"path":"/"}}"#, false),
        ("[]", false), ("", false),
    ])
    func `a lock file is read, or not used at all`(content: String, isValid: Bool) throws {
        try home.folder.directory.put("data/stored.lock", content)
        let holder = HomeLock.holder(at: file)
        #expect(holder?.pid == (isValid ? 7 : nil) && holder?.socket == (isValid ? "/s" : nil))
        let isWhole = content.contains("chat")
        #expect(holder?.role == (isWhole ? .application : nil) && holder?.program == (isWhole ? "chat" : nil))
        #expect(holder?.startedAt == (isWhole ? Date(timeIntervalSince1970: 1_704_067_200) : nil))
    }

    @Test func `a stale lock file is reused and never replaced`() throws {
        // As an earlier release wrote it.
        try home.folder.directory.put(
            "data/stored.lock", #"{"pid":1,"socket":"/old","startedAt":"2024-01-01T00:00:00Z"}"#)
        #expect(try holder().role == nil)
        let inode = status(of: file).st_ino
        let lock = try acquire()
        #expect(try holder().pid == getpid())
        #expect(try holder().socket == "")
        lock.release()
        #expect(status(of: file).st_ino == inode)
        let next = try acquire()
        #expect(status(of: file).st_ino == inode)
        next.release()
    }

    @Test func `deleting the lock file lets no second process in`() throws {
        let lock = try acquire()
        try home.folder.directory.remove("data/stored.lock")
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try acquire() }
            #expect(error?.code == .homeInUse)
        }
        try home.folder.directory.put("data/stored.lock", "")
        #expect(throws: StoreError.self) { try acquire() }
        lock.release()
        let next = try acquire()
        #expect(try holder().pid == getpid())
        next.release()
    }

    @Test func `a copied lock file names no process, and one that is found by another path does`() throws {
        let lock = try acquire()
        try lock.announce(socket: "/s")
        let copy = try home.folder.directory.createDirectory("copy")
        try copy.replace("stored.lock", with: home.folder.directory.read("data/stored.lock"))
        #expect(HomeLock.holder(at: home.folder.path + "/copy/stored.lock") == nil)
        #expect(symlink("data", home.folder.path + "/alias") == 0)
        #expect(HomeLock.holder(at: home.folder.path + "/alias/stored.lock")?.socket == "/s")
        lock.release()
    }

    @Test func `a released lock names no process`() throws {
        let lock = try acquire()
        try lock.announce(socket: "/s")
        lock.release()
        #expect(status(of: file).st_size == 0)
    }

    @Test func `the lock ends with the object that held it`() throws {
        do { _ = try acquire() }
        let next = try acquire()
        next.release()
    }

    @Test(arguments: ["/proc/nowhere", "/dev/null"])
    func `an unusable home is named in the error`(path: String) throws {
        let error = #expect(throws: StoreError.self) {
            try HomeLock.acquire(HomePaths.current(home: path), as: .daemon)
        }
        #expect(error?.code == .homeUnusable)
        #expect(error?.code.exitCode == .daemon)
        #expect(error?.message.contains(path) == true)
    }
}
