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

    @Test func `a file is read at any position`() throws {
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

    @Test(arguments: [0, 1, 300_000]) func `a copy has the content, but neither the name nor the permissions`(size: Int)
        throws
    {
        try directory.put("a", String(repeating: "x", count: size))
        chmod(folder.path + "/a", 0o755)
        let copy = try directory.createFile("b", mode: 0o640)
        #expect(try copy.copy(from: directory.openFile("a"), upTo: size + 1) == size)
        #expect(try directory.read("b") == directory.read("a"))
        #expect(try directory.status(of: "b")?.permissions == 0o640)
        let part = try directory.createFile("c")
        #expect(try part.copy(from: directory.openFile("a"), upTo: size / 2) == size / 2)
        #expect(try part.status().size == size / 2)
        // From a file system that can't clone files.
        let other = try directory.createFile("d")
        let version = try OpenFile.open("/proc/version").read(count: 1000, at: 0)
        #expect(try other.copy(from: OpenFile.open("/proc/version"), upTo: 1000) == version.count)
    }

    @Test func `a copy begins at the first byte, wherever the other file's position is`() throws {
        try folder.directory.put("a", Data("content".utf8))
        let file = try OpenFile.open(folder.path + "/a")
        try file.seek(to: 4)
        let copy = try folder.directory.createFile("b")
        #expect(try copy.copy(from: file, upTo: 100) == 7)
        #expect(try copy.readAll(limit: 100) == Data("content".utf8))
    }

    @Test(.hangGuard) func `opening a pipe as a file does not block`() throws {
        #expect(mknodat(directory.descriptor, "pipe", S_IFIFO | 0o600, 0) == 0)
        #expect(try OpenFile.open(folder.path + "/pipe").readAll(limit: 10).isEmpty)
        #expect(throws: StoreError.self) { try directory.openOrCreateFile("pipe") }
    }

    /// Returns the end of a pipe from which a text can be read, and whose other end is closed.
    private func pipe(_ text: String) throws -> PipeEnd {
        let (reader, writer) = try Pipe.open()
        try writer.descriptor.writeAll(text)
        return reader
    }

    @Test(.hangGuard) func `a pipe that an option names is read to its end`() throws {
        for (text, limit) in [("secret\n", 7), ("secret\n", 6), ("", 0)] {
            let reader = try pipe(text)
            let path = "/dev/fd/\(reader.descriptor.rawValue)"
            if text.utf8.count <= limit {
                #expect(try OpenFile.read(argument: path, limit: limit) == Data(text.utf8))
            } else {
                #expect(fileError { _ = try OpenFile.read(argument: path, limit: limit) }?.code == .fileFailed)
            }
            withExtendedLifetime(reader) {}
        }
        try directory.put("a", "secret")
        #expect(try OpenFile.read(argument: folder.path + "/a", limit: 6) == Data("secret".utf8))
        #expect(fileError { _ = try OpenFile.read(argument: folder.path + "/b", limit: 6) }?.code == .fileUnusable)
    }

    @Test(.hangGuard) func `a named pipe that an option names is read once something is written to it`() throws {
        let path = folder.path + "/pipe"
        #expect(mknodat(directory.descriptor, "pipe", S_IFIFO | 0o600, 0) == 0)
        let written = DispatchGroup()
        DispatchQueue(label: "tests.writing").async(group: written) {
            // Waits until the pipe has a reader.
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            try? FileDescriptor(rawValue: descriptor).writeAll("secret")
            close(descriptor)
        }
        #expect(try OpenFile.read(argument: path, limit: 6) == Data("secret".utf8))
        written.wait()
    }

    @Test func `a file is written at its position or at any other`() throws {
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

    @Test func `a file stays open when its name is removed`() throws {
        try directory.put("a", "still here")
        let file = try directory.openFile("a")
        try directory.remove("a")
        #expect(try file.readAll(limit: 100) == Data("still here".utf8))
    }

    @Test func `a file is closed when it is released`() throws {
        try directory.put("a", "")
        for _ in 0..<10 {
            _ = try directory.openFile("a")
            _ = try directory.entries()
        }
        // Only those of this test's directory, because other tests open and close files meanwhile.
        let open = try Directory.open("/proc/self/fd").entries().compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0.name)")
        }
        #expect(open.filter { $0.hasPrefix(folder.path) } == [folder.path])
    }
}

