import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Synchronization

/// A headless Chromium of Debian, controlled with the DevTools protocol through two pipes.
final class Chromium: Sendable {
    static let program = "/usr/bin/chromium"

    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let wire: Wire

    struct ProtocolError: Error, CustomStringConvertible {
        let description: String
        /// Whether the page was being replaced by another at that moment.
        var isNavigation: Bool {
            ["navigated or closed", "context was destroyed", "Cannot find context"].contains {
                description.contains($0)
            }
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path
        for name in ["in", "out"] { mkfifo(path + "/" + name, 0o600) }
        // The browser reads commands from descriptor 3 and responds on 4.
        let command = """
            exec \(Self.program) --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
            --user-data-dir='\(path)/profile' --remote-debugging-pipe --window-size=1440,1320 3<'\(path)/in' 4>'\(path)/out'
            """
        process = try ChildProcess(
            "/bin/sh", ["-c", command], environment: ["PATH": "/usr/bin:/bin", "HOME": path],
            errors: path + "/errors")
        wire = Wire(
            commands: Glibc.open(path + "/in", O_RDWR | O_CLOEXEC),
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
        let (wire, process) = (wire, process)
        return try await withCheckedThrowingContinuation { continuation in
            wire.queue.async {
                continuation.resume(
                    with: Result {
                        try wire.call(method, parameters, session: session) { process.isRunning }
                    })
            }
        }
    }
}

/// A page of the browser.
struct Page: Sendable {
    fileprivate let browser: Chromium
    fileprivate let session: String

    /// Returns the value of a JavaScript expression; a promise is awaited.
    func value(_ expression: String) async throws -> JSONValue {
        let answer = try await browser.call(
            "Runtime.evaluate",
            ["expression": .string(expression), "awaitPromise": .bool(true), "returnByValue": .bool(true)],
            session: session)
        guard answer["exceptionDetails"] == .null else {
            throw Chromium.ProtocolError(description: answer["exceptionDetails"].asWritten)
        }
        return answer["result"]["value"]
    }

    /// Waits until a JavaScript expression is true.
    func until(_ condition: String) async throws {
        while true {
            do {
                if try await value("Boolean(\(condition))") == .bool(true) { return }
            } catch let error as Chromium.ProtocolError where error.isNavigation {}
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Loads another address in the page, and waits until that is done.
    func navigate(to address: String) async throws {
        _ = try await browser.call("Page.navigate", ["url": .string(address)], session: session)
        try await until("document.readyState === 'complete' && location.href === '\(address)'")
    }

    /// Changes the size of the window, in CSS pixels.
    func resize(width: Int, height: Int) async throws {
        _ = try await browser.call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(width), "height": .integer(height), "deviceScaleFactor": .integer(1),
                "mobile": .bool(false),
            ], session: session)
    }

    /// A key that is not a character.
    enum Key: String {
        case enter = "Enter"
        case tab = "Tab"
        case escape = "Escape"
        case right = "ArrowRight"

        fileprivate var code: Int {
            switch self {
            case .enter: 13
            case .tab: 9
            case .escape: 27
            case .right: 39
            }
        }
    }

    /// Presses and releases a key, as the user does.
    func press(_ key: Key) async throws {
        var event: [String: JSONValue] = [
            "key": .string(key.rawValue), "code": .string(key.rawValue), "windowsVirtualKeyCode": .integer(key.code),
            "type": "keyDown",
        ]
        if key == .enter { event["text"] = "\r" }
        _ = try await browser.call("Input.dispatchKeyEvent", event, session: session)
        event["type"] = "keyUp"
        event["text"] = nil
        _ = try await browser.call("Input.dispatchKeyEvent", event, session: session)
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

    /// Returns a screenshot of the whole page as PNG.
    func picture() async throws -> Data {
        // A page behind others is not drawn.
        _ = try await browser.call("Page.bringToFront", [:], session: session)
        let answer = try await browser.call(
            "Page.captureScreenshot", ["format": .string("png"), "captureBeyondViewport": .bool(true)], session: session
        )
        return Data(base64Encoded: answer["data"].text ?? "") ?? Data()
    }
}

/// The pair of pipes; each message is JSON that ends with a NUL byte.
private final class Wire: Sendable {
    let queue = DispatchQueue(label: "chromium")
    private let commands: Int32
    private let answers: Int32
    private let state = Mutex<(number: Int, unread: [UInt8])>((0, []))

    init(commands: Int32, answers: Int32) {
        self.commands = commands
        self.answers = answers
    }

    deinit {
        close(commands)
        close(answers)
    }

    func call(
        _ method: String, _ parameters: [String: JSONValue], session: String?, isAlive: () -> Bool
    ) throws -> JSONValue {
        try state.withLock { state in
            state.number += 1
            var message: [String: JSONValue] = [
                "id": .integer(state.number), "method": .string(method), "params": .object(parameters),
            ]
            if let session { message["sessionId"] = .string(session) }
            try send([UInt8](JSONEncoder().encode(JSONValue.object(message))) + [0])
            while true {
                while let end = state.unread.firstIndex(of: 0) {
                    let answer = try JSONDecoder().decode(JSONValue.self, from: Data(state.unread[..<end]))
                    state.unread.removeFirst(end + 1)
                    // Other messages are events.
                    guard answer["id"] == .integer(state.number) else { continue }
                    guard answer["error"] == .null else {
                        throw Chromium.ProtocolError(description: "\(method): \(answer["error"].asWritten)")
                    }
                    return answer["result"]
                }
                try state.unread.append(contentsOf: receive(isAlive))
            }
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw Chromium.ProtocolError(description: "write: \(errno)") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// The test also holds the pipe open, so it never ends; the process is checked instead.
    private func receive(_ isAlive: () -> Bool) throws -> [UInt8] {
        var place = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
        while poll(&place, 1, 200) <= 0 {
            guard isAlive() else { throw Chromium.ProtocolError(description: "Chromium has ended") }
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(answers, &bytes, bytes.count)
        guard count > 0 else { throw Chromium.ProtocolError(description: "read: \(errno)") }
        return Array(bytes[..<count])
    }
}
