import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// An emoji set from its images to a user's screen, with the programs.
@Suite(.hangGuard) struct EmojiSetTests {
    private static let order = """
        <emojis total="2">
          <category name="Smileys">
            <emoji unicode="1F600"><image file="a.png"/><name language="en">grinning face</name></emoji>
          </category>
          <category name="People">
            <emoji unicode="1F468 200D 1F33E" image="b.png"><keywords language="en">farmer | man</keywords></emoji>
          </category>
        </emojis>
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.directory.put("set/order.xml", Self.order)
        try folder.directory.put("set/a.png", Data(ImageForge.png(1, 2)))
        try folder.directory.put("set/b.png", Data(ImageForge.png(3, 4)))
    }

    private func storehouse(_ arguments: String...) async throws -> Programs.Result {
        try await Programs.run("storehouse", ["emoji"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test func `a file that does not exist is named with a hint`() async throws {
        let (missing, out) = (folder.path + "/none", folder.path + "/out")
        let calls = [
            ["check", missing], ["check", missing + ".xml"], ["unpack", missing, "--into", out],
            ["compile", missing + ".xml", "--into", out],
            ["compile", folder.path + "/set", "--order", missing, "--into", out],
        ]
        for call in calls {
            let result = try await Programs.run("storehouse", ["emoji"] + call, environment: ["PATH": "/usr/bin:/bin"])
            #expect(result.exit == 3 && result.errors.hasPrefix("error: there is no file '\(missing)"), "\(result)")
            #expect(result.errors.contains("\nhint: "), "\(call): \(result)")
        }
    }

    @Test func `a compiled set is published, installed, used, searched and shown`() async throws {
        let compiled = folder.path + "/faces.emojiset"
        let result = try await storehouse("compile", folder.path + "/set/order.xml", "--into", compiled)
        #expect(result.exit == 0 && result.output.hasPrefix("Compiled 2 emoji into '\(compiled)'"), "\(result)")
        let store = try await TestStore()
        let bytes = try Data(contentsOf: URL(filePath: compiled))
        try await store.add("org.example.faces", kind: "emoji", files: ["faces.emojiset": bytes])
        try await store.publish()

        let home = try TestHome()
        try await home.must("store", "add", "main", "file://\(store.publicPath)/", "--unsigned")
        try await home.must("install", "org.example.faces")
        let unused = try await home.storectl("emoji", "show")
        #expect(unused.exit == 3 && unused.errors.hasPrefix("error: no emoji set is in use\nhint: "), "\(unused)")
        let used = try await home.must("emoji", "use", "org.example.faces")
        #expect(used.output == "Using the emoji set 'org.example.faces'.\n")
        #expect(try await home.must("config", "get", "emoji.set").output.contains("org.example.faces"))
        #expect(try await home.must("emoji", "list").output.contains("In Use"))
        #expect(try await home.must("emoji", "show").output == "Smileys (1)\n  😀\nPeople (1)\n  👨‍🌾\n")
        let found = try await home.must("emoji", "search", "farm", "--json").json
        #expect(found["emoji"]?.elements.compactMap { $0["emoji"].text } == ["👨‍🌾"])
        let picture = folder.path + "/picture.png"
        try await home.must("emoji", "picture", "👨🏽‍🌾", "--output", picture)
        #expect(Array(try Data(contentsOf: URL(filePath: picture))) == ImageForge.png(3, 4))
        let missing = try await home.storectl("emoji", "picture", "1f602", "--output", picture)
        #expect(missing.exit == 3 && missing.errors.contains("has no image of the emoji 😂 (1F602)"), "\(missing)")
        let refused = try await home.storectl("uninstall", "org.example.faces")
        #expect(refused.exit == 7 && refused.errors.contains("is in use"), "\(refused)")
        try await home.must("emoji", "reset")
        try await home.must("uninstall", "org.example.faces")
        try await home.must("daemon", "stop")
    }

    @Test(arguments: ["1", "2"]) func `an unpacked set is compiled to the same bytes`(format: String) async throws {
        try folder.directory.put(
            "set/order.xml", format == "1" ? Self.order.replacing("1F468 200D 1F33E", with: "1F468") : Self.order)
        let (first, second, unpacked) = (folder.path + "/first", folder.path + "/second", folder.path + "/unpacked")
        func must(_ result: Programs.Result) throws { try #require(result.exit == 0, "\(result)") }
        try must(await storehouse("compile", folder.path + "/set/order.xml", "--into", first, "--format", format))
        try must(await storehouse("unpack", first, "--into", unpacked))
        try must(await storehouse("compile", unpacked + "/order.xml", "--into", second, "--format", format))
        #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: second)))
        let checked = try await storehouse("check", first)
        #expect(checked.exit == 0 && checked.output.contains("format \(format), 2 emoji"), "\(checked)")
        let again = try await storehouse("unpack", first, "--into", unpacked)
        #expect(again.exit == 7 && again.errors.contains("is not empty"), "\(again)")
    }

    @Test(DrawnFont.needsFontTools)
    func `a set is compiled from the SVG images of a font, without those that are refused`() async throws {
        let head = #"<svg xmlns="http://www.w3.org/2000/svg">"#
        let document = #"\#(head)<g id="glyph1"><circle r="9"/></g><g id="glyph2"><script/></g></svg>"#
        let font = DrawnFont(documents: [.init(document, 1...2, isCompressed: true)])
        let path = try await font.build(in: folder)
        try folder.directory.put(
            "order.txt",
            """
            # group: Faces
            # subgroup: all
            1F600 ; fully-qualified # 😀 E1.0 grinning face
            1F601 ; fully-qualified # 😁 E1.0 beaming face
            1F602 ; fully-qualified # 😂 E1.0 tears
            """)
        let compiled = folder.path + "/drawn.emojiset"
        let result = try await storehouse(
            "compile", path, "--order", folder.path + "/order.txt", "--into", compiled)
        #expect(result.exit == 0 && result.output.hasPrefix("Compiled 1 emoji into"), "\(result)")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(result.errors)")
        #expect(lines.contains { $0.hasPrefix("warning: 😁 (1F601) is left out: invalid SVG image: ") })
        #expect(lines.contains("warning: the font does not draw 😂 (1F602) as one image"))
        let checked = try await storehouse("check", compiled)
        #expect(checked.exit == 0 && checked.output.contains("format 2, 1 emoji"), "\(checked)")
        let unpacked = try await storehouse("unpack", compiled, "--into", folder.path + "/unpacked")
        #expect(unpacked.exit == 0, "\(unpacked)")
        let svg = try folder.directory.text("unpacked/1f600.svg")
        #expect(svg.contains(#"viewBox="0 -800 1000 1000""#) && svg.contains(#"<circle r="9"/>"#), "\(svg)")
    }

    @Test func `mistakes are named with their place, and what is expected there`() async throws {
        let (source, compiled) = (folder.path + "/set/order.xml", folder.path + "/set.bin")
        let large = try await storehouse("compile", source, "--into", compiled, "--format", "1")
        #expect(large.exit == 5 && large.errors.contains("emoji 1F468 200D 1F33E: it has 3 code points"), "\(large)")
        let rest = try await storehouse("compile", source, "--into", compiled, "--format", "1", "--leave-out")
        #expect(
            rest.exit == 0 && rest.output.hasPrefix("Compiled 1 emoji") && rest.errors.hasPrefix("warning: "), "\(rest)"
        )
        #expect(try await storehouse("compile", source, "--into", compiled).exit == 0)
        var bytes = try Data(contentsOf: URL(filePath: compiled))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: compiled))
        let damaged = try await storehouse("check", compiled)
        #expect(damaged.exit == 5 && damaged.output.contains("section 'data', bytes "), "\(damaged)")
        #expect(damaged.output.contains(": expected the checksum "))
        try folder.directory.put("set/order.xml", "<emojis>\n<emoji/></emojis>")
        let mistake = try await storehouse("check", source)
        #expect(
            mistake.exit == 5 && mistake.errors.contains("order.xml:2: expected an element 'category'"), "\(mistake)")
        try folder.directory.put("font.ttf", "no font")
        let font = try await storehouse("compile", folder.path + "/font.ttf", "--into", compiled)
        #expect(font.exit == 5 && font.errors.contains("hint: pass Unicode's file emoji-test.txt"), "\(font)")
    }
}
