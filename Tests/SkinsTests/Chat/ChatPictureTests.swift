import FoundationEssentials
import StoreSkins
import StoreSystem
import Testing

/// The picture of a chat in a skin.
@Suite struct ChatPictureTests {
    private let shelf: SkinShelf
    private let manager: SkinsManager

    init() throws {
        shelf = try SkinShelf()
        manager = SkinsManager(shelf.settings())
    }

    private func theme(_ instances: String) -> String { "<instances>\(instances)</instances>" }

    private func image(_ name: String) -> String {
        "<operation name=\"backgroundImage\"><param name=\"image\" type=\"image\">\(name)</param></operation>"
    }

    private func picture(_ identifier: String) async throws -> String {
        await manager.start()
        return try await manager.picture(of: identifier).svg
    }

    @Test func `it has the values and the images of the skin and of those that it inherits from, and no address`()
        async throws
    {
        let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#
        try shelf.put(
            "base",
            [
                "chat.xml": theme(
                    instance("uiview", "bubble_in_text", color("backgroundColor", "#aabbcc"))
                        + instance("uiview", "message_area", image("wall.svg"))),
                "assets/wall.svg": svg,
            ])
        try shelf.put(
            "night", parent: "base",
            [
                "chat.xml": theme(
                    instance("uiview", "bubble_out_text", color("backgroundColor", "#102030"))
                        // No part of the picture.
                        + instance("uiview", "store_list", color("backgroundColor", "#123456")))
            ])
        let picture = try await picture("night")
        #expect(
            picture.hasPrefix("<svg ") && picture.contains("bubble_in_text-backgroundColor: #aabbcc")
                && picture.contains("#102030"), "\(picture)")
        #expect(picture.contains("data:image/svg+xml;base64,\(Data(svg.utf8).base64EncodedString())"), "\(picture)")
        #expect(!picture.contains("store_list") && !picture.contains("{style}"), "\(picture)")
        let addresses = picture.components(separatedBy: "url(").dropFirst()
        #expect(addresses.allSatisfy { $0.hasPrefix("\"data:") }, "\(picture)")
        #expect(manager.skin.identifier == "base", "the skin in use stays")
    }

    @Test func `what is no image and what is too large is left out`() async throws {
        try shelf.put(
            "base",
            [
                "chat.xml": theme(
                    instance("uiview", "message_area", image("text.svg"))
                        + instance("uiview", "chat_window", image("large.svg"))),
                "assets/text.svg": "no image",
                "assets/large.svg": #"<svg xmlns="http://www.w3.org/2000/svg"/>"#
                    + String(repeating: " ", count: 1 << 20),
            ])
        let picture = try await picture("base")
        #expect(picture.components(separatedBy: "url(\"data:,\")").count == 3, "\(picture.prefix(3000))")
        #expect(picture.utf8.count < 20_000)
    }

    @Test func `an image counts once for each reference`() async throws {
        let head = #"<svg xmlns="http://www.w3.org/2000/svg"/>"#
        func size(_ bytes: Int) -> String { head + String(repeating: " ", count: bytes - head.utf8.count) }
        try shelf.put(
            "base",
            [
                "chat.xml": theme(
                    instance("uiview", "bubble_in_text", image("twice.svg"))
                        + instance("uiview", "chat_window", image("twice.svg"))
                        + instance("uiview", "header_bar", image("once.svg"))
                        + instance("uiview", "message_area", image("small.svg"))),
                "assets/twice.svg": size(600 << 10), "assets/once.svg": size(700 << 10),
                "assets/small.svg": size(300 << 10),
            ])
        let picture = try await picture("base")
        #expect(picture.components(separatedBy: "url(\"data:,\")").count == 3, "the image that is used twice")
        #expect(picture.components(separatedBy: "data:image/svg+xml;base64,").count == 3)
        #expect(picture.utf8.count < 3 << 19)
    }

    @Test func `a text of a skin can't end the style sheet`() async throws {
        // As the text of an XML file.
        let font = "&lt;/style>&lt;script>alert(1)&lt;/script>&amp;; 14; normal"
        try shelf.put(
            "base",
            [
                "chat.xml": theme(
                    instance(
                        "uilabel", "bubble_in_time",
                        "<operation name=\"font\"><param name=\"font\" type=\"font\">\(font)</param></operation>"))
            ])
        let picture = try await picture("base")
        #expect(!picture.contains("<script") && picture.components(separatedBy: "</style>").count == 2, "\(picture)")
        #expect(picture.contains("alert(1)"), "the value of the font is in the picture")
    }

    @Test func `a skin whose parent is missing has an error in place of a picture`() async throws {
        try shelf.put("base", [:])
        try shelf.put("orphan", parent: "gone", [:])
        await manager.start()
        await #expect(throws: (any Error).self) { try await manager.picture(of: "orphan") }
        let listing = await manager.listing()
        #expect(listing.defects.keys.sorted() == ["orphan"] && listing.unreadable.isEmpty)
        #expect(listing.defects["orphan"]?.message.contains("gone") == true)
    }
}
