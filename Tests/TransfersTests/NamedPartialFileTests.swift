import StoreModel
import StoreSystem
import StoreTestSupport
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

    @Test func `a file that is being downloaded is locked`() async throws {
        do {
            let first = try await open()
            let error = await transferError { _ = try await open() }
            #expect(error?.code == .partialFileBusy && error?.code.exitCode == .conflict)
            _ = try await open("b")
            try await first.partial.append(bytes)
        }
        // The bytes of the first one are there for the next.
        #expect(try await open().partial.size == bytes.count)
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
            let named = try await open()
            try named.partial.restart()
            let done = try await downloaded(named)
            try change(folder.directory)
            let error = #expect(throws: StoreError.self) { try named.commit(done) }
            #expect(error?.code == .partialFileChanged)
            #expect(try !folder.directory.has("a"))
        }
    }
}
