import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Pages of other origins in a browser that is logged in to the pages of a real daemon: they read nothing and change nothing.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct OtherOriginInChromiumTests {
    private let home: TestHome
    private let origin: Origin
    /// The server of the other origins, which records what it receives.
    private let other: Origin
    /// The address of the daemon's pages, without a path.
    private let store: String
    private let link: String

    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        (origin, other) = (try Origin(), try Origin())
        let cups = StoreDocuments.pack(1)
        origin.serve("/cups.zip", cups)
        StoreDocuments.formatTwo(
            [StoreDocuments.product("org.example.cups", archive: cups, at: "/cups.zip")], on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        link = try await WebClient.link(home)
        store = String(link.prefix { $0 != "?" }.dropLast("/login".count))
        other.serve("/page", "<!DOCTYPE html><title>Other</title><body>")
        other.always("/page", .header("Content-Type", "text/html"))
        other.serve("/frame", "<!DOCTYPE html><title>Frame</title><body>")
        other.always("/frame", .header("Content-Type", "text/html"))
    }

    private var host: String { String(store.dropFirst("http://".count).prefix { $0 != ":" }) }

    /// Tries everything, and returns what was possible, by the names of the attempts.
    ///
    /// The arguments are the address of the pages, and a one-time link that was used.
    private static let attack = """
        (async (store, link) => {
          const possible = {};
          const attempt = async (name, body) => {
            try { const result = await body(); if (result !== undefined) possible[name] = String(result); } catch {}
          };
          const install = JSON.stringify({ productIdentifier: "org.example.cups" });
          const form = () => new URLSearchParams({ productIdentifier: "org.example.cups" });
          const token = { Authorization: "Bearer " + "0".repeat(64) };
          for (const path of ["/v1/status", "/v1/products", "/store", "/assets/live.js", link.slice(store.length)])
            for (const mode of ["cors", "no-cors"]) for (const credentials of ["include", "omit"])
              await attempt(`${mode} ${credentials} ${path}`, async () => `${(await fetch(store + path, { mode, credentials })).type}`);
          for (let number = 0; number < 12; number++)
            await attempt("token", async () => (await fetch(store + "/v1/packs", { headers: token })).status);
          for (const [path, type, body] of [["/v1/downloads", "application/json", install], ["/v1/downloads", "text/plain", install],
            ["/v1/downloads", "application/x-www-form-urlencoded", form()], ["/actions/downloads", "application/x-www-form-urlencoded", form()]])
            for (const mode of ["cors", "no-cors"])
              await attempt(`${mode} ${path} ${type}`, async () => (await fetch(store + path, { method: "POST", mode, credentials: "include", headers: { "Content-Type": type }, body })).type);
          // That a beacon was sent says nothing; the daemon is asked afterwards.
          navigator.sendBeacon(store + "/actions/downloads", form());
          await attempt("events", () => new Promise((resolve) => {
            const events = new EventSource(store + "/v1/events", { withCredentials: true });
            events.onopen = () => resolve("open");
            events.onerror = () => { events.close(); resolve(undefined); };
          }));
          const element = (name, properties) => attempt(`${name} ${Object.values(properties)}`, () => new Promise((resolve) => {
            const element = document.createElement(name);
            element.onload = () => resolve("loaded");
            element.onerror = () => resolve(undefined);
            document.body.append(Object.assign(element, properties));
          }));
          for (const path of ["/v1/products", "/store", "/assets/live.js"]) await element("script", { src: store + path });
          await element("script", { src: store + "/assets/client.js", type: "module" });
          for (const path of ["/v1/products", "/assets/icon.svg"]) await element("img", { src: store + path });
          for (const path of ["/v1/products", "/assets/pages.css"]) await element("link", { rel: "stylesheet", href: store + path });
          await attempt("worker", () => new Worker(store + "/assets/client.js"));
          await attempt("service worker", () => navigator.serviceWorker.register(store + "/assets/worker.js"));
          // A form in a hidden frame, as a page without scripts has it.
          const sent = document.createElement("form");
          document.body.insertAdjacentHTML("beforeend", "<iframe name=target></iframe>");
          Object.assign(sent, { method: "post", action: store + "/actions/downloads", target: "target" });
          sent.innerHTML = "<input name=productIdentifier value=org.example.cups>";
          document.body.append(sent);
          await new Promise((resolve) => { document.querySelector("iframe").onload = resolve; sent.submit(); });
          return possible;
        })
        """

    /// Shows the pages in frames, beside one of the page's own origin, and waits until all have loaded or failed.
    private static let frames = """
        (async (store) => {
          for (const [name, property] of [["iframe", "src"], ["embed", "src"], ["object", "data"], ["iframe", "own"]]) {
            const frame = document.createElement(name);
            const ended = new Promise((resolve) => { frame.onload = frame.onerror = resolve; });
            if (property === "own") frame.src = "/frame"; else frame[property] = store + "/store";
            document.body.append(frame);
            await ended;
          }
        })
        """

    /// Opens the pages in a window, and returns whether the page still has a hold of it.
    private static let window = """
        (async (store) => {
          const opened = open(store + "/store");
          // The policy of the pages takes the window from the page that opened it.
          while (!opened.closed) await new Promise((resolve) => setTimeout(resolve, 20));
          try { return opened.document.title; } catch (error) { return error.name; }
        })
        """

    @Test func `pages of other origins read nothing, change nothing and frame nothing`() async throws {
        let browser = try Chromium()
        let page = try await browser.open(link)
        try await page.until("location.pathname === '/store' && document.readyState === 'complete'")
        let arguments = "('\(store)', '\(link)')"
        // Cookies are shared by all ports of a host, so the last origin is of the same site.
        for host in ["localhost", "127.0.0.1", host] {
            let attacker = try await browser.open("http://\(host):\(other.port)/page")
            let possible = try await attacker.value(Self.attack + arguments)
            #expect(possible == .object([:]), "\(host): \(possible.asWritten)")
            let hold = try await attacker.value(Self.window + "('\(store)')", asUser: true)
            #expect(hold == "SecurityError", "\(host)")
            let cookies = other.requests(to: "/page").last?.headers["cookie"]
            #expect((cookies != nil) == (host == self.host), "\(host): \(cookies ?? "none")")
        }
        let framing = try await browser.open("http://\(host):\(other.port)/page")
        _ = try await framing.value(Self.frames + "('\(store)')")
        let shown = try await framing.frames().filter { !$0.hasPrefix("chrome-error:") }
        #expect(shown == ["http://\(host):\(other.port)/frame"])
        // What the page at another port of the host received as the cookie is that of the session.
        let cookie = try #require(other.requests(to: "/page").last?.headers["cookie"])
        let own = try await packs(cookie)
        #expect(own.exit == 0 && own.output.contains(#""packs""#), "\(own)")
        #expect(try await home.packs().isEmpty)
        #expect(try await home.must("history", "--json").json["operations"]?.elements == [])
        // The guesses of other origins do not keep the user from logging in.
        #expect(try await WebClient.follow(try await WebClient.link(home)).answer.status == 200)
        _ = try await page.value("location.reload()")
        try await page.until(
            "document.querySelector('[data-product=\"org.example.cups\"] button')?.textContent === 'Install'")
    }

    /// Asks for the packs with the cookie of a session.
    ///
    /// - Parameter user: the command that runs curl as another user; none for this one.
    private func packs(_ cookie: String, as user: [String] = []) async throws -> Programs.Result {
        let command =
            user + ["/usr/bin/curl", "-q", "--silent", "--noproxy", "*", "--header", "Cookie: \(cookie)"]
            + [store + "/v1/packs"]
        return try await Programs.run(
            command[0], Array(command.dropFirst()), environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
    }

    @Test(.enabled(if: getuid() == 0, "only root can become another user"))
    func `the cookie of a session is of no use to another user`() async throws {
        let cookie = try #require(try await WebClient.logIn(home).cookie)
        let own = try await packs(cookie)
        #expect(own.exit == 0 && own.output.contains(#""packs""#), "\(own)")
        let stolen = try await packs(cookie, as: ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"])
        // Closed or reset without a response.
        #expect([52, 56].contains(stolen.exit) && stolen.output.isEmpty, "\(stolen)")
    }

    @Test func `the page of a name that leads to this machine gets nothing but the refusal, without the right name`()
        async throws
    {
        let browser = try Chromium(mapping: "evil.example")
        let page = try await browser.open(link)
        try await page.until("location.pathname === '/store' && document.readyState === 'complete'")
        let rebound = store.replacing(host, with: "evil.example")
        let attacker = try await browser.open(rebound + "/store")
        let texts = """
            (async (link) => {
              const texts = [document.documentElement.outerHTML];
              for (const [path, options] of [["/v1/status"], ["/store"], ["/assets/live.js"], ["/login?link=0"], [link], ["/v1/events"],
                ["/actions/downloads", { method: "POST", body: new URLSearchParams({ productIdentifier: "org.example.cups" }) }],
                ["/v1/downloads", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"productIdentifier":"org.example.cups"}' }]]) {
                const response = await fetch(path, options);
                texts.push(response.status, await response.text());
              }
              return texts;
            })
            """
        let fresh = try await WebClient.link(home).dropFirst(store.count)
        let answers = try await attacker.value(texts + "('\(fresh)')").elements
        #expect(answers.compactMap(\.number) == Array(repeating: 421, count: 8))
        let all = answers.compactMap(\.text).joined()
        // With the name, the page could tell an accomplice on the machine at which host the cookie is to be had.
        #expect(!all.contains(host) && all.contains("evil.example"), "\(all)")
        #expect(try await attacker.value("document.cookie") == "")
        #expect(try await home.packs().isEmpty)
        // The link was not used.
        #expect(try await WebClient.follow(store + fresh).answer.status == 200)
    }
}
