import Foundation
import Glibc
import StoreModel
import StoreTestSupport

/// A headless Chromium of Debian, controlled with the DevTools protocol through two pipes.
final class Chromium: Sendable {
    static let program = "/usr/bin/chromium"

    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let connection: BrowserConnection

    /// Starts the browser.
    ///
    /// - Parameter host: a host name that leads to 127.0.0.1, as that of an attacker may; `nil` for none.
    init(mapping host: String? = nil) throws {
        folder = try TemporaryFolder()
        let path = folder.path
        for name in ["in", "out"] { mkfifo(path + "/" + name, 0o600) }
        // The browser reads commands from descriptor 3 and responds on 4.
        let command = """
            exec \(Self.program) --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
            \(host.map { "--host-resolver-rules='MAP \($0) 127.0.0.1'" } ?? "") \
            --user-data-dir='\(path)/profile' --remote-debugging-pipe --window-size=1440,1320 3<'\(path)/in' 4>'\(path)/out'
            """
        process = try ChildProcess(
            "/bin/sh", ["-c", command], environment: ["PATH": "/usr/bin:/bin", "HOME": path],
            errors: path + "/errors")
        connection = BrowserConnection(
            .devTools, to: process, commands: Glibc.open(path + "/in", O_RDWR | O_CLOEXEC),
            answers: Glibc.open(path + "/out", O_RDWR | O_CLOEXEC))
    }

    deinit { process.signal(SIGKILL) }

    /// Opens a page and waits until it is loaded.
    func open(_ address: String) async throws -> Page {
        let target = try await call("Target.createTarget", ["url": .string("about:blank")])["targetId"]
        let session = try await call("Target.attachToTarget", ["targetId": target, "flatten": .bool(true)])["sessionId"]
        let page = Page(browser: self, session: session.text ?? "")
        _ = try await call("Page.navigate", ["url": .string(address)], session: page.session)
        try await page.until("document.readyState === 'complete' && location.href !== 'about:blank'")
        return page
    }

    fileprivate func call(_ method: String, _ parameters: [String: JSONValue], session: String? = nil) async throws
        -> JSONValue
    {
        try await connection.run(session: session) { call in try call(method, parameters) }
    }
}

/// A page of the browser.
struct Page: BrowserPage {
    fileprivate let browser: Chromium
    fileprivate let session: String

    func value(_ expression: String) async throws -> JSONValue { try await value(expression, asUser: false) }

    /// Returns the value of a JavaScript expression; a promise is awaited.
    ///
    /// - Parameter asUser: whether the script may do what needs a click of the user, such as to open a window.
    func value(_ expression: String, asUser: Bool) async throws -> JSONValue {
        let answer = try await browser.call(
            "Runtime.evaluate",
            [
                "expression": .string(expression), "awaitPromise": .bool(true), "returnByValue": .bool(true),
                "userGesture": .bool(asUser),
            ], session: session)
        guard answer["exceptionDetails"] == .null else {
            throw BrowserError(description: answer["exceptionDetails"].asWritten)
        }
        return answer["result"]["value"]
    }

    func load(_ address: String) async throws {
        _ = try await browser.call("Page.navigate", ["url": .string(address)], session: session)
    }

