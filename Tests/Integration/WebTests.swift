import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The web listener of a real daemon: who may use it, and the pages without JavaScript.
@Suite(.hangGuard) struct WebTests {
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        origin = try Origin()
        let cups = StoreDocuments.pack(1)
        origin.serve("/cups.zip", cups)
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product(
                    "org.example.cups", archive: cups, at: "/cups.zip",
                    with: ["productName": "Cups <script>alert(1)</script> \u{202E}spuc", "publisher": "\"><img src=x>"]),
                StoreDocuments.product(
                    "org.example.gold", archive: cups, at: "/cups.zip", with: ["productPrice": "1.99 EUR"]),
            ], on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    // MARK: Access

    @Test func `the pages are off until they are switched on, and off again after that`() async throws {
        let web = try await home.must("daemon", "start", "--json").json
        #expect(web["running"] == .bool(true))
        #expect(
            try DaemonWire.get("/v1/web", at: home.path + "/run/stored.sock").body.contains(#""enabled":false"#))
        let client = try await WebClient.logIn(home)
        #expect(try await client.get("/v1/status").status == 200)
        try await home.must("web", "--off")
        await #expect(throws: WebClient.Unreachable.self) { try await client.get("/v1/status") }
        #expect(try await home.must("config", "get", "web.enabled").output == "false\n")
        // Sessions ended with it.
        let again = try await WebClient.logIn(home)
        let old = WebClient(origin: again.origin, cookie: client.cookie)
        #expect(try await old.get("/v1/status").status == 401)
        // The pages have another host, of whose origin nothing was before.
        #expect(client.origin.prefix { $0 != "." } != again.origin.prefix { $0 != "." })
        #expect(try await home.must("config", "set", "web.enabled", "false").exit == 0)
        #expect(try await WebClient.logIn(home).origin.prefix { $0 != "." } == again.origin.prefix { $0 != "." })
    }

    @Test func `pages that an environment variable switches on can't be switched off`() async throws {
        let forced = try TestHome(settings: ["STORECTL_WEB_PORT": "0", "STORECTL_WEB_ENABLED": "true"])
        let off = try await forced.storectl("web", "--off")
        #expect(off.exit == 1 && off.output.isEmpty, "\(off)")
        #expect(off.errors.contains("the daemon's environment variable STORECTL_WEB_ENABLED overrides"), "\(off)")
        #expect(try await WebClient.logIn(forced).get("/v1/status").status == 200)
    }

    @Test func `the pages are still on after a restart, and sessions are not`() async throws {
        let client = try await WebClient.logIn(home)
        try await home.must("daemon", "restart")
        let renewed = try await WebClient.logIn(home)
        #expect(renewed.origin.split(separator: ":")[1] == client.origin.split(separator: ":")[1], "the host stays")
        let old = WebClient(origin: renewed.origin, cookie: client.cookie)
        #expect(try await old.get("/store", ["Accept": "text/html"]).status == 401)
        #expect(try await renewed.get("/store").status == 200)
    }

    @Test func `an address without a page is a page in a browser, and a problem document for a program`() async throws {
        let client = try await WebClient.logIn(home)
        let page = try await client.get("/nope", ["Accept": "text/html"])
        #expect(page.status == 404 && page.headers["content-type"]?.hasPrefix("text/html") == true, "\(page)")
        #expect(page.body.contains("There is no page"))
        let document = try await client.get("/nope")
        #expect(document.status == 404 && document.headers["content-type"] == "application/problem+json", "\(document)")
    }

    @Test(arguments: ["/store", "/login", "/v1/status", "/nothing", "/logout"])
    func `a response to HEAD has no body, with or without a session, and for another host`(path: String) async throws {
        let client = try await WebClient.logIn(home)
        let address = try #require(URL(string: client.origin))
        let host = "\(address.host() ?? ""):\(address.port ?? 0)"
        for headers in ["", "Cookie: \(client.cookie ?? "")\r\n", "Host: example.org\r\n"] {
            let fields = (headers.hasPrefix("Host") ? "" : "Host: \(host)\r\n") + headers + "Accept: text/html\r\n"
            // curl would not show the body.
            let result = try await Programs.run(
                "/bin/bash",
                [
                    "-c", #"exec 3<>"/dev/tcp/127.0.0.1/$0"; printf "%s" "$1" >&3; cat <&3"#, "\(address.port ?? 0)",
                    "HEAD \(path) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n",
                ], environment: ["PATH": "/usr/bin:/bin"])
            #expect(result.output.hasPrefix("HTTP/1.1 "), "\(result)")
            #expect(result.output.range(of: "\r\n\r\n")?.upperBound == result.output.endIndex, "\(result.output)")
        }
    }

    @Test func `a link works once, and its cookie is for this host and no script`() async throws {
        let link = try await WebClient.link(home)
        let address = try #require(URL(string: link))
        let client = WebClient(origin: "http://\(address.host() ?? ""):\(address.port ?? 0)")
        let path = String(link.dropFirst(client.origin.count))
        let first = try await client.get(path)
        #expect(first.status == 303)
        let cookie = first.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") } ?? ""
        #expect(cookie.hasSuffix("; path=/; httponly; samesite=strict"), "\(cookie)")
        let second = try await client.get(path, ["Accept": "text/html"])
        #expect(second.status == 401 && second.body.contains("storectl web"), "\(second)")
    }

    @Test func `nothing is served without a session, except the files of the login page`() async throws {
        var client = try await WebClient.logIn(home)
        client.cookie = nil
        let paths = [
            "/", "/store", "/results", "/library", "/stickers/results", "/skins/light", "/v1/status", "/v1/events",
            "/v1/packs", "/metrics", "/v1/web",
        ]
        for path in paths {
            #expect(try await client.get(path).status == 401, "\(path)")
        }
        #expect(try await client.post("/actions/downloads", "productIdentifier=org.example.cups").status == 401)
        #expect(try await client.get("/assets/pages.css").status == 200)
        #expect(try await client.get("/assets/../v1/status", ["Accept": "text/html"]).status == 401)
        #expect(try await home.packs().isEmpty)
    }

    @Test func `a page of another origin and another name of this machine get nothing`() async throws {
        let client = try await WebClient.logIn(home)
        let foreign = ["Origin": "https://evil.example"]
        #expect(try await client.get("/v1/packs", foreign).status == 403)
        #expect(
            try await client.post("/actions/downloads", "productIdentifier=org.example.cups", foreign).status == 403)
        let rebound = try await client.get("/v1/packs", ["Host": "evil.example"])
        #expect(rebound.status == 421, "\(rebound)")
        let host = try #require(client.origin.dropFirst("http://".count).split(separator: ":").first)
        #expect(!(rebound.head + rebound.body).contains(host), "the refusal names the right host: \(rebound)")
        let framed = try await client.get("/store", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"])
        #expect(framed.status == 403)
        let preflight = try await client.send(
            "OPTIONS", "/v1/packs", foreign.merging(["Access-Control-Request-Method": "POST"]) { $1 })
        #expect(!preflight.head.lowercased().contains("access-control-allow"), "\(preflight)")
        #expect(try await home.packs().isEmpty)
    }

    @Test func `another origin uses the interface with a token, if the setting permits it`() async throws {
        let client = try await WebClient.logIn(home)
        let token = try await home.must("web", "tokens", "create", "chat", "--scope", "read,install").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let headers = ["Origin": "https://chat.example", "Authorization": "Bearer \(token)", "Cookie": "none=1"]
        #expect(try await client.get("/v1/packs", headers).status == 403)
        try await home.must("config", "set", "web.allowedOrigins", "https://chat.example")
        let answer = try await client.get("/v1/packs", headers)
        #expect(answer.status == 200)
        #expect(answer.head.contains("access-control-allow-origin: https://chat.example"), "\(answer.head)")
    }

    @Test func `a token permits its scopes until it is revoked, and nothing of the listener itself`() async throws {
        var client = try await WebClient.logIn(home)
        client.cookie = nil
        func create(_ name: String, _ scope: String) async throws -> [String: String] {
            let created = try await home.must("web", "tokens", "create", name, "--scope", scope, "--json").json
            return ["Authorization": "Bearer \(created["secret"]?.text ?? "")", "Content-Type": "application/json"]
        }
        let (reader, installer) = (try await create("reader", "read"), try await create("installer", "read,install"))
        let body = #"{"productIdentifier":"org.example.cups"}"#
        #expect(try await client.get("/v1/packs", reader).status == 200)
        #expect(try await client.send("POST", "/v1/downloads", reader, body: body).status == 403)
        #expect(try await client.send("POST", "/v1/downloads", installer, body: body).status == 202)
        #expect(try await client.send("DELETE", "/v1/stores/shop", installer).status == 403)
        #expect(try await client.get("/v1/web/tokens", installer).status == 403)
        #expect(try await home.must("web", "tokens").output.contains("installer  read,install"))
        try await home.must("web", "tokens", "revoke", "installer")
        #expect(try await client.get("/v1/packs", installer).status == 401)
        try await home.fails(
            "web", "tokens", "revoke", "installer", exit: 3, code: "web.no-token", saying: ["installer"])
    }

    @Test func `a program without a token is told which header it lacks, and a browser to log in`() async throws {
        var client = try await WebClient.logIn(home)
        client.cookie = nil
        let program = try await client.get("/v1/packs")
        #expect(program.status == 401 && program.head.contains("www-authenticate: bearer"), "\(program)")
        #expect(program.body.contains("the request has no access token"), "\(program)")
        #expect(program.body.contains("Authorization: Bearer TOKEN"), "\(program)")
        #expect(program.body.contains("storectl web tokens create NAME"), "\(program)")
        let page = try await client.get("/", ["Accept": "text/html"])
        #expect(page.status == 401 && page.body.contains("This browser is not logged in."), "\(page)")
        client.cookie = "storectl-session=ended"
        let script = try await client.get("/v1/packs")
        #expect(script.status == 401 && script.body.contains("this browser is not logged in"), "\(script)")
    }

    @Test func `a token without a name or a scope is a mistake of the command line`() async throws {
        for arguments in [["create", ""], ["revoke", ""], ["create", "tray", "--scope", ""]] {
            let refused = try await Programs.run(
                "storectl", ["web", "tokens"] + arguments, environment: home.environment)
            #expect(refused.exit == 2 && refused.errors.hasPrefix("error: "), "\(refused)")
            #expect(!refused.errors.contains("request"), "\(refused)")
        }
        let off = try await home.must("web", "tokens", "create", "tray")
        #expect(off.errors.contains("hint: switch the web pages on with 'storectl web'"), "\(off)")
        let address = try await home.must("web", "--no-open", "--json").json["address"]?.text ?? "none"
        let on = try await home.must("web", "tokens", "create", "chat")
        #expect(on.errors.contains("'Authorization: Bearer TOKEN' to '\(address)v1/…'"), "\(on)")
        #expect(on.output.split(separator: "\n").count == 1, "\(on)")
    }

    @Test func `a port that is in use is an error that names it`() async throws {
        let other = try Origin()
        let port = "\(other.url.port ?? 0)"
        let occupied = try TestHome(settings: ["STORECTL_WEB_PORT": port])
        try await occupied.fails("web", exit: 7, code: "web.port", saying: ["port \(port) is already in use"])
        let warnings = try await occupied.must("daemon", "status", "--json").json["warnings"]?.elements ?? []
        #expect(warnings.contains { $0.text?.contains("port \(port) is already in use; choose another") == true })
        try await occupied.must("web", "--off")
        let later = try await occupied.must("daemon", "status", "--json").json["warnings"]?.elements ?? []
        #expect(!later.contains { $0.text?.contains("port \(port)") == true })
    }

    // MARK: Pages

    @Test func `a product is installed, held and removed with forms alone`() async throws {
        let client = try await WebClient.logIn(home)
        let store = try await client.get("/store")
        #expect(store.status == 200)
        #expect(store.body.contains(#"action="/actions/downloads""#))
        // What the script requests while the user types is the part of the page with the results.
        let results = try await client.get("/results?words=cups")
        #expect(results.status == 200 && results.head.contains("content-security-policy: default-src 'none'"))
        #expect(results.body.contains(#"action="/actions/downloads""#) && !results.body.contains("<html"), "\(results)")
        #expect(try await client.get("/results?words=nothing-has-this").body.contains(#"class="empty""#))
        let back = ["Referer": client.origin + "/store?kind=sticker"]
        let answer = try await client.post("/actions/downloads", "productIdentifier=org.example.cups&store=shop", back)
        #expect(answer.status == 303 && answer.head.contains("location: /store?kind=sticker"), "\(answer)")
        // Joins the download, or finds the pack.
        try await home.must("install", "org.example.cups")
        #expect(try await home.packs().keys.contains("org.example.cups"))
        let library = try await client.get("/library")
        #expect(library.body.contains("/actions/packs/org.example.cups/remove"))
        #expect(try await client.post("/actions/packs/org.example.cups/hold").status == 303)
        #expect(try await home.packs()["org.example.cups"]?["held"] == .bool(true))
        let picture = "/v1/packs/org.example.cups/thumbnails/a.png?operation="
        #expect(try await client.get("/stickers").body.contains(picture))
        #expect(try await client.post("/actions/packs/org.example.cups/remove").status == 303)
        #expect(try await home.packs().isEmpty)
    }

    @Test func `a priced product is bought first, and an error is a page with its hint`() async throws {
        let client = try await WebClient.logIn(home)
        let refused = try await client.post("/actions/downloads", "productIdentifier=org.example.gold")
        #expect(refused.status == 402 && refused.body.contains("role=\"alert\""), "\(refused)")
        #expect(try await client.get("/store").body.contains("Buy for 1.99 EUR"))
        #expect(try await client.post("/actions/purchases/org.example.gold").status == 303)
        #expect(try await client.post("/actions/downloads", "productIdentifier=org.example.gold").status == 303)
    }

    @Test func `what a store says is text on every page`() async throws {
        let client = try await WebClient.logIn(home)
        for path in ["/store", "/store/shop/org.example.cups", "/store/org.example.cups"] {
            let page = try await client.get(path)
            #expect(page.status == 200, "\(path)")
            #expect(page.body.contains("&lt;script&gt;alert(1)"), "\(path)")
            for active in ["<script>alert", "<img src=x>", "\u{202E}"] {
                #expect(!page.body.contains(active), "\(path)")
            }
            #expect(page.head.contains("script-src 'self'") && page.head.contains("frame-ancestors 'none'"))
            #expect(!page.head.contains("unsafe"))
        }
    }

    @Test func `settings and stores are changed with forms, and a wrong value is refused`() async throws {
        let client = try await WebClient.logIn(home)
        let page = try await client.get("/settings")
        #expect(page.body.contains("downloads.attempts") && page.body.contains("shop"))
        #expect(try await client.post("/actions/config/downloads.attempts", "value=9").status == 303)
        #expect(try await home.must("config", "get", "downloads.attempts").output == "9\n")
        let wrong = try await client.post("/actions/config/downloads.attempts", "value=many")
        #expect(wrong.status == 400 && wrong.body.contains("downloads.attempts"), "\(wrong)")
        #expect(try await client.post("/actions/config/downloads.attempts", "value=9&unset=true").status == 303)
        #expect(try await home.must("config", "get", "downloads.attempts").output == "4\n")
        #expect(try await client.post("/actions/stores/shop/remove").status == 303)
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.isEmpty == true)
        #expect(try await client.get("/store").body.contains("No store is in use."))
    }
}
