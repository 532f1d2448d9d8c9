import Dispatch
import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct OpenFileTests {
    private let folder: TemporaryFolder
    private var directory: Directory { folder.directory }

    init() throws { folder = try TemporaryFolder() }

    @Test func `is read at any place`() throws {
        try directory.put("a", "0123456789")
        let file = try OpenFile.open(folder.path + "/a")
        #expect(try file.read(count: 3, at: 4) == Array("456".utf8))
        #expect(try file.read(count: 10, at: 8) == Array("89".utf8))
        #expect(try file.read(count: 10, at: 10).isEmpty && file.read(count: 0, at: 0).isEmpty)
        #expect(try file.readAll(limit: 10) == Data("0123456789".utf8))
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 7) } == 3)
        #expect(bytes == Array("789".utf8) + [0])
    }

    @Test(arguments: [0, 1, 300_000]) func `is copied without its name or permissions`(size: Int) throws {
        try directory.put("a", String(repeating: "x", count: size))
        chmod(folder.path + "/a", 0o755)
        let copy = try directory.createFile("b", mode: 0o640)
        #expect(try copy.copy(from: directory.openFile("a"), upTo: size + 1) == size)
        #expect(try directory.read("b") == directory.read("a"))
        #expect(try directory.status(of: "b")?.permissions == 0o640)
        let part = try directory.createFile("c")
        #expect(try part.copy(from: directory.openFile("a"), upTo: size / 2) == size / 2)
        #expect(try part.status().size == size / 2)
        // From where the file system can't do it by itself.
        let other = try directory.createFile("d")
        let version = try OpenFile.open("/proc/version").read(count: 1000, at: 0)
        #expect(try other.copy(from: OpenFile.open("/proc/version"), upTo: 1000) == version.count)
    }

    @Test(.hangGuard) func `is not waited for where it is a pipe`() throws {
        #expect(mknodat(directory.descriptor, "pipe", S_IFIFO | 0o600, 0) == 0)
        #expect(try OpenFile.open(folder.path + "/pipe").readAll(limit: 10).isEmpty)
        #expect(throws: FileError.self) { try directory.openOrCreateFile("pipe") }
    }

    @Test func `is written where it stands or at any place`() throws {
        let file = try directory.createFile("a")
        try file.write(Data("01".utf8))
        try file.write(Data("23".utf8))
        try Array("xy".utf8).withUnsafeBytes { try file.write($0, at: 6) }
        #expect(try directory.read("a") == Data(Array("0123".utf8) + [0, 0] + Array("xy".utf8)))
        try file.write(Data("45".utf8))
        #expect(try directory.text("a") == "012345xy")
        try file.truncate(to: 3)
        try file.seek(to: 1)
        try file.write(Data("-".utf8))
        try file.write(Data())
        try file.sync()
        #expect(try directory.text("a") == "0-2")
        #expect(try file.status().size == 3)
    }

    @Test func `stays open when its name is gone`() throws {
        try directory.put("a", "still here")
        let file = try directory.openFile("a")
        try directory.remove("a")
        #expect(try file.readAll(limit: 100) == Data("still here".utf8))
    }

    @Test func `is closed when nothing holds it`() throws {
        try directory.put("a", "")
        let before = try Directory.open("/proc/self/fd").entries().count
        for _ in 0..<200 { _ = try directory.openFile("a") }
        for _ in 0..<200 { _ = try directory.entries() }
        // Tests beside this one open and close files of their own.
        #expect(try Directory.open("/proc/self/fd").entries().count < before + 150)
    }
}

@Suite struct FileErrorTests {
    private let folder: TemporaryFolder
    private var directory: Directory { folder.directory }

    init() throws {
        folder = try TemporaryFolder()
        try directory.put("file", "x")
        try directory.makeDirectory("folder")
    }

