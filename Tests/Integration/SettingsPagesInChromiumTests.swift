import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages for stores and access tokens in a browser: stores are added with their trust, and tokens revoked.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct SettingsPagesInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    /// A signed store with one pack, which is made and served where a test needs it.
    private let shop: SignedStore

    init() throws {
        shop = try SignedStore()
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        StoreDocuments.publish(["Cups": 2000], on: origin)
    }

    private func signedStore() async throws -> (server: NginxServer, fingerprint: String) {
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path])
        let listed = try await shop.run(["key", "list", shop.path, "--json"]).json
        return (try await NginxServer(serving: shop.path + "/public"), try #require(listed["fingerprint"]?.text))
    }

    private func open(_ path: String) async throws -> Page { try await Chromium().logIn(to: home, at: path) }

    private func stores() async throws -> [JSONValue] {
        try await home.must("store", "list", "--json").json["stores"]?.elements ?? []
    }

    /// Enters texts into the fields of the page's form, by their names, and sends it.
    private func send(_ values: [String: String], in page: Page) async throws {
        for (name, value) in values {
            _ = try await page.value("document.querySelector('main [name=\"\(name)\"]').value = '\(value)'")
        }
        _ = try await page.value("document.querySelector('main form button.main').focus()")
        try await page.press(.enter)
    }

    private static let heading = "document.querySelector('#main h1')?.textContent.trim()"
    private static let text = "document.getElementById('main').textContent.replace(/\\s+/g, ' ')"

    @Test func `an unsigned store is added only after a warning`() async throws {
        let page = try await open("/settings")
        _ = try await page.value("[...document.querySelectorAll('a.button')][0].click()")
        try await page.until("location.pathname === '/settings/add-store' && document.readyState === 'complete'")
        try await send(["url": origin.address, "name": "shop"], in: page)
        try await page.until("\(Self.heading) === 'Add an unsigned store?'")
        #expect(try await page.value("document.activeElement.id") == "main")
        #expect(try await page.value(Self.text + ".includes('Anyone who controls its server')") == true)
        #expect(try await stores().isEmpty)
        try await page.keepPicture(as: "settings-unsigned")
        try await send([:], in: page)
        try await page.until("location.pathname === '/settings/stores/shop' && document.readyState === 'complete'")
        #expect(try await page.value(Self.text + ".includes('This store is not signed')") == true)
        #expect(try await stores().map { $0["unsigned"] } == [.bool(true)])
    }

    @Test func `a signed store is added after its fingerprint was compared, and its trust is shown`() async throws {
        let (server, fingerprint) = try await signedStore()
        let page = try await open("/settings/add-store")
        try await send(["url": server.url, "name": "cups"], in: page)
        try await page.until("\(Self.heading) === 'Trust this store?'")
        let shown = try #require(await page.value("document.querySelector('.fingerprint code').textContent").text)
        #expect(shown.filter { $0 != " " } == fingerprint && shown.hasPrefix(fingerprint.prefix(4) + " "))
        #expect(try await stores().isEmpty)
        try await page.keepPicture(as: "settings-fingerprint")
        try await send([:], in: page)
        try await page.until("location.pathname === '/settings/stores/cups' && document.readyState === 'complete'")
        let text = try #require(await page.value(Self.text).text)
        for part in [shown, "Last verified", "Expires", "timestamp", "snapshot", "targets", "1 of 1", "ed25519"] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        #expect(try await stores().map { $0["unsigned"] } == [.bool(false)])
        try await page.keepPicture(as: "settings-trust")
        // Refreshing changes the page in its place.
        _ = try await page.value("window.isSamePage = true; document.querySelector('main form button').click()")
        try await page.until("!document.querySelector('main form button').hasAttribute('aria-disabled')")
        #expect(try await page.value("window.isSamePage") == true)
    }

    @Test func `the file of a root is sent, and an error keeps what was entered`() async throws {
        let (server, fingerprint) = try await signedStore()
        let root = try String(contentsOfFile: shop.path + "/public/metadata/1.root.json", encoding: .utf8)
        let page = try await open("/settings/add-store")
        let choose = """
            (() => {
              const files = new DataTransfer();
              files.items.add(new File([\(JSONValue.string(root).asWritten)], "root.json", { type: "application/json" }));
              document.querySelector("[name=root]").files = files.files;
            })()
            """
        _ = try await page.value(choose)
        let wrong = String(repeating: "0", count: 64)
        try await send(["url": server.url, "name": "cups", "fingerprint": wrong, "priority": "7"], in: page)
        try await page.until("document.querySelector('#main [role=alert]')")
        #expect(try await page.value(Self.text + ".includes('Do not trust it')") == true)
        #expect(try await page.value("document.querySelector('[name=url]').value") == .string(server.url))
        #expect(try await page.value("document.querySelector('[name=priority]').value") == "7")
        #expect(try await page.value("document.querySelector('details').open") == true)
        #expect(try await stores().isEmpty)
        try await page.keepPicture(as: "settings-error")
        _ = try await page.value(choose)
        try await send(["fingerprint": RootFingerprintText.grouped(fingerprint)], in: page)
        try await page.until("location.pathname === '/settings/stores/cups' && document.readyState === 'complete'")
        #expect(try await stores().map { $0["priority"] } == [.integer(7)])
    }

    @Test func `a token is created, its secret shown once, and it is revoked after a question`() async throws {
        let page = try await open("/settings/tokens")
        try await page.until("\(Self.text).includes('There are no access tokens.')")
        _ = try await page.value("document.querySelector('[name=\"scope:install\"]').click()")
        try await send(["name": "tray"], in: page)
        try await page.until("document.getElementById('secret')")
        let secret = try #require(await page.value("document.getElementById('secret').textContent").text)
        let client = WebClient(origin: try #require(await page.value("location.origin").text))
        let headers = ["Authorization": "Bearer \(secret)"]
        #expect(try await client.get("/v1/packs", headers).status == 200)
        try await page.keepPicture(as: "settings-token")
        // The same name again.
        try await send(["name": "tray"], in: page)
        try await page.until("document.querySelector('#main [role=alert]')")
        #expect(try await page.value("document.getElementById('secret')") == .null)

        try await page.show("/settings/tokens")
        #expect(try await page.value(Self.text + ".includes('read, install')") == true)
        let revoke = "document.querySelector('[aria-label=\"Revoke: tray\"]')"
        _ = try await page.value("\(revoke).focus()")
        try await page.press(.enter)
        try await page.until("document.querySelector('dialog')?.open")
        try await page.press(.escape)
        try await page.until("!document.querySelector('dialog')")
        #expect(try await page.value("document.activeElement === \(revoke)") == true)
        #expect(try await client.get("/v1/packs", headers).status == 200)
        try await page.press(.enter)
        try await page.until("document.querySelector('dialog')?.open")
        _ = try await page.value("document.querySelector('dialog button.main').click()")
        try await page.until("!document.querySelector('dialog') && !\(revoke)")
        #expect(try await client.get("/v1/packs", headers).status == 401)
    }

    @Test func `forms alone add stores and revoke tokens, and GET adds nothing`() async throws {
        let client = try await WebClient.logIn(home)
        let (server, fingerprint) = try await signedStore()
        let address = PathSegment.encode(server.url)
        #expect(try await client.get("/settings/add-store?url=\(address)&unsigned=true").status == 200)
        #expect(try await client.get("/actions/stores?url=\(address)&unsigned=true").status == 405)
        let asked = try await client.post("/actions/stores", "url=\(address)&name=cups")
        #expect(asked.body.contains(RootFingerprintText.grouped(fingerprint)), "\(asked)")
        #expect(asked.headers["cache-control"] == "no-store")
        #expect(try await stores().isEmpty)
        let form = try PageForm(asked.body)
        #expect(form.fields.contains { $0 == ("fingerprint", fingerprint) })
        let added = try await client.post(form.action, form.body)
        #expect(added.status == 303 && added.headers["location"] == "/settings/stores/cups", "\(added)")
        let trust = try await client.get("/settings/stores/cups")
        #expect(trust.body.contains("ed25519") && trust.body.contains("Last verified"), "\(trust)")

        let unsigned = try PageForm(
            await client.post("/actions/stores", "url=\(PathSegment.encode(origin.address))&name=shop").body)
        #expect(unsigned.fields.contains { $0 == ("unsigned", "true") })
        #expect(try await client.post(unsigned.action, unsigned.body).status == 303)
        #expect(try await stores().count == 2)
        for (name, url) in [("", "not-a-url"), ("..", "https://store.example/"), ("a", "ftp://store.example/")] {
            let refused = try await client.post("/actions/stores", "url=\(PathSegment.encode(url))&name=\(name)")
            #expect(refused.status == 400 && refused.body.contains(#"value="\#(url)""#), "\(refused)")
        }

        let created = try await client.post("/actions/tokens", "name=tray")
        let secret = try #require(created.body.firstMatch(of: /id="secret" dir="ltr">([0-9a-f]{64})</)).1
        #expect(created.headers["cache-control"] == "no-store")
        let list = try await client.get("/settings/tokens")
        #expect(!list.body.contains(secret))
        let path = try #require(list.body.firstMatch(of: /action="(\/settings\/tokens\/[0-9a-f]+)"/)).1
        let question = try PageForm(await client.get(String(path)).body)
        let revoked = try await client.post(question.action, question.body)
        #expect(revoked.status == 303 && revoked.headers["location"] == "/settings/tokens", "\(revoked)")
        #expect(try await client.get(String(path)).status == 404)
    }

    @Test func `an access token can't add stores without the scope, and never manages access tokens`() async throws {
        var client = try await WebClient.logIn(home)
        client.cookie = nil
        func headers(_ scope: String) async throws -> [String: String] {
            let created = try await home.must("web", "tokens", "create", scope, "--scope", scope, "--json").json
            return ["Authorization": "Bearer \(created["secret"]?.text ?? "")"]
        }
        let (reader, installer) = (try await headers("read"), try await headers("read,install"))
        let all = try await headers("read,install,settings")
        let store = "url=\(PathSegment.encode(origin.address))&name=shop&unsigned=true"
        for refused in [reader, installer] {
            let answer = try await client.post("/actions/stores", store, refused)
            #expect(answer.status == 403 && answer.body.contains("web.scope"), "\(answer)")
        }
        #expect(try await client.post("/actions/removals", "packs=a&agreed=b", reader).status == 403)
        #expect(try await stores().isEmpty)
        for (method, path) in [
            ("GET", "/settings/tokens"), ("GET", "/settings/tokens/x"), ("POST", "/actions/tokens"),
            ("POST", "/actions/tokens/x/revoke"),
        ] {
            let answer = try await client.send(
                method, path, all.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 },
                body: method == "POST" ? "name=more" : nil)
            #expect(answer.status == 403 && answer.body.contains("web.session-only"), "\(method) \(path): \(answer)")
        }
        #expect(try await client.post("/actions/stores", store, all).status == 303)
        #expect(try await home.must("web", "tokens", "--json").json["tokens"]?.elements.count == 3)
    }

    @Test func `a text that is not saved outlasts changes of other settings`() async throws {
        let page = try await open("/settings")
        func field(_ setting: String) -> String { "document.getElementById('setting-\(setting)')" }
        let (edited, other) = (field("downloads.attempts"), field("downloads.keepPartial"))
        _ = try await page.value("\(edited).focus(), \(edited).select()")
        try await page.type("12")
        _ = try await page.value("\(edited).setSelectionRange(1, 2)")
        // Saved in the page, and elsewhere.
        _ = try await page.value("\(other).value = '20', \(other).form.requestSubmit()")
        try await page.until("\(other).defaultValue === '20'")
        try await home.must("config", "set", "downloads.keepPartial", "30")
        try await page.until("\(other).value === '30'")
        #expect(try await page.value(edited + ".value") == "12")
        #expect(try await page.value("document.activeElement === \(edited)") == true)
        #expect(try await page.value("[\(edited).selectionStart, \(edited).selectionEnd]") == [1, 2])
        // The value of the same setting is shown.
        try await home.must("config", "set", "downloads.attempts", "5")
        try await page.until("\(edited).value === '5'")
    }

    @Test(.enabled(if: AccessibilityRules.path != nil, "axe-core is missing (PyPI: axe-playwright-python)"))
    func `the pages follow the rules of accessibility, in each window and direction`() async throws {
        let (server, fingerprint) = try await signedStore()
        try await home.must("store", "add", "cups", server.url, "--fingerprint", fingerprint)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let token = try await home.must("web", "tokens", "create", "tray", "--json").json["token"]?["id"].text ?? ""
        let page = try await open("/settings")
        for language in ["en", "ar"] {
            try await page.read(language: language)
            for path in [
                "/settings", "/settings/add-store", "/settings/stores/cups", "/settings/stores/shop",
                "/settings/tokens", "/settings/tokens/\(token)", "error", "confirmation",
            ] {
                try await page.show(path.hasPrefix("/") ? path : "/settings/add-store")
                if path == "/settings/add-store" {
                    _ = try await page.value("document.querySelector('summary').click()")
                }
                if path == "error" {
                    try await send(["url": origin.address, "name": "-"], in: page)
                    try await page.until("document.querySelector('#main [role=alert]')")
                } else if path == "confirmation" {
                    try await send(["url": server.url, "name": "other"], in: page)
                    try await page.until("document.querySelector('.fingerprint')")
                }
                let name = path.hasPrefix("/settings/tokens/") ? "revoke" : path
                try await AccessibilityRules.expectFollowed(
                    by: page, as: "settings\(name)-\(language)", isDecidable: false
                ) { width in
                    """
                    [...document.querySelectorAll("#main *, header *")].filter((element) => !element.closest(".wide"))
                      .map((element) => [element.getBoundingClientRect(), element])
                      .filter(([box]) => box.width && (box.left < -1 || box.right > \(width) + 1))
                      .map(([box, element]) => `${box.left} ${box.right} ${element.outerHTML.slice(0, 80)}`).join()
                    """
                }
            }
        }
    }
}
