import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The library's pages of a real daemon without JavaScript: links and forms alone.
@Suite(.hangGuard) struct LibraryPagesTests {
    private let home: TestHome
    private let store: TestStore

    /// Installs `cats` and `dogs`, of two files each, and places `mine` by hand.
    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        store = try await TestStore()
        for name in ["cats", "dogs"] { try await add(name) }
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "cats", "dogs")
        let mine = home.path + "/data/packs/mine.stickers"
        try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
        try TestStore.bytes(2000, seed: 7).write(to: URL(filePath: mine + "/a.png"))
    }

    private func add(_ identifier: String, version: String = "1.0.0") async throws {
        let seed = UInt64(version.utf8.first ?? 0)
        try await store.add(
            identifier, version: version, information: #"{"name":{"en":"The \#(identifier)"}}"#,
            files: ["a.png": TestStore.bytes(2000, seed: seed), "b.png": TestStore.bytes(3000, seed: seed)])
    }

    /// Changes a byte of a file of an installed pack.
    private func damage(_ pack: String, _ file: String) throws {
        let url = URL(filePath: home.path + "/data/packs/\(pack).stickers/\(file)")
        var bytes = try Data(contentsOf: url)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: url)
    }

    @Test func `the history has all operations in pages that stay as they are, and those on one product`() async throws
    {
        // Besides the two installations of the setup, 52 operations.
        for _ in 0..<13 {
            try await home.must("uninstall", "cats", "dogs")
            try await home.must("install", "cats", "dogs")
        }
        let client = try await WebClient.logIn(home)
        func rows(_ page: WebClient.Answer) -> [String] {
            page.body.matches(of: /<tr><td>.*?<\/tr>/).map { String($0.output) }
        }
        func link(_ kind: String, on page: WebClient.Answer) throws -> String {
            let found = page.body.matches(of: /href="([^"]*)" rel="([a-z]*)"/).first { $0.2 == kind }
            return try #require(found.map { String($0.1).replacing("&amp;", with: "&") }, "\(kind): \(page)")
        }
        let newest = try await client.get("/library/history")
        #expect(newest.status == 200 && rows(newest).count == 50 && !newest.body.contains("rel=\"prev\""))
        let older = try link("next", on: newest)
        let second = try await client.get(older)
        #expect(rows(second).count == 4 && !second.body.contains("rel=\"next\""), "\(second)")
        // What begins later does not move the page.
        try await home.must("uninstall", "cats")
        #expect(try await rows(client.get(older)) == rows(second))
        let newer = try await client.get(link("prev", on: second))
        #expect(rows(newer) == rows(newest) && newer.body.contains("rel=\"prev\""), "\(newer)")
        let back = try await client.get(link("prev", on: newer))
        #expect(rows(back).count == 50 && rows(back)[0].contains("cats") && !back.body.contains("rel=\"prev\""))

        let dogs = try await client.get("/library/history?product=dogs")
        #expect(rows(dogs).count == 27 && rows(dogs).allSatisfy { $0.contains("<bdi>dogs</bdi>") }, "\(dogs)")
        #expect(dogs.body.contains("<h1>History of The dogs</h1>"), "\(dogs)")
        for path in ["/library/history?product=none", "/library/history?before=none"] {
            let none = try await client.get(path)
            #expect(none.status == 200 && none.body.contains("There are no entries."), "\(none)")
        }
        #expect(try await client.get("/library").body.contains(#"href="/library/history?product=dogs""#))
        #expect(try await client.get("/store/shop/cats").body.contains(#"href="/library/history?product=cats""#))
    }

    @Test func `a pack of a file or of a removed store has a page, and its removal there leads to the library`()
        async throws
    {
        let information = #"{"productIdentifier":"org.example.mugs","name":{"en":"The mugs"}}"#
        let archive = ZipForge().file("pack.json", Array(information.utf8)).file("a.png", ImageForge.gif()).build()
        let file = home.folder.path + "/mugs.zip"
        try Data(archive).write(to: URL(filePath: file))
        try await home.must("install", file, "--unsigned")
        let client = try await WebClient.logIn(home)
        func remove(_ product: String, on page: String) async throws -> WebClient.Answer {
            try await client.post("/actions/packs/\(product)/remove", "", ["Referer": client.origin + page])
        }
        // The page of a product that can be installed again stays.
        let kept = try await remove("dogs", on: "/store/shop/dogs")
        #expect(kept.status == 303 && kept.headers["location"] == "/store/shop/dogs", "\(kept)")
        try await home.must("store", "remove", "shop")
        for (product, page, name) in [
            ("org.example.mugs", "/store/local/org.example.mugs", "The mugs"), ("cats", "/store/shop/cats", "The cats"),
        ] {
            #expect(try await client.get("/library").body.contains("<a href=\"\(page)\"><bdi>\(name)</bdi>"))
            let shown = try await client.get(page)
            #expect(shown.status == 200 && shown.body.contains("<h1><bdi>\(name)</bdi></h1>"), "\(shown)")
            #expect(!shown.body.contains("unsigned store"), "\(shown)")
            let removed = try await remove(product, on: page)
            #expect(removed.status == 303 && removed.headers["location"] == "/library", "\(removed)")
        }
        #expect(try await home.packs().keys.sorted() == ["mine"])
    }

    @Test func `several packs are held and released at once, and each that can't be has its reason`() async throws {
        let client = try await WebClient.logIn(home)
        let back = ["Referer": client.origin + "/library"]
        func held() async throws -> [String] {
            try await home.packs().filter { $0.value["held"] == .bool(true) }.keys.sorted()
        }
        let some = try await client.post("/actions/holds", "select:cats=true&select:dogs=true&hold=true", back)
        #expect(some.status == 303 && some.headers["location"] == "/library", "\(some)")
        #expect(try await held() == ["cats", "dogs"])
        let mixed = try await client.post(
            "/actions/holds", "select:dogs=true&select:mine=true&select:none=true&hold=false", back)
        #expect(mixed.status >= 400 && mixed.body.contains("These packs are released now: The dogs"), "\(mixed)")
        #expect(mixed.body.components(separatedBy: "notice error").count == 3, "\(mixed)")
        #expect(mixed.body.contains("<bdi>mine</bdi>: ") && mixed.body.contains("<bdi>none</bdi>: "), "\(mixed)")
        #expect(try await held() == ["cats"])
        let nothing = try await client.post("/actions/holds", "hold=true", back)
        #expect(nothing.status == 200 && nothing.body.contains("No pack is selected."), "\(nothing)")
        let unclear = try await client.post("/actions/holds", "select:cats=true", back)
        #expect(unclear.status == 400 && unclear.body.contains("role=\"alert\""), "\(unclear)")
    }

    @Test func `a verification says what it found, and a form repairs the pack`() async throws {
        let client = try await WebClient.logIn(home)
        let back = ["Referer": client.origin + "/library"]
        let library = try await client.get("/library").body
        #expect(library.contains("Verify: The cats") && library.contains("mine"), "\(library)")
        #expect(!library.contains("Verify: mine"), "\(library)")
        let intact = try await client.get("/verification?select:cats=true", back)
        // Besides its two images, the pack has its information file.
        #expect(intact.body.contains("Intact: 3 files were compared with what was installed."), "\(intact)")
        #expect(intact.body.contains(#"<a href="/library" data-cancel>"#), "\(intact)")

        let before = home.files(of: "cats.stickers")
        try damage("cats", "b.png")
        let damaged = try await client.get("/verification?select:cats=true&select:mine=true&select:none=true", back)
        for part in [
            "b.png</bdi>: changed", "1 pack is damaged. 2 packs could not be verified.", "Repair: The cats",
        ] { #expect(damaged.body.contains(part), "\(part): \(damaged)") }
        #expect(!damaged.body.contains("Repair: mine"), "\(damaged)")
        // Looking repairs nothing.
        #expect(home.files(of: "cats.stickers") != before)
        let form = try PageForm(damaged.body)
        let referer = ["Referer": client.origin + "/verification?select:cats=true"]
        let repaired = try await client.post(form.action, form.body, referer)
        #expect(repaired.status == 303 && repaired.headers["location"] == "/library", "\(repaired)")
        // An installation joins the repair that runs.
        try await home.must("install", "cats")
        #expect(home.files(of: "cats.stickers") == before)
        let history = try await home.must("history", "cats", "--json").json
        #expect(history["operations"]?[0]["action"].text == "repair", "\(history)")
    }

    @Test func `consent is asked once for a plugin and what it needs, with the store, and nothing else is done`()
        async throws
    {
        func addPlugin(_ identifier: String, version: String = "1.0.0", _ information: String) async throws {
            try await store.add(
                identifier, version: version, kind: "plugin", information: information,
                files: ["README.txt": Data((identifier + version).utf8)])
        }
        try await addPlugin("compass", #"{"name":{"en":"The compass"},"permissions":["location"]}"#)
        try await addPlugin(
            "radio", #"{"name":{"en":"The radio"},"permissions":["network"],"dependencies":["compass"]}"#)
        try await store.publish()
        try await home.must("refresh")
        let client = try await WebClient.logIn(home)
        let back = ["Referer": client.origin + "/store/shop/radio"]
        #expect(try await client.get("/library").body.contains(#"<span class="mark">unsigned store</span>"#))
        func ask() async throws -> (page: WebClient.Answer, form: PageForm) {
            let page = try await client.post("/actions/downloads", "productIdentifier=radio&store=shop", back)
            return (page, try PageForm(page.body))
        }
        let (page, first) = try await ask()
        for part in [
            "<p>Store: <bdi>shop</bdi> <span class=\"mark\">unsigned store</span>", "Further packs",
            "<bdi>The radio</bdi>",
            "<bdi>The compass</bdi>", "use the network", "this product needs your consent", "Allow and install",
            #"<a href="/store/shop/radio" data-cancel>"#,
        ] { #expect(page.body.contains(part), "\(part): \(page)") }
        #expect(try await home.packs()["radio"] == nil)
        // Another version than that of the page.
        try await addPlugin(
            "radio", version: "2.0.0",
            #"{"name":{"en":"The radio"},"permissions":["network"],"dependencies":["compass"]}"#)
        try await store.publish()
        try await home.must("refresh")
        let changed = try await client.post(first.action, first.body, back)
        #expect(changed.body.contains("conflict.plan-changed"), "\(changed)")
        let form = try await ask().form
        let done = try await client.post(form.action, form.body, back)
        #expect(done.status == 303 && done.headers["location"] == "/store/shop/radio", "\(done)")
        try await home.must("install", "radio")
        #expect(try await home.packs()["radio"]?["version"].text == "2.0.0")
        #expect(try await home.packs()["compass"]?["permissions"].elements.map(\.text) == ["code", "location"])
    }
}