    func resize(width: Int, height: Int) async throws {
        _ = try await browser.call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(width), "height": .integer(height), "deviceScaleFactor": .integer(1),
                "mobile": .bool(false),
            ], session: session)
    }

    func press(_ key: BrowserKey) async throws {
        // Tests press keys until the page shows something.
        try Task.checkCancellation()
        let code =
            switch key {
            case .enter: 13
            case .tab: 9
            case .escape: 27
            case .left: 37
            case .right: 39
            case .space: 32
            }
        var event: [String: JSONValue] = [
            "key": .string(key.rawValue), "code": .string(key.rawValue), "windowsVirtualKeyCode": .integer(code),
            "type": "keyDown",
        ]
        if key == .space { event["code"] = "Space" }
        if key == .enter || key == .space { event["text"] = key == .enter ? "\r" : " " }
        _ = try await browser.call("Input.dispatchKeyEvent", event, session: session)
        event["type"] = "keyUp"
        event["text"] = nil
        _ = try await browser.call("Input.dispatchKeyEvent", event, session: session)
    }

    /// Clicks the middle of an element with the mouse, as soon as the element is there and nothing covers it.
    ///
    /// - Parameter element: a JavaScript expression for the element.
    func click(on element: String) async throws { try await release(at: hold(element)) }

    /// Presses the button of the mouse as ``click(on:)`` does, and returns the place for ``release(at:)``.
    func hold(_ element: String) async throws -> JSONValue {
        let find = """
            (() => {
              const element = \(element);
              element?.scrollIntoView({ block: "nearest" });
              const box = element?.getBoundingClientRect();
              if (!box?.width) return null;
              const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
              return element.contains(element.getRootNode().elementFromPoint(x, y)) ? { x, y } : null;
            })()
            """
        let place = try await wait(for: element) {
            let place = try await value(find)
            return place == .null ? nil : place
        }
        for type in ["mouseMoved", "mousePressed"] { try await send(type, at: place) }
        return place
    }

    /// Releases the button of the mouse.
    func release(at place: JSONValue) async throws { try await send("mouseReleased", at: place) }

    private func send(_ type: String, at place: JSONValue) async throws {
        _ = try await browser.call(
            "Input.dispatchMouseEvent",
            [
                "type": .string(type), "x": place["x"], "y": place["y"],
                "button": type == "mouseMoved" ? "none" : "left",
                "clickCount": .integer(type == "mouseMoved" ? 0 : 1),
            ], session: session)
    }

    /// Runs a script in each document that the page loads from now on, before any other.
    func runInEachDocument(_ script: String) async throws {
        _ = try await browser.call("Page.enable", [:], session: session)
        _ = try await browser.call(
            "Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)], session: session)
    }

    /// Returns the addresses of the documents in the frames of the page that are of the same site; that of the browser's
    /// own error page begins with `chrome-error:`.
    func frames() async throws -> [String] {
        try await browser.call("Page.getFrameTree", [:], session: session)["frameTree"]["childFrames"].elements
            .compactMap { $0["frame"]["url"].text }
    }

    /// Types a text into the element that has the focus.
    func type(_ text: String) async throws {
        _ = try await browser.call("Input.insertText", ["text": .string(text)], session: session)
    }

    /// Emulates features of the user's surroundings, such as `prefers-color-scheme`, and no others.
    func emulate(_ features: KeyValuePairs<String, String>) async throws {
        _ = try await browser.call(
            "Emulation.setEmulatedMedia",
            ["features": .array(features.map { ["name": .string($0.key), "value": .string($0.value)] })],
            session: session)
    }

    /// Stops the scripts of pages that are loaded from now on, as a browser in which the user has switched them off.
    func stopScripts() async throws {
        _ = try await browser.call("Emulation.setScriptExecutionDisabled", ["value": true], session: session)
    }

    /// Asks for the texts of pages in a language, as a browser of a user who reads it.
    func read(language: String) async throws {
        _ = try await browser.call("Network.enable", [:], session: session)
        _ = try await browser.call(
            "Network.setExtraHTTPHeaders", ["headers": ["Accept-Language": .string(language)]], session: session)
    }

    /// Makes the page visible, as one in a window of its own, while other pages of the browser are open.
    func stayVisible() async throws {
        _ = try await browser.call("Emulation.setFocusEmulationEnabled", ["enabled": true], session: session)
        try await until("document.visibilityState === 'visible'")
    }

    /// Returns what keeps the browser from installing the page's site as an app, and the errors of its manifest.
    func problemsOfInstallation() async throws -> [String] {
        let manifest = try await browser.call("Page.getAppManifest", [:], session: session)
        let answer = try await browser.call("Page.getInstallabilityErrors", [:], session: session)
        return (manifest["errors"].elements + answer["installabilityErrors"].elements).map(\.asWritten)
            + (manifest["url"].text?.isEmpty == false ? [] : ["no manifest"])
    }

    func picture() async throws -> Data {
        // A page behind others is not drawn.
        _ = try await browser.call("Page.bringToFront", [:], session: session)
        let answer = try await browser.call(
            "Page.captureScreenshot", ["format": .string("png"), "captureBeyondViewport": .bool(true)], session: session
        )
        return Data(base64Encoded: answer["data"].text ?? "") ?? Data()
    }
}
