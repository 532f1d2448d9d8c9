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
            // An SVG has every size itself.
            let small = try await client.ask("GET", images, "faces", "1", query: "?size=64")
            #expect(small.status == 200 && small.body == second.body)
            let missing = try await client.ask("GET", images, "faces", "2")
            #expect(missing.status == 404)
            #expect(try missing.json(ProblemDocument.self).code == "request.file")
            let none = try await client.ask("GET", set, APITestServer.products[0])
            #expect(none.status == 404)
            #expect(try none.json(ProblemDocument.self).code == "pack.not-installed")
        }
    }

    @Test func `an image is found by the emoji or its code points, and has an entity tag`() async throws {
        let pictures = "/v1/emoji/:id/pictures/:emoji"
        try await home.serve { client in
            for emoji in ["1f600", "1F600-FE0F", "😀"] {
                let picture = try await client.ask("GET", pictures, "faces", emoji)
                #expect(picture.status == 200 && picture.body == ImageForge.png(), "\(emoji) \(picture.text)")
                #expect(picture.headers["content-type"] == "image/png")
                let tag = try #require(picture.headers["etag"])
                let again = try await client.ask("GET", pictures, "faces", emoji, headers: ["If-None-Match": tag])
                #expect(again.status == 304)
            }
            for (emoji, status, code) in [("1f602", 404, "emoji.not-found"), ("\n", 400, "emoji.invalid")] {
                let problem = try await client.ask("GET", pictures, "faces", emoji)
                #expect(problem.status == status)
                #expect(try problem.json(ProblemDocument.self).code == code)
            }
        }
    }

    @Test func `a front-end chooses a set, and draws the emoji of a text with it`() async throws {
        try await home.serve { client in
            let none: EmojiUse = try await client.ask("GET", "/v1/emoji-set").json()
            #expect(none == EmojiUse(set: nil, chosen: nil))
            let used: EmojiUse = try await client.ask("PUT", "/v1/emoji-set", body: #"{"identifier":"faces"}"#).json()
            #expect(used == EmojiUse(set: "faces", chosen: "faces"))
            let body = #"{"text":"é :-D 😀 :smile: 🦄"}"#
            let text: MessageTextDocument<EmojiTextSpan> = try await client.ask("POST", "/v1/emoji-text", body: body)
                .json()
            #expect(text.unit == .utf16)
            #expect(text.spans.map(\.emoji) == ["😃", "😀", "😄", "🦄"])
            #expect(text.spans.map { $0.start..<$0.end } == [2..<5, 6..<8, 9..<16, 17..<19])
            #expect(text.spans.map(\.image) == [nil, "/v1/emoji/faces/pictures/1f600", nil, nil])
            let unused: EmojiUse = try await client.ask("DELETE", "/v1/emoji-set").json()
            #expect(unused == EmojiUse(set: nil, chosen: nil))
        }
    }

    @Test func `a set is listed by category, and searched`() async throws {
        try await home.serve { client in
            let list: EmojiCategoryList = try await client.ask("GET", "/v1/emoji/:id/categories", "faces").json()
            #expect(list.categories == [EmojiCategory(name: nil, subgroups: [.init(name: "", emoji: ["😀", "😁"])])])
            let search = "/v1/emoji/:id/search"
            let found: EmojiMatchList = try await client.ask("GET", search, "faces", query: "?words=grinning+smil")
                .json()
            #expect(found.emoji.map(\.emoji) == ["😁"] && found.emoji[0].name == "grinning face with smiling eyes")
            let one: EmojiMatchList = try await client.ask("GET", search, "faces", query: "?words=face&limit=1").json()
            #expect(one.emoji.map(\.emoji) == ["😀"])
            let nothing: EmojiMatchList = try await client.ask("GET", search, "faces").json()
            #expect(nothing.emoji.isEmpty)
        }
    }
}
