import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Another user's program at the port of the pages while the daemon does not run: what it gets from a browser, and what it
/// leaves there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct ImpostorInChromiumTests {
    private let home: TestHome
    private let browser: Chromium

    init() async throws {
        home = try TestHome()
        browser = try Chromium()
        try await home.servePagesAtFixedPort()
    }

    /// Serves pages that leave in the browser what outlasts them, and prints each request with its cookie.
    private static let program = #"""
        import http.server, sys
        page = b"""<!DOCTYPE html><title>Impostor</title><h1>Impostor</h1><script src="/assets/live.js"></script><script>
        (async () => {
          localStorage.setItem("planted", "yes");
          await (await caches.open("planted")).put("/store", new Response("Impostor"));
          await new Promise((resolve) => { indexedDB.open("planted").onsuccess = resolve; });
          await fetch("/library");
          const controls = new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = resolve; });
          await navigator.serviceWorker.register("/planted.js");
          await controls;
          document.title = "Planted";
        })();
        </script>"""
        worker = b"""
        addEventListener("install", () => skipWaiting());
        addEventListener("activate", (event) => event.waitUntil(clients.claim()));
        addEventListener("fetch", (event) => {
          if (event.request.mode !== "navigate" || new URL(event.request.url).pathname === "/login") return;
          event.respondWith(new Response("<!DOCTYPE html><title>Impostor</title><h1>Impostor</h1>", { headers: { "Content-Type": "text/html" } }));
        });"""
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words): pass
            def do_GET(self):
                print(self.command, self.path, self.headers.get("Cookie", ""), flush=True)
                path = self.path.split("?")[0]
                isInterface = path.startswith("/v1/")
                body, kind = (b"{}", "application/json") if isInterface else (page, "text/html")
                if path == "/planted.js": body, kind = worker, "text/javascript"
                if path == "/assets/live.js": body, kind = b"window.planted = true;", "text/javascript"
                self.send_response(401 if isInterface else 200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                if not isInterface:
                    self.send_header("Cache-Control", "max-age=86400, immutable")
                    self.send_header("Set-Cookie", "storectl-session=planted; Path=/store; SameSite=Strict")
                self.end_headers()
                self.wfile.write(body)
            do_POST = do_PUT = do_DELETE = do_GET
        http.server.ThreadingHTTPServer.daemon_threads = True
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        print("ready", flush=True)
        server.serve_forever()
        """#

    /// Starts the program as another user, which only root can; otherwise as this one, which a browser can't tell apart.
    private func impostor(at port: Int) async throws -> Programs.Running {
        let command = ["/usr/bin/python3", "-c", Self.program, "\(port)"]
        let user = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"] : ["/usr/bin/env"]
        let running = try Programs.start(
            user[0], Array(user.dropFirst()) + command, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        try await eventually { running.output.hasPrefix("ready") || !running.isRunning }
        try #require(running.isRunning, "\(running.errors)")
        return running
    }

    private static let heading = "document.querySelector('h1')?.textContent"

    @Test
    func
        `a program at the port of a daemon that has ended gets nothing of worth, and a new login removes what it left`()
        async throws
    {
        let page = try await browser.open(try await WebClient.link(home))
        try await page.until("location.pathname === '/store' && document.readyState === 'complete'")
        try await page.stayVisible()
        _ = try await page.value("navigator.serviceWorker.ready.then(() => true)")
        let origin = try #require(await page.value("location.origin").text)
        let port = try #require(origin.split(separator: ":").last.flatMap { Int($0) })
        try await home.must("daemon", "stop")
        let impostor = try await impostor(at: port)
        defer { impostor.signal(SIGKILL) }
        // The page asks for the daemon, and is loaded again by the response that its session has ended.
        try await page.until("document.title === 'Planted'")

        let requests = impostor.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        #expect(requests.allSatisfy { $0[0] == "GET" }, "\(requests)")
        let paths = Set(requests.compactMap { $0[1].split(separator: "?").first.map(String.init) })
        #expect(paths.isSuperset(of: ["/v1/events", "/v1/status", "/store"]), "\(paths)")
        let harmless = ["/v1/events", "/v1/status", "/store", "/library", "/planted.js", "/favicon.ico"]
        #expect(paths.allSatisfy { harmless.contains($0) || $0.hasPrefix("/assets/") }, "\(paths)")
        let received = requests.compactMap { request in request.dropFirst(2).joined(separator: " ") }
        let cookie = try #require(received.first { $0.hasPrefix("storectl-session=") })

        impostor.signal(SIGKILL)
        _ = try await impostor.result()
        try await home.must("daemon", "start")
        // The cookie of a session that has ended is worth nothing.
        #expect(try await WebClient(origin: origin, cookie: cookie).get("/v1/status").status == 401)
        // The browser still shows what was planted, whatever the daemon responds.
        try await page.navigate(to: origin + "/library")
        #expect(try await page.value(Self.heading) == "Impostor")

        let other = try await browser.open(try await WebClient.link(home))
        try await other.until("\(Self.heading) === 'Store' && document.readyState === 'complete'")
        try await other.stayVisible()
        try await other.until(
            "document.getElementById('offline').hidden && navigator.serviceWorker.controller !== undefined")
        _ = try await other.value("navigator.serviceWorker.ready.then(() => true)")
        let kept = """
            (async () => [
              (await navigator.serviceWorker.getRegistrations()).map(({ active }) => new URL(active?.scriptURL ?? "about:blank").pathname).join(),
              (await caches.keys()).filter((name) => !name.startsWith("offline-")).length,
              (await indexedDB.databases()).length, localStorage.length, window.planted === undefined])()
            """
        #expect(try await other.value(kept) == ["/assets/worker.js", 0, 0, 0, true])
        // Neither from a service worker nor from a cache, and the cookie for some paths does not log the user out.
        for (path, heading) in [("/library", "Library"), ("/store", "Store")] {
            try await other.navigate(to: origin + path)
            #expect(try await other.value(Self.heading) == .string(heading))
        }
        #expect(
            try await other.value(
                "fetch('/assets/live.js').then((response) => response.text()).then((text) => text.includes('EventSource'))"
            ) == true)
        try await page.navigate(to: origin + "/library")
        #expect(try await page.value(Self.heading) == "Library")
    }
}
