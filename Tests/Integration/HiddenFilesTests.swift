import Foundation
import StoreTestSupport
import Testing

/// Tests that the programs leave hidden files out of packs, and say so.
@Suite struct HiddenFilesTests {
    @Test func `storehouse leaves hidden files out of an archive and names them`() async throws {
        let store = try await TestStore()
        let pack = try store.folder.directory.createDirectory("cups")
        try pack.put("a.png", TestStore.bytes(100, seed: 1))
        try pack.put(".git/config", "[core]\n\tfsmonitor = ./run\n")
        // A file that no sticker pack may contain, as git's objects are.
        try pack.put(".git/objects/ab", Data([0x78, 1, 0, 0, 2]))
        try pack.put("in/Thumbs.db", Data([0, 1, 2]))
        let added = try await store.storehouse("add", store.path, store.folder.path + "/cups")
        #expect(added.output.contains("Added 'cups'"))
        #expect(added.errors.contains("warning:") && added.errors.contains("'.git'"))
        #expect(!added.errors.contains("Thumbs.db") && !added.errors.contains("config"))
        try await store.publish()

        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        #expect(Set(home.files(of: "cups.stickers").keys) == ["a.png"])
    }

    @Test func `storectl leaves hidden files of a local ZIP out and names them`() async throws {
        let home = try TestHome()
        let zip = ZipForge().file("a.png", ImageForge.gif()).file(".git/config").file(".git/HEAD").file(".DS_Store")
        try home.folder.directory.put("own.zip", Data(zip.build()))
        let installed = try await home.must("install", home.folder.path + "/own.zip", "--unsigned")
        #expect(installed.errors.contains("warning:") && installed.errors.contains("'.git'"))
        #expect(!installed.errors.contains(".DS_Store"))
        #expect(Set(home.files(of: "own.stickers").keys) == ["a.png"])
        try await home.must("verify", "own")
    }
}
