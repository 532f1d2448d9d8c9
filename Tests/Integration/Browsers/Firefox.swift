import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Synchronization

/// A headless Firefox of Debian, controlled with Marionette, the protocol beneath WebDriver, over a loopback connection.
final class Firefox: Sendable {
    static let program = "/usr/bin/firefox-esr"

    private let folder: TemporaryFolder
    private let process: ChildProcess
    fileprivate let connection: BrowserConnection
    fileprivate let staleElements = Mutex(0)

    /// The number of times that a page replaced an element between the command that found it and the one that used it.
    var staleElementCount: Int { staleElements.withLock { $0 } }

    /// What Firefox does by itself, such as fetching updates and offering to be the default browser, is switched off.
    private static let preferences: [String: JSONValue] = [
        "app.normandy.enabled": .bool(false), "app.update.disabledForTesting": .bool(true),
        "browser.shell.checkDefaultBrowser": .bool(false), "datareporting.policy.dataSubmissionEnabled": .bool(false),
        "extensions.update.enabled": .bool(false), "marionette.port": .integer(0),
        "network.captive-portal-service.enabled": .bool(false), "network.connectivity-service.enabled": .bool(false),
        "toolkit.telemetry.server": .string(""),
    ]

    /// Starts the browser.
    ///
    /// - Parameters:
    ///   - language: the language in which the user reads pages.
    ///   - runsScripts: whether the browser runs the scripts of pages.
    init(language: String = "en", runsScripts: Bool = true) async throws {
        folder = try TemporaryFolder()
        let profile = folder.path + "/profile"
        let own: [String: JSONValue] = [
            "intl.accept_languages": .string(language), "javascript.enabled": .bool(runsScripts),
        ]
        let lines = Self.preferences.merging(own) { $1 }.map { name, value in
            "user_pref(\"\(name)\", \(value.asWritten));\n"
        }
        try folder.directory.put("profile/user.js", lines.sorted().joined())
        // The access to the browser itself is needed for its console and the size of pages.
        process = try ChildProcess(
            Self.program,
            ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path], errors: folder.path + "/errors")
        let socket = try await Self.connect(process) {
            // The browser writes the file once it listens.
            (try? String(contentsOfFile: profile + "/MarionetteActivePort", encoding: .utf8)).flatMap { UInt16($0) }
        }
        connection = BrowserConnection(.marionette, to: process, commands: socket, answers: socket)
        guard try await connection.greeting()["marionetteProtocol"] == .integer(3) else {
            throw BrowserError(description: "Firefox has another version of the protocol")
        }
        // A page may take as long as it needs: no test passes or fails by the clock.
        let day = JSONValue.integer(86_400_000)
        let capabilities: JSONValue = .object(["timeouts": .object(["script": day, "pageLoad": day])])
        _ = try await connection.run { call in
            try call("WebDriver:NewSession", ["capabilities": .object(["alwaysMatch": capabilities])])
        }
    }

    deinit { process.signal(SIGKILL) }

    private static func connect(_ process: ChildProcess, port: () -> UInt16?) async throws -> Int32 {
        while process.isRunning {
            if let port = port() {
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
                let result = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                        Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                if result == 0 { return descriptor }
                close(descriptor)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BrowserError(description: "Firefox ended before it listened")
    }

    /// Opens a page in a window of its own, and waits until it is loaded.
    func open(_ address: String) async throws -> FirefoxPage {
        let window = try await connection.run { call in
            try call("WebDriver:NewWindow", ["type": .string("window"), "focus": .bool(true)])["handle"]
        }
        let page = FirefoxPage(browser: self, window: window)
        try await page.load(address)
        return page
    }
}

/// A page of Firefox.
struct FirefoxPage: BrowserPage {
    fileprivate let browser: Firefox
    fileprivate let window: JSONValue

    func value(_ expression: String) async throws -> JSONValue { try await value(expression, ofBrowser: false) }

    /// Returns the value of a JavaScript expression.
    ///
    /// - Parameter ofBrowser: whether the expression is evaluated in the window of the browser instead of in the page.
    private func value(_ expression: String, ofBrowser: Bool) async throws -> JSONValue {
        let script = """
            const done = arguments[arguments.length - 1];
            Promise.resolve().then(() => (\(expression))).then((value) => done({ value }), (error) => done({ error: String(error) }));
            """
        let answer = try await run { call in
            if ofBrowser { _ = try call("Marionette:SetContext", ["value": .string("chrome")]) }
            defer { if ofBrowser { _ = try? call("Marionette:SetContext", ["value": .string("content")]) } }
            return try call("WebDriver:ExecuteAsyncScript", ["script": .string(script), "args": .array([])])["value"]
        }
        if let error = answer["error"].text { throw BrowserError(description: error) }
        return answer["value"]
    }

    /// Runs commands for the page's window.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (BrowserConnection.Call) throws -> Value
    ) async throws -> Value {
        try await browser.connection.run { [window] call in
            _ = try call("WebDriver:SwitchToWindow", ["handle": window, "focus": .bool(false)])
            return try body(call)
        }
    }

    func load(_ address: String) async throws {
        try await run { call in _ = try call("WebDriver:Navigate", ["url": .string(address)]) }
    }

    func resize(width: Int, height: Int) async throws {
        // The window of the browser itself can't be as narrow as a page.
        let style = "window.gBrowser.selectedBrowser.style.setProperty"
        let sizes = ["min-width": width, "max-width": width, "min-height": height, "max-height": height]
        let calls = sizes.map { "\(style)('\($0)', '\($1)px')" }.joined(separator: ", ")
        _ = try await value("(\(calls), true)", ofBrowser: true)
        try await until("innerWidth === \(width) && innerHeight === \(height)")
    }

    func press(_ key: BrowserKey) async throws {
        // The code points that WebDriver gives to keys.
        let text =
            switch key {
            case .enter: "\u{E007}"
            case .tab: "\u{E004}"
            case .escape: "\u{E00C}"
            case .left: "\u{E012}"
            case .right: "\u{E014}"
            case .space: " "
            }
        let actions = ["keyDown", "keyUp"].map { JSONValue.object(["type": .string($0), "value": .string(text)]) }
        try await run { call in
            _ = try call(
                "WebDriver:PerformActions",
                ["actions": .array([["type": "key", "id": "keyboard", "actions": .array(actions)]])])
        }
    }

    func picture() async throws -> Data {
        let answer = try await run { call in try call("WebDriver:TakeScreenshot", ["full": .bool(true)])["value"] }
        return Data(base64Encoded: answer.text ?? "") ?? Data()
    }

    // MARK: Without scripts of the page

    /// Clicks an element where a user can see it, and waits for the page to which the click leads.
    func click(_ selector: String) async throws {
        try await withElement(selector) { element, call in _ = try call("WebDriver:ElementClick", ["id": element]) }
    }

    /// Types a text into a field, key by key.
    func type(_ text: String, into selector: String) async throws {
        try await withElement(selector) { element, call in
            _ = try call("WebDriver:ElementSendKeys", ["id": element, "text": .string(text)])
        }
    }

    /// Returns the text of an element as it is shown.
    func text(of selector: String) async throws -> String {
        try await withElement(selector) { element, call in
            try call("WebDriver:GetElementText", ["id": element])["value"].text ?? ""
        }
    }

    /// The address of the page.
    var address: String {
        get async throws { try await run { call in try call("WebDriver:GetCurrentURL", [:])["value"].text ?? "" } }
    }

    /// Finds an element, and runs a command with it.
    ///
    /// The page may replace the element between the two commands. It is then found again, as often as that happens.
    private func withElement<Value: Sendable>(
        _ selector: String, _ body: @escaping @Sendable (JSONValue, BrowserConnection.Call) throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await run { call in
                    let query: [String: JSONValue] = ["using": "css selector", "value": .string(selector)]
                    let found = try call("WebDriver:FindElement", query)["value"]
                    guard case .object(let members) = found, let element = members.values.first else {
                        throw BrowserError(description: "there is no element \(selector)")
                    }
                    return try body(element, call)
                }
            } catch let error as BrowserError where error.isStaleElement {
                browser.staleElements.withLock { $0 += 1 }
            }
        }
    }

    // MARK: Console

    /// Returns the errors of pages in the console: those of scripts, and violations of the content security policy.
    ///
    /// The browser itself asks for an icon of pages that name none.
    func errors() async throws -> [String] {
        let ofPages = """
            Services.console.getMessageArray().filter((message) => message instanceof Ci.nsIScriptError && !(message.flags & 1)
              && (message.sourceName.startsWith("http") || message.category.startsWith("CSP"))
              && !message.sourceName.endsWith("FaviconLoader.sys.mjs"))
              .map(({ errorMessage, sourceName, lineNumber }) => `${errorMessage} (${sourceName}:${lineNumber})`)
            """
        let written = """
            return Components.classes["@mozilla.org/consoleAPI-storage;1"].getService(Components.interfaces.nsIConsoleAPIStorage)
              .getEvents().filter(({ level, filename }) => level === "error" && filename.startsWith("http")).map((event) => String(event.arguments));
            """
        // What scripts write themselves is known in the process of the page alone.
        let own = try await run { call in
            try call(
                "WebDriver:ExecuteScript",
                ["script": .string(written), "args": .array([]), "sandbox": .string("system")])["value"]
        }
        return (try await value(ofPages, ofBrowser: true).elements + own.elements).map { $0.text ?? $0.asWritten }
    }
}
