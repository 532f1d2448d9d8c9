import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages of stickers and skins of a real daemon without JavaScript: links and forms alone.
@Suite(.hangGuard) struct StickerAndSkinPagesTests {
    private let home: TestHome
    private let packs: StickerPacks

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        packs = try await StickerPacks(installedIn: home)
    }

    /// Returns the identifiers of the packs on a page, in their order.
    private func order(_ page: WebClient.Answer) -> [String] {
        page.body.components(separatedBy: "data-pack=\"org.example.").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
    }

    /// Sends a form of the page of the stickers, and returns the page to which the response leads.
    private func send(_ path: String, _ form: String, _ client: WebClient) async throws -> WebClient.Answer {
        let answer = try await client.post(path, form, ["Referer": client.origin + "/stickers"])
        #expect(answer.status == 303 && answer.headers["location"] == "/stickers", "\(answer)")
        return try await client.get("/stickers")
    }

    @Test func `stickers are searched for, and become favourites and recent ones with forms alone`() async throws {
        let client = try await WebClient.logIn(home)
        let found = try await client.get("/stickers?q=wink")
        #expect(found.status == 200 && found.body.contains("1 sticker<"), "\(found)")
        #expect(found.body.contains(#"name="add" value="org.example.cups/wink""#), "\(found)")
        #expect(!found.body.contains("org.example.cups/smile"), "\(found)")
        // What the script requests while the user types is the part of the page with the results.
        let part = try await client.get("/stickers/results?q=wink")
        #expect(part.status == 200 && !part.body.contains("<html") && part.body.contains("org.example.cups/wink"))
        #expect(part.head.contains("content-security-policy: default-src 'none'"))
        let none = try await client.get("/stickers?q=%3Cb%3Enothing")
        #expect(
            none.body.contains("No sticker matches.") && none.body.contains("value=\"&lt;b&gt;nothing\""), "\(none)")

        let back = ["Referer": client.origin + "/stickers?q=wink"]
        let added = try await client.post("/actions/stickers/favourites", "add=org.example.cups%2Fwink", back)
        #expect(added.status == 303 && added.headers["location"] == "/stickers?q=wink", "\(added)")
        #expect(try await client.get("/stickers").body.contains(#"<section id="favourites""#))
        // A page that was loaded before a change elsewhere does no harm.
        for _ in 0..<2 {
            let page = try await send("/actions/stickers/favourites", "remove=org.example.cups%2Fwink", client)
            #expect(!page.body.contains(#"<section id="favourites""#), "\(page)")
        }

        let body = #"{"stickers":[{"productIdentifier":"org.example.cups","sticker":"smile"}]}"#
        let sent = try await client.send(
            "POST", "/v1/stickers/sent", ["Content-Type": "application/json", "Origin": client.origin], body: body)
        #expect(sent.status == 200, "\(sent)")
        #expect(try await client.get("/stickers").body.contains(#"<section id="recents""#))
        let forgotten = try await send("/actions/stickers/forget", "", client)
        #expect(!forgotten.body.contains(#"<section id="recents""#), "\(forgotten)")
    }

    @Test func `packs move with forms alone`() async throws {
        let client = try await WebClient.logIn(home)
        #expect(order(try await client.get("/stickers")) == ["cups", "moons", "spins"])
        let path = "/actions/stickers/order"
        for (form, expected) in [
            ("pack=org.example.spins&move=up", ["cups", "spins", "moons"]),
            ("pack=org.example.cups&move=down", ["spins", "cups", "moons"]),
            ("pack=org.example.spins&move=up", ["spins", "cups", "moons"]),
            ("pack=org.example.moons&before=org.example.spins", ["moons", "spins", "cups"]),
            ("pack=org.example.moons&before=", ["spins", "cups", "moons"]),
        ] { #expect(order(try await send(path, form, client)) == expected, "\(form)") }
        // The tray of the chat has the same order.
        let chat = try await client.get("/chat").body
        let places = ["spins", "cups", "moons"].map { chat.range(of: "tray-pack-org.example.\($0)")?.lowerBound }
        let found = places.compactMap { $0 }
        #expect(found.count == 3 && found == found.sorted())
    }

    @Test func `a form with a pack, a sticker or a move that is not known gets a page with the reason`() async throws {
        let client = try await WebClient.logIn(home)
        for (path, form, status) in [
            ("order", "pack=none&move=up", 404), ("order", "pack=org.example.cups&move=left", 400),
            ("order", "pack=org.example.cups", 400), ("favourites", "add=org.example.cups%2Fnone", 404),
            ("favourites", "add=nonsense", 400), ("favourites", "remove=nonsense", 400),
        ] {
            let answer = try await client.post("/actions/stickers/" + path, form)
            #expect(answer.status == status && answer.body.contains("role=\"alert\""), "\(form): \(answer)")
        }
        #expect(try await client.get("/stickers?pack=none").status == 404)
        #expect(order(try await client.get("/stickers")) == ["cups", "moons", "spins"])
    }

    @Test func `an emoji set is used with a form of the library, and the set in use says so`() async throws {
        for name in ["faces", "mine"] {
            let folder = home.path + "/data/packs/\(name).emoji"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(ImageForge.png(1, 1)).write(to: URL(filePath: folder + "/1f600.png"))
        }
        let client = try await WebClient.logIn(home)
        let back = ["Referer": client.origin + "/library"]
        let form = #"action="/actions/emoji"><input type="hidden" name="identifier" value="mine">"#
        #expect(try await client.get("/library").body.contains(form))
        for set in ["mine", "faces", "mine"] {
            let used = try await client.post("/actions/emoji", "identifier=\(set)", back)
            #expect(used.status == 303 && used.headers["location"] == "/library", "\(used)")
            #expect(try await home.must("config", "get", "emoji.set").output.contains(set))
        }
        let library = try await client.get("/library").body
        #expect(!library.contains(form) && library.contains(#"<span class="state">In use</span>"#), "\(library)")
        #expect(try await client.get("/chat").body.contains("<bdi>mine</bdi>"))
        let missing = try await client.post("/actions/emoji", "identifier=none", back)
        #expect(missing.status == 404 && missing.body.contains("role=\"alert\""), "\(missing)")
        #expect(try await home.must("config", "get", "emoji.set").output.contains("mine"))
        // A form without a set uses none.
        #expect(try await client.post("/actions/emoji", "", back).status == 303)
        #expect(try await client.get("/library").body.contains(form))
    }

    @Test func `a skin placed by hand is listed without a restart, and a malformed one with the reason`() async throws {
        let client = try await WebClient.logIn(home)
        try await home.must("skin", "list")
        for (name, files) in [
            "good": ["skin.xml": #"<skin identifier="good" name="Good"/>"#], "empty": [:],
            "cut": ["skin.xml": "<skin identifier='cut"],
            "broken": ["skin.xml": #"<skin identifier="broken" name="Broken"/>"#, "theme.xml": "<theme>"],
        ] {
            let folder = home.path + "/data/packs/\(name).purchasedTheme"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (file, text) in files { try Data(text.utf8).write(to: URL(filePath: folder + "/" + file)) }
        }
        let page = try await client.get("/skins").body
        for part in [
            "The skin &#39;cut.purchasedTheme&#39; can&#39;t be read:", "syntax error",
            "The skin &#39;empty.purchasedTheme&#39; can&#39;t be read: There is no &#39;skin.xml&#39;",
            "Add the file, or remove the directory.", #"aria-label="Use: Good""#, "theme.xml",
        ] { #expect(page.contains(part), "\(part): \(page)") }
        #expect(!page.contains(#"aria-label="Use: Broken""#) && !page.contains("/v1/skins/broken/picture"), "\(page)")
        let list = try await home.must("skin", "list")
        for part in [
            "could not read the skin '\(home.path)/data/packs/cut.purchasedTheme': ",
            "could not read the skin '\(home.path)/data/packs/broken.purchasedTheme': ",
            "hint: add the file, or remove the directory",
        ] { #expect(list.errors.contains(part), "\(part): \(list)") }
        let document = try await home.must("skin", "list", "--json").json
        let unreadable = document["unreadable"]?.elements.compactMap { $0["path"].text?.split(separator: "/").last }
        #expect(unreadable == ["broken.purchasedTheme", "cut.purchasedTheme", "empty.purchasedTheme"])
        #expect(document["skins"]?.elements.contains { $0["identifier"].text == "good" } == true)
    }

    @Test func `a skin is shown, tried and used with links and forms alone`() async throws {
        try await home.must("skin", "use", "light")
        let client = try await WebClient.logIn(home)
        let skins = try await client.get("/skins")
        for skin in ["light", "dark"] {
            #expect(skins.body.contains("src=\"/v1/skins/\(skin)/picture?version="), "\(skins)")
            let picture = try await client.get("/v1/skins/\(skin)/picture")
            #expect(picture.status == 200 && picture.headers["content-type"] == "image/svg+xml", "\(picture)")
            #expect(picture.head.contains("content-security-policy: default-src 'none'"))
        }
        let trial = try await client.get("/skins/dark")
        #expect(trial.status == 200 && trial.body.contains(#"href="/v1/skins/dark/css""#), "\(trial)")
        #expect(trial.body.contains("Use this skin") && trial.body.contains(#"href="/skins">Back"#), "\(trial)")
        let all = try await client.get("/v1/skins/dark/page")
        #expect(all.status == 200 && all.body.contains(#"href="css""#) && all.body.contains(#"data-events="""#))
        // None of that uses the skin.
        #expect(try await client.get("/v1/skin").body.contains(#""identifier":"light""#))
        let used = try await client.post(
            "/actions/skin", "identifier=dark", ["Referer": client.origin + "/skins/dark"])
        #expect(used.status == 303 && used.headers["location"] == "/skins/dark", "\(used)")
        #expect(!(try await client.get("/skins/dark").body.contains("Use this skin")))
        #expect(try await client.get("/chat?skin=light").body.contains(#"href="/v1/skins/light/css""#))
        #expect(try await client.get("/skins").body.contains("Use the default skin"))
        _ = try await client.post("/actions/skin", "", ["Referer": client.origin + "/skins"])
        #expect(try await client.get("/v1/skin").body.contains(#""identifier":"light""#))
        #expect(!(try await client.get("/skins").body.contains("Use the default skin")))
        for path in ["/skins/none", "/chat?skin=none"] {
            let missing = try await client.get(path)
            #expect(missing.status == 404 && missing.body.contains("role=\"alert\""), "\(missing)")
        }
    }
}
