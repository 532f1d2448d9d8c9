import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct DirectoryTests {
    private let folder: TemporaryFolder
    private var directory: Directory { folder.directory }

    init() throws { folder = try TemporaryFolder() }

    // MARK: Folders

    @Test func `a directory is created with its parents`() throws {
        let path = folder.path + "/a/b//c/"
        let made = try Directory.create(path)
        try made.put("file", "x")
        #expect(try directory.tree() == ["a/b/c/file": "x"])
        #expect(try Directory.create(path).text("file") == "x")
        #expect(try Directory.open(folder.path + "/a").names() == ["b"])
    }

    @Test func `a directory is created beneath another`() throws {
        try directory.createDirectory("a/b").put("file", "x")
        #expect(try directory.createDirectory("a/b").text("file") == "x")
        #expect(try directory.createDirectory("").names() == ["a"])
        try directory.makeDirectory("a/c")
        #expect(fileError { try directory.makeDirectory("a/c") }?.isExisting == true)
        #expect(try directory.openDirectory("a").names() == ["b", "c"])
    }

    @Test func `a slash separates components, whatever character follows it`() throws {
        // In Swift, an accent and the slash before it are one character; for Linux they are two.
        try directory.createDirectory("a/\u{301}b").put("file", "x")
        #expect(try directory.names() == ["a"])
        #expect(try directory.openDirectory("a").names() == ["\u{301}b"])
        try directory.makeDirectory("a/\u{301}c")
        #expect(try directory.openDirectory("a").names() == ["\u{301}b", "\u{301}c"])
        _ = try Directory.create(folder.path + "/d/\u{301}e")
        #expect(try directory.openDirectory("d").names() == ["\u{301}e"])
        try directory.putLink("link", to: "a")
        #expect(fileError { try directory.remove("link/\u{301}b/file") }?.code == .fileEscapes)
    }

    @Test func `new files and directories are private unless a mode is given`() throws {
        try directory.makeDirectory("a")
        try directory.makeDirectory("b", mode: 0o755)
        _ = try directory.createFile("c")
        _ = try directory.openOrCreateFile("d")
        try directory.replace("e", with: Data())
        let mask = umask(0o022)
        umask(mask)
        for (name, mode) in [("a", 0o700), ("b", 0o755), ("c", 0o644), ("d", 0o600), ("e", 0o600)] {
            var status = stat()
            #expect(fstatat(directory.descriptor, name, &status, 0) == 0)
            #expect(status.st_mode & 0o777 == UInt32(mode) & ~mask, "\(name)")
        }
    }

    @Test func `a directory lists its entries`() throws {
        #expect(try directory.entries().isEmpty)
        try directory.put("file", "")
        try directory.put("folder/file", "")
        try directory.putLink("link", to: "file")
        #expect(mkfifoat(directory.descriptor, "pipe", 0o600) == 0)
        let expected: [String: FileStatus.Kind] = ["file": .file, "folder": .folder, "link": .link, "pipe": .other]
        // Listed twice, because the listings must not share a position.
        for _ in 1...2 {
            let entries = try directory.entries()
            #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.kind) }) == expected)
        }
    }

    @Test func `a directory lists thousands of entries`() throws {
        for number in 0..<3000 { _ = try directory.createFile("\(number)") }
        #expect(Set(try directory.entries().map(\.name)) == Set((0..<3000).map(String.init)))
        try directory.removeTree("17")
        #expect(try directory.entries().count == 2999)
    }

    // MARK: Files

    @Test func `a file is created only once`() throws {
        try directory.createFile("a").write(Data("1".utf8))
        #expect(fileError { _ = try directory.createFile("a") }?.isExisting == true)
        #expect(try directory.text("a") == "1")
        try directory.openOrCreateFile("a").write(Data("2".utf8))
        #expect(try directory.text("a") == "2")
        _ = try directory.openOrCreateFile("b")
        #expect(try directory.text("b") == "")
    }

    @Test func `opening a pipe does not wait for a writer`() throws {
        #expect(mkfifoat(directory.descriptor, "pipe", 0o600) == 0)
        #expect(try directory.openFile("pipe").status().kind == .other)
    }

    @Test func `reading stops at the limit`() throws {
        try directory.put("a", "12345")
        #expect(try directory.read("a", limit: 5).count == 5)
        #expect(fileError { _ = try directory.read("a", limit: 4) }?.code == .fileFailed)
        #expect(fileError { _ = try directory.read("b") }?.isMissing == true)
        try directory.makeDirectory("folder")
        #expect(fileError { _ = try directory.read("folder") }?.code == .fileFailed)
    }

    @Test func `replacing a file shows readers the old or the new content`() async throws {
        let (old, new) = (Data(repeating: 1, count: 100_000), Data(repeating: 2, count: 200_000))
        try directory.replace("a", with: old)
        let (directory, isRead) = (directory, CancellationFlag())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !isRead.isCancelled { for content in [new, old] { try directory.replace("a", with: content) } }
            }
            group.addTask {
                defer { isRead.cancel() }
                var (reads, seen) = (0, Set<Data>())
                while reads < 200 || seen.count < 2 {
                    try Task.checkCancellation()
                    let read = try directory.read("a")
                    try #require(read == old || read == new)
                    seen.insert(read)
                    reads += 1
                }
            }
            try await group.waitForAll()
        }
        #expect(try directory.names() == ["a"])
    }

    @Test func `replacing a file succeeds after a replacement that a crash interrupted`() throws {
        try directory.put("a", "old")
        try directory.put("a.new", "half of the n")
        try directory.replace("a", with: Data("new".utf8))
        #expect(try directory.tree() == ["a": "new"])
    }

    @Test func `the error of a replacement names the file, not its temporary copy`() throws {
        try directory.makeDirectory("gone")
        let gone = try directory.openDirectory("gone")
        try directory.removeTree("gone")
        let error = fileError { try gone.replace("zz.png", with: Data()) }
        #expect(error?.message.contains("/gone/zz.png'") == true, "\(error?.message ?? "")")
    }

    @Test func `a failed replacement leaves the old file`() throws {
        try directory.put("a/b", "in the way")
        #expect(throws: StoreError.self) { try directory.replace("a", with: Data()) }
        #expect(try directory.tree() == ["a/b": "in the way"])
    }

    @Test func `the status has type, size and permissions`() throws {
        try directory.put("a", "12345")
        let status = try #require(try directory.status(of: "a"))
        #expect(status.kind == .file && status.size == 5 && status.owner == geteuid())
        #expect(try directory.status(of: "a")?.inode == directory.openFile("a").status().inode)
        #expect(try directory.status(of: "b") == nil)
        #expect(try directory.status(of: "a/b") == nil)
        #expect(try directory.status(of: "b/c") == nil)
        #expect(try directory.status(of: "") == nil)
    }

    // MARK: Renaming

    @Test func `a rename keeps or replaces an existing file as requested`() throws {
        let other = try directory.createDirectory("other")
        try directory.put("a", "1")
        try directory.put("b", "2")
        try directory.rename("a", to: other, as: "c")
        #expect(try directory.tree() == ["b": "2", "other/c": "1"])
        #expect(fileError { try directory.rename("b", to: other, as: "c") }?.isExisting == true)
        #expect(try directory.renameIfFree("b", to: other, as: "c") == false)
        #expect(try directory.tree() == ["b": "2", "other/c": "1"])
        try directory.rename("b", to: other, as: "c", replacing: true)
        #expect(try directory.tree() == ["other/c": "2"])
        #expect(try other.renameIfFree("c", to: directory, as: "other/d"))
        #expect(try directory.tree() == ["other/d": "2"])
        #expect(fileError { try directory.rename("z", to: other, as: "y") }?.isMissing == true)
        #expect(fileError { _ = try directory.renameIfFree("z", to: other, as: "y") }?.isMissing == true)
    }

    @Test func `a rename does not replace a directory that is not empty`() throws {
        try directory.put("a/1", "1")
        try directory.put("b/2", "2")
        #expect(fileError { try directory.rename("a", to: directory, as: "b", replacing: true) }?.isExisting == true)
        #expect(try directory.tree() == ["a/1": "1", "b/2": "2"])
    }

    @Test func `an exchange swaps two entries in one step`() throws {
        try directory.put("a/1", "1")
        try directory.put("b/2", "2")
        let other = try directory.createDirectory("other")
        try #require(try directory.exchange("a", with: directory, "b"), "this file system has no exchange")
        #expect(try directory.tree() == ["a/2": "2", "b/1": "1"])
        try directory.rename("b", to: other, as: "b")
        #expect(try directory.exchange("a", with: other, "b"))
        #expect(try directory.tree() == ["a/1": "1", "other/b/2": "2"])
        #expect(fileError { _ = try directory.exchange("a", with: other, "z") }?.isMissing == true)
    }

    @Test func `a file can have a second name`() throws {
        let other = try directory.createDirectory("other")
        try directory.put("a", "1")
        try directory.link("a", to: other, as: "b")
        try directory.remove("a")
        #expect(try directory.tree() == ["other/b": "1"])
        try directory.put("c", "2")
        #expect(fileError { try directory.link("c", to: other, as: "b") }?.isExisting == true)
        #expect(fileError { try directory.link("z", to: other, as: "d") }?.isMissing == true)
    }

    // MARK: Removing

    @Test func `a tree is removed completely`() throws {
        try directory.put("a/b/c/d", "1")
        try directory.put("a/e", "2")
        try directory.put("f", "3")
        #expect(fileError { try directory.remove("a") } != nil)
        try directory.removeTree("a")
        try directory.removeTree("nothing")
        #expect(try directory.tree() == ["f": "3"])
        try directory.removeTree("f")
        #expect(try directory.entries().isEmpty)
        #expect(fileError { try directory.remove("f") }?.isMissing == true)
    }

    @Test func `files with names that are not UTF-8 are removed`() throws {
        try directory.makeDirectory("a")
        let names: [[UInt8]] = [[0xFF], [0xFE, 0x2E], [0x61, 0xC3]]
        let inner = try directory.openDirectory("a")
        for name in names { try inner.putFile(named: name) }
        #expect(try inner.entries().count == names.count)
        try directory.removeTree("a")
        #expect(try directory.entries().isEmpty)
    }

    // MARK: Paths

    @Test func `a directory with a path of any length has a short path`() throws {
        let part = String(repeating: "x", count: 200)
        // A path of 6,000 bytes is longer than any system call accepts.
        var deep = directory
        for _ in 0..<30 { deep = try deep.createDirectory(part) }
        try deep.put("file", "deep")
        #expect(deep.path.utf8.count > 6000)
        #expect(fileError { _ = try Directory.open(deep.path) } != nil)
        #expect(deep.shortPath.utf8.count < 30)
        #expect(try Directory.open(deep.shortPath).text("file") == "deep")
        #expect(try String(contentsOfFile: deep.shortPath + "/file", encoding: .utf8) == "deep")
        try directory.removeTree(part)
        #expect(try directory.entries().isEmpty)
    }

    @Test func `paths in messages are absolute`() throws {
        #expect(directory.path(of: "a/b") == folder.path + "/a/b")
        #expect(try Directory.open("/").path(of: "a") == "/a")
        #expect(try directory.createDirectory("a").path == folder.path + "/a")
    }

    @Test func `the free space is known, and a sync succeeds`() throws {
        #expect(try directory.freeSpace() > 0)
        try directory.put("a", "1")
        try directory.sync()
        try directory.syncFileSystem()
    }

    @Test func `a directory is identified by its inode and not by its name`() throws {
        let folder = try TemporaryFolder()
        let root = folder.directory
        let (a, b) = (try root.createDirectory("a"), try root.createDirectory("b"))
        #expect(try root.holds(a, as: "a") && !root.holds(a, as: "b") && !root.holds(a, as: "c"))
        #expect(try a.isInPlace && b.isInPlace)
        try root.rename("a", to: root, as: "c")
        #expect(try !root.holds(a, as: "a") && root.holds(a, as: "c") && !a.isInPlace)
        try root.putLink("a", to: "c")
        #expect(try !root.holds(a, as: "a"), "a link is not its target")
        try root.removeTree("b")
        _ = try root.createDirectory("b")
        #expect(try !root.holds(b, as: "b") && !b.isInPlace)
    }

    @Test func `a directory whose identity can't be read is not taken for another one`() throws {
        let folder = try TemporaryFolder()
        let a = try folder.directory.createDirectory("a")
        // A name that no file system accepts is one of the errors that say nothing about the directory.
        #expect(throws: StoreError.self) { try folder.directory.holds(a, as: String(repeating: "x", count: 300)) }
    }
}
