import Foundation
import StoreModel
import Testing

/// Tests the complete path of packs of images: published with `storehouse`, served by nginx, installed into a home.
@Suite struct InstallTests {
    /// The sticker packs in `Tests/Packs`: one of WebP and one of PNG images, drawn for these tests.
    private static let names = ["faces", "weather"]

    private static func source(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Packs/" + name).standardizedFileURL
            .path
    }

    @Test func `two packs of images are installed by one command, byte for byte`() async throws {
        let store = try await TestStore()
        for name in Self.names {
            try await store.storehouse("add", store.path, Self.source(name), "--id", "example." + name)
        }
        try await store.publish()
        let server = try await NginxServer(serving: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let installed = try await home.must("install", "example.faces", "example.weather", "--json").json
        #expect(installed["results"]?.elements.map { $0["end"].text } == ["finished", "finished"])

        let packs = try await home.packs()
        #expect(packs.keys.sorted() == ["example.faces", "example.weather"])
        for name in Self.names {
            let pack = try #require(packs["example." + name])
            let path = try #require(pack["path"].text)
            #expect(path == home.path + "/data/packs/example.\(name).stickers")
            let images = try FileManager.default.contentsOfDirectory(atPath: Self.source(name))
            #expect(images.count == 4)
            var size = 0
            for image in images {
                let original = try #require(FileManager.default.contents(atPath: Self.source(name) + "/" + image))
                #expect(FileManager.default.contents(atPath: path + "/" + image) == original, "\(image)")
                size += original.count
            }
            #expect(pack["size"].number == Double(size))
            #expect(pack["state"].elements.map(\.text) == ["Downloaded", "Free"])
        }
        #expect(home.entries("data/staging").isEmpty)
        #expect(home.entries("cache/partial").isEmpty)
    }
}
