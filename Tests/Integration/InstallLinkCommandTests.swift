import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// `storectl:` links from the command that a desktop runs for them to the page in a browser.
@Suite(.hangGuard) struct InstallLinkCommandTests {
    private let browser: DesktopBrowser
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        browser = try DesktopBrowser()
        home = try TestHome(settings: browser.environment.merging(["STORECTL_WEB_PORT": "0"]) { $1 })
        origin = try Origin()
        let cups = StoreDocuments.pack(1)
        origin.serve("/cups.zip", cups)
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product("org.example.cups", archive: cups, at: "/cups.zip"),
                StoreDocuments.product(
                    "org.example.gold", archive: cups, at: "/cups.zip", with: ["productPrice": "1.99 EUR"]),
                StoreDocuments.product(
                    "org.example.plugin", archive: cups, at: "/cups.zip",
                    with: ["productType": "plugin", "permissions": ["network"]]),
            ], on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    private var opened: [String] { browser.opened }

    /// Opens a link as the desktop does.
    private func open(_ link: String) async throws -> Programs.Result {
        try await Programs.run("storectl", ["web", "open", "--", link], environment: home.environment)
    }

    /// Opens a link, and follows the address that the browser was asked to open, with its redirections.
    private func page(of link: String) async throws -> (path: String, answer: WebClient.Answer) {
        let before = opened.count
        let result = try await open(link)
        try #require(result.exit == 0, "\(link): \(result)")
        try #require(try await eventually { opened.count == before + 1 }, "\(link)")
        return try await WebClient.follow(try #require(opened.last))
    }

    /// What a link must not change: packs, stores with their trust, history, downloads, purchases, and files of the home.
    private func state() async throws -> [String] {
        var state: [String] = []
        for command in [
            ["list"], ["store", "list"], ["history"], ["downloads"], ["purchases", "list"], ["config", "list"],
        ] {
            let result = try await Programs.run("storectl", command + ["--json"], environment: home.environment)
            try #require(result.exit == 0, "\(command): \(result)")
            // When a catalogue was compared last is no decision of the user.
            state.append(result.output.replacing(/"refreshedAt":"[^"]*"/, with: ""))
        }
        for folder in ["config", "data/packs"] {
            for file in home.entries(folder) {
                let content = FileManager.default.contents(atPath: "\(home.path)/\(folder)/\(file)") ?? Data()
                state.append(file + ": " + String(decoding: content, as: UTF8.self))
            }
        }
        return state
    }

    @Test func `a link opens the product's page, and only its button installs`() async throws {
        let (path, answer) = try await page(of: "storectl:install/org.example.cups")
        #expect(path == "/store/org.example.cups" && answer.status == 200)
        #expect(
            answer.body.contains("unsigned store") && answer.body.contains("aria-label=\"Install: org.example.cups\""))
        #expect(try await home.packs().isEmpty)
        let printed = try await home.must(
            "web", "open", "--no-open", "storectl:install/org.example.unknown", "--json"
        ).json
        let unknown = try await WebClient.follow(try #require(printed["link"]?.text))
        #expect(unknown.answer.status == 404 && unknown.answer.body.contains("org.example.unknown"), "\(unknown)")
        let off = try await home.storectl("web", "open", "--off", "storectl:install/org.example.cups")
        #expect(off.exit == 2 && opened.count == 1)
    }

    @Test func `an invalid link does not start the daemon`() async throws {
        try await home.must("daemon", "stop")
        try await home.fails(
            "web", "open", "storectl:remove/org.example.cups", exit: 2, code: "link.invalid",
            saying: ["unknown action 'remove'", "storectl:install/ID"])
        #expect(home.daemonPID == nil && opened.isEmpty)
        // The daemon's interface refuses it, too, and does not begin to serve pages.
        try await home.must("daemon", "start")
        let socket = home.path + "/run/stored.sock"
        let refused = try DaemonWire.ask("POST", "/v1/web?link=storectl%3Aremove%2Fa", nil, at: socket)
        #expect(refused.status == 400 && refused.body.contains("link.invalid"), "\(refused)")
        #expect(try DaemonWire.get("/v1/web", at: socket).body.contains(#""enabled":false"#))
    }

    @Test func `a hostile link installs nothing, and changes neither stores nor trust`() async throws {
        let links = try HostileLinks.load()
        #expect(links.refused.count + links.pages.count > 100)
        // Serving pages is the one change that a link makes.
        try await home.must("web", "--no-open")
        let before = try await state()
        for link in links.refused {
            let result = try await open(link)
            #expect(result.exit == 2 && result.errors.contains("error: "), "\(link.prefix(200)): \(result)")
            #expect(result.output.isEmpty && !result.errors.contains("\u{1B}"), "\(link.prefix(200))")
        }
        #expect(opened.isEmpty)
        let origin = try #require(URL(string: try await WebClient.link(home))?.host())
        for link in links.pages {
            let (path, answer) = try await page(of: link)
            #expect([200, 404].contains(answer.status), "\(link): \(answer)")
            #expect(path.hasPrefix("/store/") || path.hasPrefix("/links/"), "\(link): \(path)")
            #expect(try opened.allSatisfy { try #require(URL(string: $0)).host() == origin })
            for active in ["<script>alert", "<img src=x>", "=\"//", "=\"http"] {
                #expect(!answer.body.contains(active), "\(link)")
            }
        }
        #expect(try await state() == before)
    }

    @Test func `a fingerprint names the store that was added with that root, and no other`() async throws {
        let shop = try SignedStore()
        try await shop.run(["init", shop.path, "--sign"])
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path])
        let server = try await NginxServer(serving: shop.path + "/public")
        let fingerprint = try #require(
            try await shop.run(["key", "list", shop.path, "--json"]).json["fingerprint"]?.text)
        let link = "storectl:install/org.example.cups?store=\(fingerprint)"
        try await home.must("web", "--no-open")
        let before = try await state()
        let foreign = try await page(of: link)
        // Another store has the product, but it is not the one that the link names.
        #expect(foreign.answer.status == 404 && foreign.path.hasPrefix("/links/"), "\(foreign)")
        #expect(foreign.answer.body.contains("a store that you have not added"))
        #expect(!foreign.answer.body.contains("/actions/") && !foreign.answer.body.contains(fingerprint))
        #expect(try await state() == before)
        try await home.must("store", "add", "signed", server.url, "--fingerprint", fingerprint)
        let known = try await page(of: link)
        #expect(known.path == "/store/signed/org.example.cups" && known.answer.status == 200, "\(known)")
        #expect(!known.answer.body.contains("unsigned store"))
        #expect(try await home.packs().isEmpty)
    }
}
