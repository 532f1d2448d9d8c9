import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The library in a browser: several packs removed at once, what nothing needs, rollback, and the use of the disk.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(.hangGuard, .needs(Chromium.program, debian: "chromium")) struct LibraryPageInChromiumTests {
    private let home: TestHome
    private let store: TestStore

    /// Installs `app`, which needs `base`, and `cats` and `dogs`.
    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        store = try await TestStore()
        try await add("app", requiring: #""base""#)
        for name in ["base", "cats", "dogs"] { try await add(name) }
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "app", "cats", "dogs")
    }

    private func add(_ identifier: String, version: String = "1.0.0", requiring needed: String = "") async throws {
        try await store.add(
            identifier, version: version,
            information: #"{"name":{"en":"The \#(identifier)"},"dependencies":[\#(needed)]}"#,
            files: ["a.png": TestStore.bytes(2000, seed: UInt64(version.utf8.first ?? 0))])
    }

    private func open() async throws -> Page {
        let page = try await Chromium().logIn(to: home, at: "/library")
        try await page.until("document.getElementById('selection')")
        return page
    }

    private func installed() async throws -> [String] { try await home.packs().keys.sorted() }

    @Test func `several packs are removed at once, after the plan was shown`() async throws {
        let page = try await open()
        try await page.press(button: "Remove selected")
        try await page.until("\(Page.dialogText)?.includes('No pack is selected.')")
        try await page.press(.escape)
        try await page.until("!\(Page.dialog)")
        for name in ["cats", "dogs", "base"] {
            _ = try await page.value("document.querySelector('[name=\"select:\(name)\"]').click()")
        }
        // A selection outlasts a change of the page.
        try await home.must("hold", "cats")
        try await page.until("document.getElementById('pack-cats').textContent.includes('held')")
        try await page.press(button: "Remove selected")
        try await page.until("\(Page.dialog)?.open")
        let shown = try #require(await page.value(Page.dialogText).text)
        for part in ["The cats Sticker pack · 1.0.0 · ", "The dogs", "The base: 'base' is needed by", "Size on disk"] {
            #expect(shown.contains(part), "\(part): \(shown)")
        }
        #expect(try await page.value("document.activeElement.id") == "dialog-title")
        #expect(try await installed() == ["app", "base", "cats", "dogs"])
        try await page.keepPicture(as: "library-removal")
        try await page.press(button: "Remove")
        try await page.until("!\(Page.dialog) && !document.getElementById('pack-dogs')")
        #expect(try await installed() == ["app", "base"])
    }

    @Test func `several packs are held, released and verified at once, and the result is announced`() async throws {
        let page = try await open()
        func text(_ pack: String) -> String { "document.getElementById('pack-\(pack)').textContent" }
        func select(_ packs: String...) async throws {
            for name in packs {
                _ = try await page.value("document.querySelector('[name=\"select:\(name)\"]').click()")
            }
        }
        try await page.press(button: "Hold selected")
        try await page.until("\(Page.dialogText)?.includes('No pack is selected.')")
        try await page.press(.escape)
        try await page.until("!\(Page.dialog) && !document.querySelector('#selection [aria-disabled]')")
        try await select("cats", "dogs")
        try await page.press(button: "Hold selected")
        try await page.until("\(text("cats")).includes('held') && \(text("dogs")).includes('held')")
        #expect(try await page.value("\(text("app")).includes('held')") == false)
        // The selection is as it was.
        try await page.press(button: "Release selected")
        try await page.until("!\(text("cats")).includes('held') && !\(text("dogs")).includes('held')")
        try await page.press(button: "Verify selected")
        try await page.until("\(Page.dialog)?.open")
        let status = "document.getElementById('status').textContent"
        #expect(try await page.value(status).text == "2 packs are intact.")
        #expect(try await page.value("document.activeElement.id") == "dialog-title")
        try await page.press(.escape)
        try await page.until("!\(Page.dialog) && \(status) === ''")

        // A damaged pack is repaired from the dialog, without leaving the page.
        let file = URL(filePath: home.path + "/data/packs/dogs.stickers/a.png")
        let bytes = try Data(contentsOf: file)
        try bytes.dropLast().write(to: file)
        try await page.press(button: "Verify selected")
        try await page.until("\(Page.dialogText)?.includes('a.png: changed')")
        #expect(try await page.value(status).text == "1 pack is damaged. 1 pack is intact.")
        #expect(
            try await page.value("document.querySelector('dialog').getAttribute('aria-describedby')")
                == "dialog-result")
        try await page.keepPicture(as: "library-verification")
        try await page.press(button: "Repair: The dogs")
        try await page.until("!\(Page.dialog) && location.pathname === '/library'")
        try await home.must("install", "dogs")
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test func `what nothing needs any more is shown and removed`() async throws {
        let page = try await open()
        #expect(try await page.value("document.getElementById('unneeded')") == .null)
        _ = try await page.value("document.querySelector('[name=\"select:app\"]').click()")
        try await page.press(button: "Remove selected")
        try await page.until("\(Page.dialogText)?.includes('nothing needs these packs any more; they stay: The base')")
        try await page.press(button: "Remove")
        // An event may show it while the dialog is still open.
        try await page.until(
            "!\(Page.dialog) && document.getElementById('unneeded')?.textContent.includes('The base')")
        #expect(try await installed() == ["base", "cats", "dogs"])
        try await page.keepPicture(as: "library-unneeded")
        try await page.press(button: "Remove what is not needed")
        try await page.until("\(Page.dialogText)?.includes('The base')")
        #expect(try await page.value(Page.dialogText + ".includes('The cats')") == false)
        try await page.press(button: "Remove")
        try await page.until("!\(Page.dialog) && !document.getElementById('unneeded')")
        #expect(try await installed() == ["cats", "dogs"])
    }

    @Test func `a rollback is offered after an update, and not after the rollback`() async throws {
        let page = try await open()
        let button = "document.querySelector('#pack-cats [aria-label=\"Roll back: The cats\"]')"
        #expect(try await page.value(button) == .null)
        try await add("cats", version: "2.0.0")
        try await store.publish()
        try await home.must("update", "cats", "--yes")
        try await page.until(button)
        #expect(try await page.value("document.querySelector('#pack-dogs [aria-label^=\"Roll back\"]')") == .null)
        _ = try await page.value("\(button).click()")
        try await page.until("document.getElementById('pack-cats').textContent.includes('version 1.0.0')")
        try await page.until("!\(button)")
    }

    @Test func `forms alone remove packs, and do no more than their page shows`() async throws {
        let client = try await WebClient.logIn(home)
        let back = ["Referer": client.origin + "/library"]
        let page = try await client.get("/removals?select:cats=true&select:dogs=true", back)
        let form = try PageForm(page.body)
        #expect(page.body.contains(#"<a href="/library" data-cancel>"#), "\(page)")
        #expect(try await installed() == ["app", "base", "cats", "dogs"])
        // Another version than that of the page.
        try await add("cats", version: "2.0.0")
        try await store.publish()
        try await home.must("update", "cats", "--yes")
        let changed = try await client.post(form.action, form.body, ["Referer": client.origin + "/removals"])
        #expect(changed.body.contains("conflict.plan-changed"), "\(changed)")
        #expect(try await installed() == ["app", "base", "cats"])
        try await home.must("uninstall", "app")
        let unneeded = try PageForm(await client.get("/removals?unneeded=true", back).body)
        let done = try await client.post(unneeded.action, unneeded.body, ["Referer": client.origin + "/removals"])
        #expect(done.status == 303 && done.headers["location"] == "/library", "\(done)")
        #expect(try await installed() == ["cats"])
        #expect(try await client.get("/removals?select:none=true").body.contains("is not installed"))
    }

    @Test func `the use of the disk is shown with previous versions and archives`() async throws {
        let client = try await WebClient.logIn(home)
        func sizes() async throws -> [String] {
            let page = try await client.get("/library/disk").body
            return page.matches(of: /<td><bdi>([^<]*)<\/bdi><\/td>/).map { String($0.1) }
        }
        let before = try await sizes()
        // Four packs of about 2 kB, and no previous version.
        #expect(before.count >= 8 && before[0].hasPrefix("8.") && before[1] == "0 bytes", "\(before)")
        try await add("cats", version: "2.0.0")
        try await store.publish()
        try await home.must("update", "cats", "--yes")
        let after = try await sizes()
        #expect(after[0] == before[0] && after[1].hasSuffix(" kB"), "\(after)")
    }

    @Test(.enabled(if: AccessibilityRules.path != nil, "axe-core is missing (PyPI: axe-playwright-python)"))
    func `the library and its pages follow the rules of accessibility, in each window and direction`() async throws {
        try await home.must("uninstall", "app")
        try Data().write(to: URL(filePath: home.path + "/data/packs/dogs.stickers/a.png"))
        let page = try await open()
        for language in ["en", "ar"] {
            try await page.read(language: language)
            for path in [
                "/library", "/library/disk", "/library/history", "/removals?unneeded=true", "/removals?selected=true",
                "/verification?select:cats=true&select:dogs=true",
            ] {
                try await page.show(path)
                let name = "\(path.dropFirst().prefix { $0 != "=" })-\(language)"
                try await AccessibilityRules.expectFollowed(by: page, as: name, isDecidable: false)
            }
        }
    }
}