    @Test func `what is not there is missing`() throws {
        for body: () throws -> Void in [
            { _ = try Directory.open(folder.path + "/nothing") }, { _ = try OpenFile.open(folder.path + "/nothing") },
            { _ = try directory.openFile("nothing") }, { _ = try directory.openDirectory("no/thing") },
            { try directory.remove("nothing") },
        ] {
            let error = fileError(body)
            #expect(error?.code == .fileMissing && error?.errno == .noSuchFileOrDirectory && error?.isMissing == true)
            #expect(error?.message.contains(folder.path + "/no") == true)
        }
    }

    @Test func `what is no directory fails with the call's name`() throws {
        for body: () throws -> Void in [
            { _ = try Directory.open(folder.path + "/file") }, { _ = try directory.openDirectory("file") },
            { _ = try directory.openFile("file/x") }, { _ = try directory.createDirectory("file/x") },
            { _ = try Directory.create(folder.path + "/file/x") },
        ] {
            let error = fileError(body)
            #expect(error?.code == .fileFailed && error?.errno == .notDirectory)
            #expect(error?.message.contains("open") == true || error?.message.contains("mkdir") == true)
        }
    }

    @Test func `a name that is too long fails`() {
        let name = String(repeating: "x", count: 300)
        #expect(fileError { _ = try directory.createFile(name) }?.errno == .fileNameTooLong)
    }

    @Test func `a full disk is said to be full`() throws {
        // The kernel's device that is always full (full(4)).
        let file = OpenFile(descriptor: Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC), path: "/dev/full")
        let error = fileError { try file.write(Data("x".utf8)) }
        #expect(error?.code == .noSpace && error?.code.exitCode == .space && error?.errno == .noSpace)
    }

    @Test(.enabled(if: geteuid() != 0, "permissions do not hold root back, so that nothing is denied"))
    func `what is not ours is denied`() throws {
        try #require(fchmodat(directory.descriptor, "folder", 0o500, 0) == 0)
        let error = fileError { _ = try directory.createFile("folder/x") }
        #expect(error?.code == .fileDenied && error?.errno == .permissionDenied)
    }

    @Test func `what can't be written by anybody is denied`() {
        // Root too is kept from writing here.
        let error = fileError { _ = try Directory.open("/proc/self").createFile("new") }
        #expect(error != nil)
    }
}

@Suite struct BlockingWorkTests {
    private struct Failure: Error, Equatable {}

    @Test func `gives back what it made or why not`() async throws {
        let work = BlockingWork(label: "test")
        #expect(try await work.run { 42 } == 42)
        await #expect(throws: Failure.self) { try await work.run { throw Failure() } }
    }

    @Test func `runs in the order given`() async throws {
        let work = BlockingWork(label: "test")
        let file = try TemporaryFolder()
        let log = try file.directory.createFile("log")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await work.run {
                        // Not in one piece, so that two at once would show.
                        try log.write(Data("<\(number)".utf8))
                        sched_yield()
                        try log.write(Data(">".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
        let text = try file.directory.text("log")
        #expect(Set(text.split(separator: ">")) == Set((0..<50).map { "<\($0)" }))
    }

    @Test func `is not cut short by cancellation`() async throws {
        let work = BlockingWork(label: "test")
        let task = Task { try await work.run { 42 } }
        task.cancel()
        #expect(try await task.value == 42)
    }

    /// More pieces than there are threads for Swift's tasks, each of which waits until all of them run: where they took
    /// those threads, neither they nor the task that waits for them would ever come to an end.
    @Test(.hangGuard) func `runs many pieces at once and holds up no task`() async throws {
        let work = BlockingWork(label: "test", concurrent: true)
        let count = 64
        let (running, go) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await work.run {
                        running.continuation.yield()
                        go.wait()
                    }
                }
            }
            var arrived = 0
            for await _ in running.stream {
                arrived += 1
                if arrived == count { break }
            }
            for _ in 0..<count { go.signal() }
            try await group.waitForAll()
        }
    }
}
