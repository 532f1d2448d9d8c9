import Foundation
import StoreModel
import Testing

/// A page of a browser that a test controls.
protocol BrowserPage: Sendable {
    /// Returns the value of a JavaScript expression; a promise is awaited.
    func value(_ expression: String) async throws -> JSONValue

    /// Begins to load another address in the page.
    func load(_ address: String) async throws

    /// Changes the size of the part of the window that shows the page, in CSS pixels.
    func resize(width: Int, height: Int) async throws

    /// Presses and releases a key, as the user does.
    func press(_ key: BrowserKey) async throws

    /// Returns a screenshot of the whole page as PNG.
    func picture() async throws -> Data
}

/// A key that is not a character.
enum BrowserKey: String {
    case enter = "Enter"
    case tab = "Tab"
    case escape = "Escape"
    case left = "ArrowLeft"
    case right = "ArrowRight"
    case space = " "
}

extension BrowserPage {
    /// Waits until a JavaScript expression is true.
    func until(_ condition: String) async throws {
        try await wait(for: condition) {
            do {
                return try await value("Boolean(\(condition))") == .bool(true) ? () : nil
            } catch let error as BrowserError where error.isNavigation {
                return nil
            }
        }
    }

    /// Waits until a look at the page finds what is searched for, and returns it.
    ///
    /// When the test's time is over, what was searched for and what the page shows is reported.
    func wait<Value>(for condition: String, _ look: () async throws -> Value?) async throws -> Value {
        while true {
            if let value = try await look() { return value }
            do {
                try await Task.sleep(for: .milliseconds(20))
            } catch {
                let shown = try? await value("location.href + '\\n' + (document.body?.innerText ?? '')").text
                Issue.record("The page does not fulfil \(condition). It shows: \(shown ?? "nothing")")
                throw error
            }
        }
    }

    /// Loads another address in the page, and waits until that is done.
    func navigate(to address: String) async throws {
        try await load(address)
        try await until("document.readyState === 'complete' && location.href === '\(address)'")
    }

    /// Loads another path of the page's origin, and waits until that is done.
    func show(_ path: String) async throws {
        try await navigate(to: (value("location.origin").text ?? "") + path)
    }

    /// Writes a screenshot into the directory that the variable `STORECTL_TEST_PICTURES` names, if it is set.
    func keepPicture(as name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["STORECTL_TEST_PICTURES"] else { return }
        let file = name.replacing(/[\/?]/, with: "-") + ".png"
        try await picture().write(to: URL(filePath: directory).appending(path: file))
    }
}

/// The error with which a browser responds to a command.
struct BrowserError: Error, CustomStringConvertible {
    let description: String
    /// The error code of WebDriver; `nil` for an error of another origin.
    var code: String?

    /// Whether the page has replaced or removed the element since it was found.
    var isStaleElement: Bool { code == "stale element reference" }

    /// Whether the page was being replaced by another at that moment.
    var isNavigation: Bool {
        [
            "navigated or closed", "context was destroyed", "Cannot find context", "Document was unloaded",
            "destroyed before query",
        ].contains { description.contains($0) }
    }
}
