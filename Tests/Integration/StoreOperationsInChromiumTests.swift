import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The buttons of the pages in a browser, each pressed with the mouse, and what they change in the page and in the daemon.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct StoreOperationsInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    private let browser: Chromium

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        browser = try Chromium()
        publish()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    /// Serves a store with small packs, a large one, one with a price, and an emoji set.
    private func publish(cats version: String = "1.0.0") {
        let faces = ZipForge().file("1f642.png", ImageForge.bytes(500, seed: 3)).build()
        let (cats, dogs) = (StoreDocuments.pack(version == "1.0.0" ? 1 : 2), StoreDocuments.pack(4, size: 400_000))
        let products: [(name: String, archive: [UInt8], members: [String: Any])] = [
            (
                "Cats", cats,
                ["version": version, "productResourceURL": "/cats-\(version).zip", "categories": ["animals"]]
            ),
            ("Cups", StoreDocuments.pack(5), ["popularity": 9]), ("Dogs", dogs, ["categories": ["animals"]]),
            ("Faces", faces, ["productType": "emoji"]),
            ("Gold", StoreDocuments.pack(6), ["productPrice": "1.99 EUR", "categories": ["animals"]]),
        ]
        StoreDocuments.formatTwo(
            products.map { name, archive, members in
                let path = members["productResourceURL"] as? String ?? "/\(name.lowercased()).zip"
                origin.serve(path, archive)
                return StoreDocuments.product(
                    "org.example.\(name.lowercased())", archive: archive, at: path,
                    with: members.merging(["productName": name]) { $1 })
            }, on: origin)
    }

    private func button(_ label: String) -> String { "document.querySelector('button[aria-label=\"\(label)\"]')" }

    private func card(_ name: String) -> String {
        "document.querySelector('[data-product=\"org.example.\(name)\"]')"
    }

    /// Waits until a product's part of the page has a text.
    private func until(_ name: String, _ text: String, in page: Page) async throws {
        try await page.until(
            "\(card(name))?.textContent.replace(/\\s+/g, ' ').includes(\(JSONValue.string(text).asWritten))")
    }

    private func download(_ name: String) async throws -> JSONValue {
        let downloads = try await home.must("downloads", "--json").json["downloads"]?.elements ?? []
        return try #require(downloads.last { $0["productIdentifier"].text == "org.example.\(name)" })
    }

    private func lastOperation(_ name: String) async throws -> [String?] {
        let operation = try #require(await home.history("org.example.\(name)").first)
        return [operation["action"].text, operation["end"].text]
    }

    private func has(_ name: String) async throws -> Bool { try await home.packs()["org.example.\(name)"] != nil }

    @Test func `buttons of the store install, pause, resume, cancel, try again and buy`() async throws {
        let page = try await browser.logIn(to: home)
        _ = try await page.value("window.isSamePage = true")
        try await page.click(on: button("Install: Cups"))
        try await until("cups", "Installed", in: page)
        #expect(try await has("cups"))
        #expect(try await lastOperation("cups") == ["install", "finished"])

        origin.always("/dogs.zip", .crawlAt(100_000))
        try await page.click(on: button("Install: Dogs"))
        try await page.until("\(card("dogs")).querySelector('progress').value > 0")
        try await page.click(on: button("Pause: Dogs"))
        try await page.until("\(card("dogs")).querySelector('[data-progress-text]').textContent === 'paused'")
        #expect(try await download("dogs")["activity"] == "paused")
        try await page.click(on: button("Resume: Dogs"))
        try await until("dogs", "downloading", in: page)
        #expect(try await download("dogs")["reason"] == .null)
        try await page.click(on: button("Cancel: Dogs"))
        try await page.until(button("Install: Dogs"))
        #expect(try await lastOperation("dogs") == ["install", "cancelled"])
        #expect(try await !has("dogs"))

        // A download that fails says why and what to do, until it is tried again.
        origin.always("/dogs.zip", .status(404))
        try await page.click(on: button("Install: Dogs"))
        try await page.until("\(card("dogs")).querySelector('.error')")
        let shown = try #require(await page.value("\(card("dogs")).querySelector('.error').textContent").text)
        let error = try await download("dogs")["error"]
        for part in ["message", "hint"] {
            let text = try #require(error[part].text)
            #expect(shown.lowercased().contains(text.lowercased()), "\(shown): \(text)")
        }
        #expect(try await lastOperation("dogs") == ["install", "failed"])
        origin.always("/dogs.zip")
        try await page.click(on: button("Install: Dogs"))
        try await until("dogs", "Installed", in: page)
        #expect(try await page.value("\(card("dogs")).querySelector('.error')") == .null)
        #expect(try await has("dogs"))

        #expect(try await page.value(button("Install: Gold")) == .null)
        try await page.click(on: button("Buy for 1.99 EUR: Gold"))
        try await page.until(button("Install: Gold"))
        let bought = try await home.must("purchases", "list", "--json").output
        #expect(bought.contains("org.example.gold"), "\(bought)")
        try await page.click(on: button("Install: Gold"))
        try await until("gold", "Installed", in: page)
        #expect(try await has("gold"))
        #expect(try await page.value("window.isSamePage") == true)
    }

    @Test(arguments: [false, true])
    func `a button that is pressed while the list changes is clicked`(isFocusElsewhere: Bool) async throws {
        let page = try await browser.logIn(to: home)
        // The press then takes the focus from another control.
        if isFocusElsewhere { _ = try await page.value("\(button("Install: Cats")).focus()") }
        _ = try await page.value(
            """
            document.addEventListener("store-event", ({ detail }) => {
              if (detail.productIdentifier === "org.example.cups" && detail.state === "Finished") window.hasChanged = true;
            })
            """)
        let place = try await page.hold(button("Install: Dogs"))
        try await home.must("install", "org.example.cups")
        try await page.until("window.hasChanged")
        // Time for what the script of the page would do.
        for _ in 0..<3 { _ = try await page.value("fetch(location.href).then((response) => response.text())") }
        #expect(try await page.value("\(card("cups")).textContent.includes('Installed')") == false)
        try await page.release(at: place)
        try await until("cups", "Installed", in: page)
        try await until("dogs", "Installed", in: page)
    }

    @Test func `buttons of the library update, roll back, hold, release, use, verify, repair and remove`() async throws
    {
        try await home.must("install", "org.example.cats", "org.example.cups", "org.example.faces")
        publish(cats: "2.0.0")
        try await home.must("refresh")
        let page = try await browser.logIn(to: home, at: "/library")
        _ = try await page.value("window.isSamePage = true")
        func cats(_ member: String) async throws -> JSONValue? { try await home.packs()["org.example.cats"]?[member] }

        try await page.click(on: button("Update: Cats"))
        try await page.click(on: "\(Page.dialog)?.querySelector('button.main')")
        try await until("cats", "version 2.0.0", in: page)
        #expect(try await cats("version") == "2.0.0")
        try await page.until("document.getElementById('updates').textContent.includes('All packs are up to date.')")
        try await page.click(on: button("Roll back: Cats"))
        try await until("cats", "version 1.0.0", in: page)
        #expect(try await cats("version") == "1.0.0")
        #expect(try await cats("held") == true)
        #expect(try await lastOperation("cats") == ["rollback", "finished"])
        // What is held is not among the updates of all packs.
        #expect(try await page.value("document.querySelector('#updates [name=\"pack:org.example.cats\"]')") == .null)
        try await page.click(on: button("Release: Cats"))
        try await page.until("document.querySelector('#updates [name=\"pack:org.example.cats\"]')")
        #expect(try await cats("held") == false)
        try await page.click(on: button("Hold: Cats"))
        try await until("cats", "· held", in: page)
        #expect(try await cats("held") == true)

        try await page.click(on: button("Use: Faces"))
        try await until("faces", "In use", in: page)
        #expect(try await home.must("config", "get", "emoji.set").output == "org.example.faces\n")

        // What is intact is reported; what is damaged is fetched again.
        try await page.click(on: button("Verify: Cups"))
        try await page.until("\(Page.dialogText)?.includes('Intact: 2 files were compared')")
        try await page.click(on: "\(Page.dialog).querySelector('[data-cancel]')")
        try await page.until("!\(Page.dialog)")
        #expect(try await page.value("document.activeElement === \(button("Verify: Cups"))") == true)
        let file = home.path + "/data/packs/org.example.cups.stickers/a.png"
        let content = try Data(contentsOf: URL(filePath: file))
        try Data("?".utf8).write(to: URL(filePath: file))
        try await page.click(on: button("Verify: Cups"))
        try await page.until("\(Page.dialogText)?.includes('a.png: changed')")
        try await page.click(on: button("Repair: Cups"))
        try await page.until("!\(Page.dialog)")
        try await eventually { try await lastOperation("cups") == ["repair", "finished"] }
        #expect(try Data(contentsOf: URL(filePath: file)) == content)

        try await page.click(on: button("Remove: Cups"))
        try await page.until("!\(card("cups"))")
        #expect(try await !has("cups"))
        #expect(try await page.value("window.isSamePage") == true)
    }

    @Test func `buttons of the settings save, reset, refresh and remove`() async throws {
        let page = try await browser.logIn(to: home, at: "/settings")
        let field = "document.getElementById('setting-downloads.attempts')"
        try await page.click(on: field)
        _ = try await page.value("\(field).select()")
        try await page.type("9")
        try await page.click(on: button("Save: downloads.attempts"))
        try await page.until(button("Reset: downloads.attempts"))
        #expect(try await home.must("config", "get", "downloads.attempts").output == "9\n")
        try await page.click(on: button("Reset: downloads.attempts"))
        try await page.until("!\(button("Reset: downloads.attempts"))")
        #expect(try await page.value("\(field).value") == "4")
        #expect(try await home.must("config", "get", "downloads.attempts").output == "4\n")
        // A value that is refused says why.
        try await page.click(on: field)
        _ = try await page.value("\(field).select()")
        try await page.type("many")
        try await page.press(.enter)
        try await page.until(
            "document.querySelector('#main .notice.error')?.textContent.includes('downloads.attempts')")
        #expect(try await home.must("config", "get", "downloads.attempts").output == "4\n")

        try await page.show("/settings")
        origin.remove("/catalogue.json")
        try await page.click(on: button("Refresh: shop"))
        try await page.until("document.querySelector('#store-shop .error, #main .notice.error')")
        try await page.show("/settings")
        _ = try await page.value("window.confirm = (text) => { window.asked = text; return false; }")
        try await page.click(on: button("Remove: shop"))
        #expect(try await page.value("window.asked") == "Remove the store shop? Installed packs stay.")
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.count == 1)
        _ = try await page.value("window.confirm = () => true")
        try await page.click(on: button("Remove: shop"))
        try await page.until("document.getElementById('stores').textContent.includes('No store is in use.')")
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.isEmpty == true)
    }

    @Test func `kind, category, price and order change the list and the address`() async throws {
        let page = try await browser.logIn(to: home)
        let names = "[...document.querySelectorAll('#results h2')].map(({ textContent }) => textContent).join()"
        #expect(try await page.value(names) == "Cats,Cups,Dogs,Faces,Gold")
        /// Presses an arrow key on a field of the search.
        func press(_ key: BrowserKey, times: Int = 1, on field: String) async throws {
            _ = try await page.value("document.querySelector('.search [name=\(field)]').focus()")
            for _ in 0..<times { try await page.press(key) }
        }
        try await press(.right, on: "category")
        try await page.until("\(names) === 'Cats,Dogs,Gold'")
        #expect(try await page.value("new URLSearchParams(location.search).get('category')") == "animals")
        #expect(try await page.value("document.getElementById('status').textContent") == "3 products")
        try await page.click(on: "document.querySelector('.search [name=free]')")
        try await page.until("\(names) === 'Cats,Dogs'")
        #expect(try await page.value("new URLSearchParams(location.search).get('free')") == "true")
        try await page.click(on: "document.querySelector('.search [name=free]')")
        try await page.until("\(names) === 'Cats,Dogs,Gold'")
        #expect(try await page.value("new URLSearchParams(location.search).get('free')") == .null)
        try await press(.left, on: "category")
        try await press(.right, times: 3, on: "kind")
        try await page.until("\(names) === 'Faces'")
        #expect(try await page.value("new URLSearchParams(location.search).get('kind')") == "emoji")
        try await press(.left, times: 3, on: "kind")
        try await press(.right, times: 2, on: "sort")
        try await page.until("\(names).startsWith('Cups') && document.querySelectorAll('.card').length === 5")
        #expect(try await page.value("new URLSearchParams(location.search).get('sort')") == "popular")
        // The address alone shows the same.
        try await press(.right, on: "category")
        try await page.until("document.querySelectorAll('.card').length === 3")
        let shown = try await page.value(names)
        try await page.show(try #require(await page.value("location.pathname + location.search").text))
        #expect(try await page.value(names) == shown)
        #expect(try await page.value("document.querySelector('.search [name=category]').value") == "animals")
    }
}
