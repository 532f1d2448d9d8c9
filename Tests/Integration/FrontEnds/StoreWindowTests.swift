import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// This repository's sample window in GTK 4.
///
/// With `STORECTL_TEST_PICTURES=DIR` screenshots are stored there.
@Suite(
    .hangGuard, .needs("/usr/bin/Xvfb", debian: "xvfb"), .needs("/usr/bin/xdotool", debian: "xdotool"),
    .needs("/usr/bin/dbus-daemon", debian: "dbus-daemon"),
    .needs("/usr/libexec/at-spi-bus-launcher", debian: "at-spi2-core"),
    .needs("/usr/share/doc/gir1.2-atspi-2.0/copyright", debian: "gir1.2-atspi-2.0"),
    .needs("/usr/share/doc/gir1.2-gtk-4.0/copyright", debian: "gir1.2-gtk-4.0"),
    .needs("/usr/share/doc/python3-gi/copyright", debian: "python3-gi"))
struct StoreWindowTests {
    private let store: HeldStore
    private let home: TestHome
    private let window: StoreWindow

    init() async throws {
        (store, home) = (try await HeldStore(), try TestHome())
        try await store.add(to: home)
        window = try await StoreWindow(home)
    }

    /// Waits until most of the window has the background that a skin defines for a store's rows.
    private func looks(like skin: String) async throws {
        let sheet = try await home.must("skin", "css", skin, "--gtk").output
        let rule = try #require(
            sheet.firstMatch(of: /#store_list \{[^}]*background-color: rgba\((\d+), (\d+), (\d+), 1\.0\)/))
        let (red, green, blue) = (UInt8(rule.1) ?? 0, UInt8(rule.2) ?? 0, UInt8(rule.3) ?? 0)
        try await eventually { try window.pixels(red: red, green: green, blue: blue) > 150_000 }
    }

    @Test func `a button installs a product with live progress, and the skin changes while the window is open`()
        async throws
    {
        try await window.shows("list item", "^Cups$")
        try await looks(like: "light")
        try await window.press("Install Cups")
        try await window.shows("progress bar", "^Progress of Cups$")
        try await window.shows("label", #"^transferring, (49|50)%"#)
        try await window.shows("push button", "^Cancel Cups$")
        try window.keepPicture(as: "light")
        try await home.must("skin", "use", "dark")
        try await looks(like: "dark")
        try window.keepPicture(as: "dark")
        try await store.release(in: home)
        try await window.shows("push button", "^Remove Cups$")
        #expect(try await home.packs().keys.contains(HeldStore.product))
        // What other programs do is shown, too.
        try await home.must("uninstall", HeldStore.product)
        try await window.shows("push button", "^Install Cups$")
        #expect(window.errors.isEmpty, "\(window.errors)")
    }

    @Test func `products are found and installed with the keyboard, and a cancelled or failed installation is shown`()
        async throws
    {
        try await window.shows("list item", "^Cups$")
        try await window.keyboard("type", "nothing")
        try await window.until("no product") { items in !items.contains { $0[0] == "list item" } }
        try await window.keyboard("key", "ctrl+a", "BackSpace")
        try await window.keyboard("type", "cup")
        try await window.shows("list item", "^Cups$")
        // To the row, to its button, and there.
        try await window.keyboard("key", "Tab", "Tab", "space")
        try await window.shows("push button", "^Cancel Cups$")
        try await window.keyboard("key", "space")
        try await window.shows("push button", "^Install Cups$")
        store.origin.stop()
        try await window.press("Install Cups")
        try await window.shows("label", "hint: ")
        #expect(window.errors.isEmpty, "\(window.errors)")
    }

    @Test func `a daemon that was stopped is started again by a button, and not by the window itself`() async throws {
        try await window.shows("list item", "^Cups$")
        try await home.must("daemon", "stop")
        // The window tries to connect each second.
        try await Task.sleep(for: .seconds(3))
        #expect(home.daemonPID == nil, "the window has started the daemon")
        try await window.press("Install Cups")
        try await window.shows("push button", "^Cancel Cups$")
        #expect(window.errors.isEmpty, "\(window.errors)")
    }

    @Test func `a product that two stores have is installed from the store of its row`() async throws {
        let other = try await HeldStore()
        try await home.must("store", "add", "other", other.origin.url.absoluteString, "--unsigned")
        func count(_ role: String, _ name: String, _ items: [[String]]) -> Int { items.count { $0 == [role, name] } }
        try await window.until("two products") { count("list item", "Cups", $0) == 2 }
        try await window.press("Install Cups")
        try await window.shows("push button", "^Cancel Cups$")
        let items = try await window.items()
        #expect(count("push button", "Cancel Cups", items) == 1 && count("push button", "Install Cups", items) == 1)
        #expect(window.errors.isEmpty, "\(window.errors)")
    }

    @Test func `a window that can't start the daemon says so`() async throws {
        let window = try await StoreWindow(TestHome(), ["PATH": "/nonexistent"])
        try await window.shows("label", "No such file or directory: 'storectl'")
        #expect(window.errors.isEmpty, "\(window.errors)")
    }

    @Test func `a catalogue with the same products changes what is shown of them`() async throws {
        try await window.shows("list item", "^Cups$")
        let information = #"{"name":"Mugs","stickers":[{"id":"smile","file":"1.gif"}]}"#
        try await store.store.add(
            HeldStore.product, version: "2.0.0", information: information, files: ["1.gif": HeldStore.smile])
        try await store.store.publish()
        try await home.must("refresh")
        try await window.shows("list item", "^Mugs$")
        try await window.shows("label", "^Mugs$")
        #expect(window.errors.isEmpty, "\(window.errors)")
    }
}
