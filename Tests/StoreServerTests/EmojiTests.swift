import FoundationEssentials
import StoreAPI
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct EmojiTests {
    private let home: APITestServer
    private let set = "/v1/emoji/:id"
    private let images = "/v1/emoji/:id/images/:number"

    init() throws {
        home = try APITestServer()
        let packs = try home.folder.directory.createDirectory("home/data/packs")
        try packs.put("faces.emoji/1f600.png", Data(ImageForge.png()))
        try packs.put("faces.emoji/1f601.png", Data(ImageForge.svg("<circle r='1'/>")))
    }

    @Test func `a front-end gets the emoji of a set, and their images`() async throws {
        try await home.serve { client in
            let list: EmojiSetList = try await client.ask("GET", "/v1/emoji").json()
            #expect(list.sets.map(\.productIdentifier) == ["faces"])
            let faces: EmojiSet = try await client.ask("GET", set, "faces").json()
            #expect(faces.emoji.map(\.text) == ["😀", "😁"] && faces == list.sets.first)
            let first = try await client.ask("GET", images, "faces", "0")
            #expect(first.status == 200 && first.body == ImageForge.png())
            #expect(first.headers["content-type"] == "image/png")
            let tag = try #require(first.headers["etag"])
            #expect(try await client.ask("GET", images, "faces", "0", headers: ["If-None-Match": tag]).status == 304)
            // The content determines the media type, not the name.
            let second = try await client.ask("GET", images, "faces", "1")
            #expect(second.headers["content-type"] == "image/svg+xml")
            #expect(second.headers["x-content-type-options"] == "nosniff")
            #expect(second.headers["content-security-policy"]?.hasSuffix("sandbox") == true)
            let missing = try await client.ask("GET", images, "faces", "2")
            #expect(missing.status == 404)
            #expect(try missing.json(ProblemDocument.self).code == "request.file")
            let none = try await client.ask("GET", set, APITestServer.products[0])
            #expect(none.status == 404)
            #expect(try none.json(ProblemDocument.self).code == "pack.not-installed")
        }
    }
}
