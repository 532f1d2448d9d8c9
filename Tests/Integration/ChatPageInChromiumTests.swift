import Foundation
import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Testing

/// Compares every part of the chat page in a browser with both preinstalled skins.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(
    "The page of a chat's parts in Chromium", .hangGuard, .needs(Chromium.program, debian: "chromium"))
struct ChatPageInChromiumTests {
    private let server: PageServer
    private let browser: Chromium
    private let light: ResolvedSkin
    private let dark: ResolvedSkin
    private static let address = AssetAddress.below("/skins")

    init() async throws {
        server = try await PageServer()
        browser = try Chromium()
        (light, dark) = try (Self.read("light"), Self.read("dark"))
        try server.put("skins/chat.html", ChatPage.html())
        for name in ["light", "dark"] { try server.link("skins/" + name, to: Self.folder(name)) }
        try use(light)
    }

    private static func folder(_ name: String) -> String {
        DocumentedErrorCodes.sources.deletingLastPathComponent().appending(path: "config/packs/\(name).theme").path
    }

    private static func read(_ name: String) throws -> ResolvedSkin {
        let chain = try SkinDirectory.chain(of: name) {
            try SkinDirectory(Directory.open(folder($0)), origin: .preinstalled)
        }
        return try SkinReader().read(chain, for: .desktop).skin
    }

    /// Writes the files that a newly loaded page uses.
    private func use(_ skin: ResolvedSkin) throws {
        try server.put("skins/skin.css", WebStyleSheet(skin, address: Self.address).text)
    }

    private func openPage() async throws -> Page {
        let before = server.listeners
        let page = try await browser.open(server.url + "skins/chat.html")
        while server.listeners == before { try await Task.sleep(for: .milliseconds(5)) }
        try await page.until("events.readyState === EventSource.OPEN")
        return page
    }

    @Test func `the page shows every part`() async throws {
        let elements = try await DrawnElement.all(of: openPage())
        #expect(Set(elements.keys) == Set(ChatParts.all.map(\.identifier)))
        for (identifier, drawn) in elements {
            #expect(drawn.contains { $0.width > 0 && $0.height > 0 }, "\(identifier)")
        }
    }

    @Test func `the page looks as each skin defines`() async throws {
        for skin in [light, dark] {
            try use(skin)
            let page = try await openPage()
            try await expectLooks(page, like: skin)
            try await page.keepPicture(as: skin.identifier)
        }
    }

    @Test func `the page changes by the event while it is open`() async throws {
        let page = try await openPage()
        try await change(page, from: light, to: dark)
        try await expectLooks(page, like: dark)
        try await change(page, from: dark, to: light)
        try await expectLooks(page, like: light)
        // The page loaded nothing for the change.
        #expect(try await page.value("document.getElementById('skin').href") == .string(server.url + "skins/skin.css"))
        #expect(try await page.value("document.querySelectorAll('link#skin').length") == .integer(1))
    }

    private func change(_ page: Page, from old: ResolvedSkin, to new: ResolvedSkin) async throws {
        let change = SkinDifference(from: old, to: new, address: Self.address)
        #expect(!change.rules)
        try server.send(JSON.encode(SkinEvent(change: change)))
        try await page.until("\(Self.backgroundOfWindow) === \(quoted(try background(new)))")
    }

    @Test func `the page loads the style sheet where rules changed`() async throws {
        let page = try await openPage()
        try await change(page, from: light, to: dark)
        try use(light)
        try server.send(
            JSON.encode(
                SkinEvent(
                    change: SkinDifference(
                        from: dark.reference, to: light.reference, identifiers: [:], properties: [:], rules: true))))
        try await page.until("\(Self.backgroundOfWindow) === \(quoted(try background(light)))")
        try await expectLooks(page, like: light)
    }

    @Test func `the page loads the style sheet where it may have missed a change`() async throws {
        let page = try await openPage()
        try use(dark)
        try await server.interrupt()
        try await page.until("\(Self.backgroundOfWindow) === \(quoted(try background(dark)))")
        try await expectLooks(page, like: dark)
    }

    @Test func `the page shows no older skin while it loads the style sheet once more`() async throws {
        let page = try await openPage()
        try use(dark)
        // The second request begins when the first sheet is there, before the page's own listener runs.
        _ = try await page.value(
            """
            (() => {
              reload();
              const first = [...document.querySelectorAll("link#skin")].at(-1);
              first.addEventListener("load", () => reload(), { capture: true, once: true });
              first.addEventListener("load", () => { window.shown = \(Self.backgroundOfWindow); });
              return true;
            })()
            """)
        try await page.until("window.shown !== undefined")
        #expect(try await page.value("window.shown") == .string(background(dark)))
        try await page.until("document.querySelectorAll('link#skin').length === 1")
        try await expectLooks(page, like: dark)
    }

    private struct SkinEvent: Encodable {
        let type = "skin"
        let change: SkinDifference
    }

    private static let backgroundOfWindow =
        "getComputedStyle(document.querySelector('[data-skin=chat_window]')).backgroundColor"

    private func background(_ skin: ResolvedSkin) throws -> String {
        let color = try #require(skin["chat_window"]?["backgroundColor"]?["color"]?.value(as: .color))
        return "rgb(\(color.red), \(color.green), \(color.blue))"
    }

    private func quoted(_ text: String) -> String { "'\(text)'" }

    // MARK: Comparing

    private func expectLooks(_ page: Page, like skin: ResolvedSkin) async throws {
        let elements = try await DrawnElement.all(of: page)
        var compared = 0
        for entity in skin.entities {
            let expected = ExpectedLook(entity)
            for drawn in elements[entity.identifier] ?? [] {
                let differences = expected.differences(from: drawn)
                #expect(differences == [], "\(skin.identifier), \(entity.identifier)")
                compared += expected.count
            }
        }
        #expect(compared > 700)
    }
}