@Suite struct FileSystemErrorTests {
    private let folder: TemporaryFolder
    private var directory: Directory { folder.directory }

    init() throws {
        folder = try TemporaryFolder()
        try directory.put("file", "x")
        try directory.makeDirectory("folder")
    }

    @Test func `a missing file is reported as missing`() throws {
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

    @Test func `a file in place of a directory is an error that says so`() throws {
        for body: () throws -> Void in [
            { _ = try Directory.open(folder.path + "/file") }, { _ = try directory.openDirectory("file") },
            { _ = try directory.openFile("file/x") }, { _ = try directory.createDirectory("file/x") },
            { _ = try Directory.create(folder.path + "/file/x") },
        ] {
            let error = fileError(body)
            #expect(error?.code == .fileFailed && error?.errno == .notDirectory)
            #expect(error?.message.contains("Not a directory") == true)
        }
    }

    @Test func `a name that is too long is an error`() {
        let name = String(repeating: "x", count: 300)
        #expect(fileError { _ = try directory.createFile(name) }?.errno == .fileNameTooLong)
    }

    @Test func `a full disk is reported as full`() throws {
        // The kernel's device that is always full (full(4)).
        let file = OpenFile(descriptor: Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC), path: "/dev/full")
        let error = fileError { try file.write(Data("x".utf8)) }
        #expect(error?.code == .noSpace && error?.code.exitCode == .space && error?.errno == .noSpace)
    }

    @Test func `a directory in which the user may not write is reported as denied`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            _ = try folder.directory.createDirectory("folder")
            try #require(chmod(folder.path, 0o755) == 0 && chmod(folder.path + "/folder", 0o555) == 0)
            // Permissions do not hold root back, so that root becomes another user (nobody), in this process only.
            let user = geteuid()
            if user == 0 { try #require(seteuid(65534) == 0) }
            let error = fileError { _ = try folder.directory.createFile("folder/x") }
            try #require(seteuid(user) == 0)
            #expect(error?.code == .fileDenied && error?.errno == .permissionDenied)
        }
    }

    @Test func `a file that nobody can write to is reported as denied`() {
        // Even root can't write here.
        let error = fileError { _ = try Directory.open("/proc/self").createFile("new") }
        #expect(error != nil)
    }
}

@Suite struct BlockingWorkTests {
    private struct Failure: Error, Equatable {}

    @Test func `blocking work returns its result or throws its error`() async throws {
        let work = BlockingWork(label: "test")
        #expect(try await work.run { 42 } == 42)
        await #expect(throws: Failure.self) { try await work.run { throw Failure() } }
    }

    @Test func `blocking work runs in the order of its requests`() async throws {
        let work = BlockingWork(label: "test")
        let file = try TemporaryFolder()
        let log = try file.directory.createFile("log")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await work.run {
                        // Written in two pieces, so that concurrent work would be visible.
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

    @Test func `blocking work is not interrupted by cancellation`() async throws {
        let work = BlockingWork(label: "test")
        let task = Task { try await work.run { 42 } }
        task.cancel()
        #expect(try await task.value == 42)
    }

    /// There are more pieces of work than threads of the concurrency pool, and each waits until all of them run; if
    /// they occupied those threads, the test would never end.
    @Test(.hangGuard) func `concurrent blocking work occupies no thread of the concurrency pool`() async throws {
        let work = BlockingWork(label: "test", concurrent: true)
        let count = BlockingWork.concurrencyLimit
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

    @Test func `a large file is mapped, a small one is read, and one above the limit is refused`() throws {
        let folder = try TemporaryFolder()
        for size in [0, 1, 99, 100, 5_000] {
            let content = (0..<size).map { UInt8($0 & 0xFF) }
            try folder.directory.replaceUnsynced("file", with: Data(content))
            let file = try folder.directory.openFile("file")
            let bytes = try file.bytes(limit: 5_000, mappedSize: 100)
            if case .mapped = bytes { #expect(size >= 100) } else { #expect(size < 100) }
            #expect(bytes.count == size && bytes.withUnsafeBytes { Array($0) } == content)
            #expect(throws: StoreError.self) { try file.bytes(limit: size - 1, mappedSize: 100) }
        }
    }
}
