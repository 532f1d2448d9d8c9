import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The plan that the pages show before an update, in a browser.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct UpdatePlanInChromiumTests {
    private let home: TestHome
    private let store: TestStore

    /// Creates a store with new versions of all packs that are installed.
    ///
    /// That of `app` needs another pack, that of the plugin `radio` a further permission, and `cats` is held.
    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        store = try await TestStore()
        for name in ["app", "cats", "dogs"] { try await add(name) }
        try await add("radio", kind: "plugin", permissions: #""network""#)
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "app", "cats", "dogs", "radio", "--consent", "code,network")
        try await home.must("hold", "cats")
        try await add("base")
        try await add("app", version: "2.0.0", requiring: #""base""#, changes: "New: a blue cup")
        for name in ["cats", "dogs"] { try await add(name, version: "2.0.0") }
        try await add("radio", version: "2.0.0", kind: "plugin", permissions: #""network","messages.read""#)
        try await store.publish()
        try await home.must("refresh")
    }

    private func add(
        _ identifier: String, version: String = "1.0.0", kind: String = "sticker", requiring dependencies: String = "",
        permissions: String = "", changes: String = ""
    ) async throws {
        try await store.add(
            identifier, version: version, kind: kind,
            information: """
                {"name":{"en":"The \(identifier)"},"dependencies":[\(dependencies)],"permissions":[\(permissions)],
                "changes":{"en":"\(changes)"}}
                """,
            files: kind == "plugin"
                ? ["README.txt": Data(version.utf8)]
                : ["a.png": TestStore.bytes(2000, seed: version.utf8.reduce(0) { $0 + UInt64($1) })])
    }

    /// Logs a browser in, and opens the library.
    private func open() async throws -> Page {
        let page = try await Chromium().logIn(to: home, at: "/library")
        try await page.until("document.querySelector('#updates form')")
        return page
    }

    private func versions() async throws -> [String: String] {
        try await home.packs().mapValues { $0["version"].text ?? "" }
    }

    private static let before = ["app": "1.0.0", "cats": "1.0.0", "dogs": "1.0.0", "radio": "1.0.0"]

    @Test func `the plan of all updates is shown, and nothing happens before it is confirmed`() async throws {
        let page = try await open()
        try await page.press(button: "Update all")
        try await page.until("\(Page.dialog)?.open")
        let text = try #require(await page.value(Page.dialogText).text)
        for part in [
            "The app Sticker pack · 1.0.0 → 2.0.0 · ", "unsigned store", "What is new New: a blue cup",
            "The base Sticker pack · 1.0.0 · ", "needed by The app", "The dogs Sticker pack · 1.0.0 → 2.0.0",
            "To download", "at most ", "Size on disk", "Free space", "Kept back The cats 1.0.0 → 2.0.0 · held",
            "The radio 1.0.0 → 2.0.0 · Permissions: ",
        ] { #expect(text.contains(part), "\(part): \(text)") }
        // The heading is read first; the page behind can't be reached.
        #expect(try await page.value("document.activeElement.id") == .string("dialog-title"))
        #expect(try await page.value("\(Page.dialog).matches(':modal')") == .bool(true))
        try await page.keepPicture(as: "plan-light")
        try await page.press(.escape)
        try await page.until("!\(Page.dialog)")
        #expect(try await page.value("document.activeElement.textContent") == .string("Update all"))
        #expect(try await page.value("document.getElementById('status').textContent") == .string("cancelled"))
        try await page.press(button: "Update all")
        try await page.until("\(Page.dialog)?.open")
        try await page.press(button: "Cancel")
        try await page.until("!\(Page.dialog)")
        #expect(try await page.value("location.pathname") == .string("/library"))
        #expect(try await versions() == Self.before)

        try await page.press(button: "Update all")
        try await page.until("\(Page.dialog)?.open")
        try await page.press(button: "Update")
        try await page.until("!\(Page.dialog) && document.getElementById('pack-base')")
        try await page.until("document.getElementById('pack-dogs').textContent.includes('version 2.0.0')")
        try await page.until("document.getElementById('pack-app').textContent.includes('version 2.0.0')")
        let after = ["app": "2.0.0", "base": "1.0.0", "cats": "1.0.0", "dogs": "2.0.0", "radio": "1.0.0"]
        #expect(try await versions() == after)
    }

    @Test func `packs are selected, and a selection outlasts a change of the page`() async throws {
        let page = try await open()
        try await page.press(button: "Update selected")
        try await page.until("\(Page.dialogText)?.includes('No pack is selected.')")
        try await page.press(button: "Back")
        try await page.until("!\(Page.dialog)")
        _ = try await page.value("document.querySelector('[name=\"pack:dogs\"]').click()")
        try await home.must("unhold", "cats")
        try await page.until("document.querySelector('[name=\"pack:cats\"]')")
        try await page.press(button: "Update selected")
        try await page.until("\(Page.dialogText)?.includes('The dogs')")
        #expect(try await page.value(Page.dialogText + ".includes('The app')") == .bool(false))
        try await page.press(button: "Update")
        try await page.until("document.getElementById('pack-dogs').textContent.includes('version 2.0.0')")
        #expect(try await versions() == Self.before.merging(["dogs": "2.0.0"]) { $1 })
    }

    @Test func `a version with a further permission is only installed with consent`() async throws {
        let page = try await open()
        // From the plan of all updates to that of the one that it leaves out.
        try await page.press(button: "Update all")
        try await page.until("\(Page.dialog)?.open")
        try await page.press(button: "Update: The radio")
        try await page.until("\(Page.dialogText)?.includes('Allow and update')")
        #expect(try await page.value("document.querySelectorAll('dialog').length") == .integer(1))
        let permissions = "[...\(Page.dialog).querySelectorAll('li li')].map((item) => item.textContent).join()"
        #expect(try await page.value(permissions) == .string("read messages"))
        try await page.press(.escape)
        try await page.until("!\(Page.dialog)")
        #expect(try await page.value("document.activeElement.textContent") == .string("Update all"))
        #expect(try await versions() == Self.before)
        // The plan that is confirmed is the one that was shown.
        try await page.press(button: "Update: The radio")
        try await page.until("\(Page.dialog)?.open")
        try await add("radio", version: "3.0.0", kind: "plugin", permissions: #""network","messages.read""#)
        try await store.publish()
        try await home.must("refresh")
        try await page.press(button: "Allow and update")
        try await page.until("document.querySelector('#main .notice.error')")
        #expect(try await page.value("document.querySelector('#main .facts').textContent") == "conflict.plan-changed")
        #expect(try await versions() == Self.before)
        try await page.show("/store/shop/radio")
        try await page.press(button: "Update: The radio")
        try await page.until("\(Page.dialogText)?.includes('1.0.0 → 3.0.0')")
        try await page.press(button: "Allow and update")
        try await page.until("!\(Page.dialog) && document.getElementById('product').textContent.includes('Installed')")
        try await page.until("document.getElementById('product').textContent.includes('Installed version3.0.0')")
        #expect(try await versions() == Self.before.merging(["radio": "3.0.0"]) { $1 })
    }

    @Test func `forms alone show the plan, cancel it and confirm it`() async throws {
        let client = try await WebClient.logIn(home)
        let library = try await client.get("/library")
        #expect(library.body.contains(#"<form method="get" action="/updates" data-dialog>"#))
        let back = ["Referer": client.origin + "/library"]
        let plan = try await client.get("/updates?all=true", back)
        #expect(plan.status == 200 && plan.body.contains(#"<a href="/library" data-cancel>Cancel</a>"#), "\(plan)")
        #expect(try await versions() == Self.before)
        let form = try PageForm(plan.body)
        let done = try await client.post(
            form.action, form.body, ["Referer": client.origin + "/updates?all=true"])
        #expect(done.status == 303 && done.headers["location"] == "/library", "\(done)")
        while try await versions()["dogs"] != "2.0.0" { try await Task.sleep(for: .milliseconds(20)) }

        // Without the consent of the form, the server asks for it.
        let radio = try PageForm(await client.get("/updates?pack:radio=true", back).body)
        let fields = radio.fields.filter { $0.name != "consent" }
        #expect(fields.count < radio.fields.count)
        let refused = try await client.post(radio.action, PageForm(action: radio.action, fields: fields).body)
        #expect(refused.body.contains("Allow and install") && refused.body.contains("read messages"), "\(refused)")
        #expect(try await versions()["radio"] == "1.0.0")
        let consent = try PageForm(refused.body)
        #expect(try await client.post(consent.action, consent.body).status == 303)
        while try await versions()["radio"] != "2.0.0" { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await client.get("/updates?pack:radio=true").body.contains("All packs are up to date."))
        #expect(try await client.get("/updates?pack:none=true").body.contains("is not installed."))
    }

    @Test(.enabled(if: AccessibilityRules.path != nil, "axe-core is missing (PyPI: axe-playwright-python)"))
    func `the plan follows the rules of accessibility, as a page and as a dialog, in each window`() async throws {
        let page = try await open()
        for language in ["en", "ar"] {
            try await page.read(language: language)
            for path in ["/updates?all=true", "/updates?pack:radio=true", "/library"] {
                try await page.show(path)
                if path == "/library" {
                    _ = try await page.value("document.querySelector('#updates button').click()")
                    try await page.until("\(Page.dialog)?.open")
                }
                let name = path == "/library" ? "dialog" : path.contains("radio") ? "consent" : "page"
                try await AccessibilityRules.expectFollowed(
                    by: page, as: "plan-\(name)-\(language)", isDecidable: false
                ) { _ in
                    "\(Page.dialog)?.scrollWidth > \(Page.dialog)?.clientWidth ? 'the dialog is too wide' : ''"
                }
            }
        }
    }
}
