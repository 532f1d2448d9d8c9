import StoreModel
import StoreTestSupport
import Testing

extension Chromium {
    /// Logs the browser in to the pages of a home by a one-time link, opens one of them, and waits until its script runs.
    func logIn(to home: TestHome, at path: String = "/store") async throws -> Page {
        let page = try await open(WebClient.link(home))
        try await page.until("location.pathname === '/store' && document.readyState === 'complete'")
        try await page.stayVisible()
        if path != "/store" { try await page.show(path) }
        try await page.until("document.getElementById('offline').hidden")
        return page
    }

    /// Logs the browser in to the pages of a home, and opens the windows of both people of the chat.
    func openChat(of home: TestHome) async throws -> (ada: Page, bo: Page) {
        let ada = try await logIn(to: home, at: "/chat?as=a")
        try await ada.until("!document.getElementById('chat').hidden")
        let bo = try await open(try #require(await ada.value("location.origin").text) + "/chat?as=b")
        try await bo.stayVisible()
        try await bo.until("!document.getElementById('chat').hidden")
        try await ada.until("!document.getElementById('presence').hidden")
        return (ada, bo)
    }
}

extension Page {
    /// An expression for the dialog over the page.
    static let dialog = "document.querySelector('dialog')"

    /// An expression for the text of the dialog, in which each white space is one space.
    static let dialogText = "\(dialog)?.textContent.replace(/\\s+/g, ' ')"

    /// Presses a button as users of the keyboard do; while there is a dialog, one of it, or its link that cancels.
    func press(button label: String) async throws {
        let button = """
            [...(document.querySelector("dialog") ?? document).querySelectorAll("button, a[data-cancel]")]
              .find((button) => (button.getAttribute("aria-label") ?? button.textContent) === \(quoted(label)))
            """
        _ = try await value("\(button).focus()")
        try await press(.enter)
    }

    /// Checks that nothing is wider than a narrow window, in either direction of writing.
    func expectNarrow(_ name: String, location: SourceLocation = #_sourceLocation) async throws {
        try await resize(width: 320, height: 640)
        for direction in ["ltr", "rtl"] {
            _ = try await value("document.documentElement.dir = '\(direction)'")
            try await expectNoWider(than: 320, "\(name) \(direction)", location: location)
        }
    }

    /// Checks that the page does not have to be scrolled sideways in a window of that width.
    func expectNoWider(than width: Int, _ name: String, location: SourceLocation = #_sourceLocation) async throws {
        let isNarrow = try await value("document.documentElement.scrollWidth <= \(width)")
        #expect(isNarrow == .bool(true), "\(name) \(width)", sourceLocation: location)
    }

    // MARK: Events

    /// An expression for the number of event streams that the page keeps open.
    static let openStreamCount = "streams.filter(({ readyState }) => readyState !== EventSource.CLOSED).length"

    /// Replaces the event streams of each document that the page loads from now on by ones that get no events.
    ///
    /// The variable `streams` has them all; `end` ends one as a refusal by the daemon does.
    func replaceEventStreams() async throws {
        try await runInEachDocument(
            """
            window.streams = [];
            window.EventSource = class extends EventTarget {
              static CLOSED = 2;
              readyState = 1;
              constructor() { super(); streams.push(this); }
              close() { this.readyState = EventSource.CLOSED; }
              end() { this.close(); this.send("error"); }
              send(type) { this.dispatchEvent(new Event(type)); this["on" + type]?.(); }
            };
            """)
    }

    /// Hides the page, as a window that is covered, or shows it again.
    func setVisible(_ isVisible: Bool) async throws {
        _ = try await value(
            """
            Object.defineProperty(document, "visibilityState", { value: "\(isVisible ? "visible" : "hidden")", configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            """)
    }

    /// Waits in the page, for what it must not do meanwhile.
    func rest(milliseconds: Int) async throws {
        _ = try await value("new Promise((resolve) => setTimeout(resolve, \(milliseconds)))")
    }

    // MARK: Stickers and messages

    /// Records a sticker as sent, as another front-end does.
    func recordSent(_ sticker: String, of pack: String) async throws {
        let sent = #"{"stickers":[{"productIdentifier":"\#(pack)","sticker":"\#(sticker)"}]}"#
        _ = try await value(
            """
            fetch("/v1/stickers/sent", { method: "POST", body: '\(sent)', headers: { "Content-Type": "application/json" } })
            """)
    }

    /// Sends a text in the chat.
    func write(_ text: String) async throws {
        _ = try await value(
            """
            (() => {
              const field = document.getElementById("text");
              field.value = \(quoted(text));
              field.form.requestSubmit();
            })()
            """)
    }

    private func quoted(_ text: String) -> String { JSONValue.string(text).asWritten }
}
