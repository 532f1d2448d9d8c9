import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests of files that are never part of a pack: hidden ones, and those that file managers leave behind.
@Suite struct HiddenFileTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    private func files(of pack: String) throws -> [String] {
        try home.packs.openDirectory(pack).tree().keys.filter { $0 != Receipt.fileName }.sorted()
    }

    @Test(arguments: [".git/config", "in/.envrc", "autorun.inf"])
    func `a store's archive with a hidden file is not installed`(name: String) async throws {
        let store = try FileStore(.init("a", ["1.txt": "one", name: "[core]\n"]))
        let manager = try await home.open(using: store)
        #expect(try await manager.installed("a").error?.code == .archiveHiddenName)
        #expect(try await manager.packs.list().isEmpty)
        #expect(try home.isClear())
        await manager.close()
    }

    @Test func `litter in a store's archive is not installed`() async throws {
        let store = try FileStore(
            .init("a", ["p/1.txt": "one", "p/.DS_Store": "\0", "__MACOSX/p/._1.txt": "\0", "p/in/Thumbs.db": "\0"]))
        let manager = try await home.open(using: store)
        #expect(try await manager.installed("a").error == nil)
        #expect(try files(of: "a.stickers") == ["1.txt"])
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
    }

    @Test func `hidden files of a local file are not installed, and the result names them`() async throws {
        let content = [
            "1.svg": FileStore.image, ".git/config": "[core]\n", ".git/HEAD": "ref", "in/.envrc": "run",
            ".DS_Store": "\0",
        ]
        try home.folder.directory.put("own.zip", Data(FileStore.Product("x", content).zip))
        let manager = try await home.open()
        let installation = try await manager.installs.install(file: home.folder.path + "/own.zip")
        #expect(installation.leftOut == [".git", "in/.envrc"])
        #expect(try await manager.end(of: installation).error == nil)
        #expect(try files(of: "own.stickers") == ["1.svg"])
        try home.folder.directory.put("plain.zip", Data(FileStore.Product("x", ["1.svg": FileStore.image]).zip))
        let plain = try await manager.installs.install(file: home.folder.path + "/plain.zip")
        #expect(plain.leftOut.isEmpty)
        let document = String(decoding: try JSON.encode(plain), as: UTF8.self)
        #expect(document.contains(#""leftOut":[]"#) && document.contains(#""warnings":[]"#), "\(document)")
        try await manager.end(of: plain)
        await manager.close()
    }
}
