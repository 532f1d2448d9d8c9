import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite(.hangGuard) struct NamedPartialFileTests {
    private let folder: TemporaryFolder
    private let bytes = OriginBytes.random(1000)

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String = "a") async throws -> NamedPartialFile {
        try await NamedPartialFile.open(name, in: folder.directory)
    }

    private func downloaded(_ named: NamedPartialFile) async throws -> DownloadedFile {
        try await named.partial.append(bytes)
        return DownloadedFile(
            size: named.partial.size, sha256: named.partial.sha256, resumedFrom: 0, source: nil, response: nil)
    }

    private func isUnlocked() async throws -> Bool {
        do {
            _ = try await open()
            return true
        } catch let error as StoreError where error.code == .partialFileBusy {
            return false
        }
    }

    @Test func `a file that is being downloaded is locked`() async throws {
        do {
            let first = try await open()
            let error = await transferError { _ = try await open() }
            #expect(error?.code == .partialFileBusy && error?.code.exitCode == .conflict)
            _ = try await open("b")
            try await first.partial.append(bytes)
        }
        // The bytes of the first one are there for the next. A process that another test starts has a copy of the locked
        // descriptor until it executes its program.
        try await eventually { try await isUnlocked() }
        #expect(try await open().partial.size == bytes.count)
    }

    @Test func `a file system without locks is no reason to fail`() async throws {
        let fileSystem = NamedPartialFile.FileSystem(tryLock: { file throws(StoreError) in
            .unsupported(StoreError(SystemCallError(function: "flock", errno: .noLocks), path: file.path))
        })
        let named = try await NamedPartialFile.open("a", in: folder.directory, fileSystem)
        try named.commit(try await downloaded(named))
        #expect(try Array(folder.directory.read("a")) == bytes)
    }

    @Test func `a file system without stable inode numbers is no reason to fail`() async throws {
        let fileSystem = NamedPartialFile.FileSystem(isSame: { _, _, _ in false })
        let named = try await NamedPartialFile.open("a", in: folder.directory, fileSystem)
        let error = await transferError { _ = try await open() }
        #expect(error?.code == .partialFileBusy, "it is locked nevertheless")
        try named.commit(try await downloaded(named))
        #expect(try Array(folder.directory.read("a")) == bytes)
    }

    @Test func `a file that others replace each time it is opened is busy`() async throws {
        let count = Atomic(0)
        let fileSystem = NamedPartialFile.FileSystem(
            tryLock: { [folder] file throws(StoreError) in
                // As if another process had completed a download meanwhile, and a third one had begun the next.
                try folder.directory.rename("a.part", to: folder.directory, as: "a", replacing: true)
                let number = count.add(1, ordering: .relaxed).newValue
                try folder.directory.openOrCreateFile("a.part").truncate(to: number)
                return .acquired
            })
        let error = await transferError {
            _ = try await NamedPartialFile.open("a", in: folder.directory, fileSystem)
        }
        #expect(error?.code == .partialFileBusy)
        #expect(count.load(ordering: .relaxed) > 2)
    }

    @Test(arguments: [false, true])
    func `a complete file gets its name, and nothing else is left`(isDurable: Bool) async throws {
        try folder.directory.put("a", "an older file")
        try folder.directory.put("a.part.ranges", "0-10 .")
        let named = try await open()
        try named.partial.restart()
        try named.commit(try await downloaded(named), isDurable: isDurable)
        #expect(try folder.directory.names() == ["a"])
        #expect(try Array(folder.directory.read("a")) == bytes)
        // The lock is that of the file, which has another name now.
        let next = try await open()
        #expect(next.partial.size == 0)
        #expect(try Array(folder.directory.read("a")) == bytes)
    }

    @Test func `a download that received nothing leaves no file`() async throws {
        try folder.directory.put("a.part.ranges", "")
        let empty = try await open()
        #expect(try empty.abandon() == 0)
        #expect(try folder.directory.names() == [])

        let begun = try await open()
        try await begun.partial.append(bytes)
        #expect(try begun.abandon() == bytes.count)
        #expect(try folder.directory.names().contains("a.part"))
    }

    @Test func `a file in place of the partial file is not removed`() async throws {
        let named = try await open()
        try folder.directory.remove("a.part")
        try folder.directory.put("a.part", "another file")
        #expect(try named.abandon() == 0)
        #expect(try folder.directory.names() == ["a.part"])
    }

    @Test func `a file that another program changed does not get its name`() async throws {
        let changes: [(Directory) throws -> Void] = [
            { try $0.remove("a.part") },
            {
                try $0.remove("a.part")
                try $0.put("a.part", "another file")
            },
            { try $0.openOrCreateFile("a.part").truncate(to: 10) },
            { try $0.openOrCreateFile("a.part").truncate(to: 2000) },
        ]
        for change in changes {
            // In a directory of its own: the hashing of the one before may hold its lock for a moment longer.
            let folder = try TemporaryFolder()
            let directory = folder.directory
            let named = try await NamedPartialFile.open("a", in: directory)
            let done = try await downloaded(named)
            try change(directory)
            let error = #expect(throws: StoreError.self) { try named.commit(done) }
            #expect(error?.code == .partialFileChanged)
            #expect(try !directory.has("a"))
        }
    }
}
