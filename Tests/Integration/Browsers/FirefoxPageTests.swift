import StoreModel
import StoreTestSupport
import Testing

/// The commands of tests for elements that the page replaces meanwhile.
@Suite(.hangGuard, .needs(Firefox.program, debian: "firefox-esr")) struct FirefoxPageTests {
    /// A page that replaces its button and its field all the time.
    ///
    /// The pauses begin shorter than the time between two commands, and grow so long that a command succeeds at last.
    private static let page = """
        <!DOCTYPE html>
        <html lang="en"><meta charset="utf-8"><title>Replaced elements</title>
        <button>Count</button> <input>
        <script>
        // What is in a variable of the page is hidden from the test.
        const state = document.documentElement.dataset;
        Object.assign(state, { clicks: 0, typed: "", pause: 1 });
        function replace() {
          const button = document.createElement("button");
          button.textContent = "Count";
          // The button may be replaced before it is released, and would get no click then.
          button.onmousedown = () => { state.clicks = Number(state.clicks) + 1; state.pause = 1; };
          document.querySelector("button").replaceWith(button);
          const field = document.createElement("input");
          field.oninput = () => { state.typed += field.value; state.pause = 1; };
          document.querySelector("input").replaceWith(field);
          state.pause *= 1.2;
          setTimeout(replace, Number(state.pause));
        }
        replace();
        </script></html>
        """

    private static let state = "document.documentElement.dataset"

    @Test func `an element that the page replaces all the time is found again, and clicked once for each click`()
        async throws
    {
        let server = try await PageServer()
        try server.put("page.html", Self.page)
        let browser = try await Firefox()
        let page = try await browser.open(server.url + "page.html")
        var count = 0
        while browser.staleElementCount == 0 {
            try await page.click("button")
            count += 1
            #expect(try await page.value("\(Self.state).clicks") == .string("\(count)"))
        }
        let beforeText = browser.staleElementCount
        while browser.staleElementCount == beforeText {
            _ = try await page.value("\(Self.state).pause = 1")
            #expect(try await page.text(of: "button") == "Count")
        }
        let beforeTyping = browser.staleElementCount
        while browser.staleElementCount == beforeTyping {
            _ = try await page.value("\(Self.state).pause = 1")
            try await page.type("x", into: "input")
        }
        let typed = try #require(await page.value("\(Self.state).typed").text)
        #expect(!typed.isEmpty && typed.allSatisfy { $0 == "x" })
        #expect(try await page.value("\(Self.state).clicks") == .string("\(count)"))
    }

    @Test func `an element that does not exist is an error`() async throws {
        let server = try await PageServer()
        try server.put("page.html", Self.page)
        let page = try await Firefox().open(server.url + "page.html")
        let error = await #expect(throws: BrowserError.self) { try await page.click("button.none") }
        #expect(error?.code == "no such element" && error?.isStaleElement == false)
    }
}
