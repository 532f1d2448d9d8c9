import Foundation
import StoreModel
import Testing

/// Tests the complete path of real packs: published with `storehouse`, served by nginx, installed into a home.
@Suite struct InstallTests {
    /// Real sticker packs of another application, which are beside the repository on development machines.
    static let content = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/content")
        .standardizedFileURL.path

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: content), "there is no shared content beside the repository"))
    func `two real packs are installed by one command, byte for byte`() async throws {
        let store = try await TestStore()
        for number in ["1", "2"] {
            try await store.storehouse(
                "add", store.path, Self.content + "/whatsapp/" + number, "--id", "whatsapp." + number)
        }
        try await store.publish()
        let server = try await NginxServer(serving: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let installed = try await home.must("install", "whatsapp.1", "whatsapp.2", "--json").json
        #expect(installed["results"]?.elements.map { $0["end"].text } == ["finished", "finished"])

        let packs = try await home.packs()
        #expect(packs.keys.sorted() == ["whatsapp.1", "whatsapp.2"])
        for number in ["1", "2"] {
            let source = Self.content + "/whatsapp/" + number
            let pack = try #require(packs["whatsapp." + number])
            #expect(pack["path"].text == home.path + "/data/packs/whatsapp.\(number).stickers")
            var size = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: source) {
                let original = try #require(FileManager.default.contents(atPath: source + "/" + name))
                #expect(FileManager.default.contents(atPath: pack["path"].text! + "/" + name) == original, "\(name)")
                size += original.count
            }
            #expect(pack["size"].number == Double(size))
            #expect(pack["state"].elements.map(\.text) == ["Downloaded", "Free"])
        }
        #expect(home.entries("data/staging").isEmpty)
        #expect(home.entries("cache/partial").isEmpty)
    }
}
