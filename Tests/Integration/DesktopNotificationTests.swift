import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Notifications of a real daemon on the bus of a desktop session.
@Suite(
    .hangGuard, .needs("/usr/bin/dbus-daemon", debian: "dbus-daemon"), .needs("/usr/bin/script", debian: "bsdutils"),
    .needsDesktop)
struct DesktopNotificationTests {
    private let desktop: NotificationDesktop
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        desktop = try await NotificationDesktop()
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0", "DBUS_SESSION_BUS_ADDRESS": desktop.address])
        origin = try Origin()
    }

    /// Serves products in a version, and adds the store.
    private func serve(_ products: [String], version: String = "1.0.0", with more: [String: Any] = [:]) async throws {
        let pack = StoreDocuments.pack(version.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        origin.serve("/\(version).zip", pack)
        StoreDocuments.formatTwo(
            products.map { product in
                StoreDocuments.product(product, version: version, archive: pack, at: "/\(version).zip", with: more)
            }, on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    private func installOnPage(_ product: String, _ client: WebClient) async throws {
        let answer = try await client.post("/actions/downloads", "productIdentifier=\(product)")
        try #require(answer.status == 303, "\(answer)")
    }

    /// Stops the daemon, which closes its notifications, and reports nothing more of what has ended.
    private func stopDaemon() async throws {
        try await home.must("daemon", "stop")
        try await eventually { try desktop.notifications.isEmpty }
    }

    @Test func `an installation that was begun on a page is shown when it has ended, and its button opens the product`()
        async throws
    {
        try await serve(["org.example.cups"], with: ["productName": "Cups <b>&"])
        try await installOnPage("org.example.cups", try await WebClient.logIn(home))
        try await eventually { try !desktop.notifications.isEmpty }
        let (number, shown) = try #require(try desktop.notifications.first)
        #expect(shown.title == "Installed Cups <b>&" && shown.body == "From the store 'shop'", "\(shown)")
        #expect(shown.actions == ["default", "Open", "open", "Open"])
        try desktop.press("default", of: number)
        try await eventually { try desktop.calls.contains { $0.method == "OpenURI" } }
        let opened = try #require(try desktop.calls.last { $0.method == "OpenURI" }?.address)
        let page = try await WebClient.follow(opened)
        #expect(page.path == "/store/shop/org.example.cups" && page.answer.status == 200)
        // The daemon ends with its notification.
        try await home.must("daemon", "stop")
        try await eventually { try desktop.notifications.isEmpty }
    }

    @Test func `fifty installations at once are one notification`() async throws {
        let products = (1...50).map { "org.example.pack\($0)" }
        try await serve(products)
        let client = try await WebClient.logIn(home)
        try await withThrowingTaskGroup { group in
            for product in products { group.addTask { try await installOnPage(product, client) } }
            try await group.waitForAll()
        }
        try await eventually { try desktop.notifications.values.contains { $0.title == "Installed 50 packs" } }
        #expect(try desktop.notifications.count == 1)
        #expect(try desktop.calls.allSatisfy { $0.method == "Notify" && $0.number == 1 })
    }

    @Test func `an installation that a program began is shown, unless the terminal shows it in which it was begun`()
        async throws
    {
        let large = StoreDocuments.pack(2, size: 10_000)
        let pack = StoreDocuments.pack(1)
        origin.serve("/a.zip", pack)
        origin.serve("/b.zip", large)
        StoreDocuments.formatTwo(
            ["seen", "unseen"].map { StoreDocuments.product("org.example.\($0)", archive: pack, at: "/a.zip") }
                + [StoreDocuments.product("org.example.left", archive: large, at: "/b.zip")], on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        func startInTerminal(_ product: String) throws -> Programs.Running {
            try Programs.start(
                "/usr/bin/script",
                ["-qec", "\(Programs.path("storectl")) install org.example.\(product) --yes", "/dev/null"],
                environment: home.environment)
        }
        #expect(try await startInTerminal("seen").result().exit == 0)
        try await home.must("install", "org.example.unseen")
        try await eventually { try !desktop.notifications.isEmpty }
        #expect(try desktop.calls.map(\.title) == ["Installed org.example.unseen"])

        // A terminal that was closed shows nothing.
        origin.always("/b.zip", .stallAt(5000))
        let terminal = try startInTerminal("left")
        await origin.untilStalled()
        func observers() async throws -> JSONValue {
            try await home.must("daemon", "status", "--json").json["observers"] ?? .null
        }
        try await eventually { try await observers() == 1 }
        terminal.signal(SIGKILL)
        try await eventually { try await observers() == 0 }
        origin.release()
        try await eventually { try desktop.calls.last?.title == "Installed 2 packs" }
        #expect(try desktop.calls.last?.body == "org.example.unseen, org.example.left")
    }

    @Test func `updates that the periodic check finds are shown once, and installed by the button`() async throws {
        try await serve(["org.example.cups", "org.example.cats"])
        try await home.must("install", "org.example.cups", "org.example.cats")
        try await stopDaemon()
        try await home.must("hold", "org.example.cats")
        try await serve(["org.example.cups", "org.example.cats"], version: "2.0.0")
        try await home.must("config", "set", "updates.checkEvery", "1")
        try await eventually { try !desktop.notifications.isEmpty }
        let (number, shown) = try #require(try desktop.notifications.first)
        // A pack that is held is none that waits for an update.
        #expect(shown.title == "Update for org.example.cups" && shown.body == "org.example.cups 2.0.0", "\(shown)")
        try desktop.press("update", of: number)
        try await eventually { try desktop.notifications.values.contains { $0.title == "Updated org.example.cups" } }
        #expect(try await home.packs()["org.example.cups"]?["version"].text == "2.0.0")
        #expect(try await home.packs()["org.example.cats"]?["version"].text == "1.0.0")
        #expect(try desktop.calls.count { $0.title == "Update for org.example.cups" } == 1)
    }

    @Test func `an update for which the user has to consent opens the plugin's page`() async throws {
        let store = try await TestStore()
        func publish(_ version: String, _ permissions: String) async throws {
            try await store.add(
                "weather", version: version, kind: "plugin", information: #"{"permissions":[\#(permissions)]}"#,
                files: ["README.txt": Data(version.utf8)])
            try await store.publish()
        }
        try await publish("1.0.0", #""network""#)
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "weather", "--consent", "code,network")
        try await stopDaemon()
        try await publish("2.0.0", #""network","files""#)
        try await home.must("config", "set", "updates.checkEvery", "1")
        try await eventually { try !desktop.notifications.isEmpty }
        let (number, shown) = try #require(try desktop.notifications.first)
        #expect(shown.title?.hasSuffix(" needs your consent") == true, "\(shown)")
        #expect(shown.body == "Permissions: read and write files", "\(shown)")
        try desktop.press("open", of: number)
        try await eventually { try desktop.calls.contains { $0.method == "OpenURI" } }
        let page = try await WebClient.follow(try #require(try desktop.calls.last?.address))
        #expect(page.path == "/store/shop/weather" && page.answer.body.contains("read and write files"), "\(page)")
        #expect(try await home.packs()["weather"]?["version"].text == "1.0.0")
    }

    @Test func `a desktop that does not respond delays neither installations nor the end of the daemon`() async throws {
        try await serve((1...5).map { "org.example.pack\($0)" })
        let client = try await WebClient.logIn(home)
        desktop.suspend()
        defer { desktop.resume() }
        for number in 1...5 { try await installOnPage("org.example.pack\(number)", client) }
        try await eventually { try await home.packs().count == 5 }
        try await home.must("daemon", "stop")
        #expect(home.daemonPID == nil)
    }
}
