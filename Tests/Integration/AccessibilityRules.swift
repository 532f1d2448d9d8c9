import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The rules of axe-core, which find what keeps people with disabilities from using a page.
///
/// `scripts/test` installs axe-core. Its script runs in the page through the DevTools protocol, which the page's content
/// security policy does not concern.
enum AccessibilityRules {
    /// The rules that pages must follow: levels A and AA of WCAG 2.2 and of its predecessors, and the best practices of axe-core.
    private static let tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

    private static let folder =
        DocumentedErrorCodes.sources.deletingLastPathComponent().appending(path: ".build/axe/lib").path

    /// The path of axe-core's script; `nil` if it is not installed.
    static let path: String? = (try? FileManager.default.contentsOfDirectory(atPath: folder))?
        .map { "\(folder)/\($0)/site-packages/axe_playwright_python/axe.min.js" }
        .first { FileManager.default.isReadableFile(atPath: $0) }

    /// Checks that a page follows the rules, and is not wider than the window, in a wide and a narrow window, light and dark.
    ///
    /// - Parameters:
    ///   - name: the name of the page, also for its screenshots.
    ///   - isDecidable: whether the rules can decide everything in a wide window; they can't measure the contrast of a text
    ///     on a picture. In a narrow window, texts are hidden until they are scrolled to.
    ///   - problems: returns a JavaScript expression for a text about what else is wrong in a window of that width; the
    ///     text is empty if nothing is.
    static func expectFollowed(
        by page: Page, as name: String, isDecidable: Bool = true, location: SourceLocation = #_sourceLocation,
        also problems: (_ width: Int) -> String = { _ in "''" }
    ) async throws {
        for (size, width, height) in [("wide", 1280, 1000), ("narrow", 320, 640)] {
            try await page.resize(width: width, height: height)
            for scheme in ["light", "dark"] {
                // A colour on its way to another one would be measured.
                try await page.emulate(["prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"])
                let violations = try await violations(in: page, isComplete: isDecidable && size == "wide")
                #expect(violations == [], "\(name), \(size), \(scheme)", sourceLocation: location)
                try await page.expectNoWider(than: width, name, location: location)
                #expect(
                    try await page.value(problems(width)) == "", "\(name), \(size), \(scheme)",
                    sourceLocation: location)
                try await page.keepPicture(as: "\(name)-\(size)-\(scheme)")
            }
        }
    }

    /// Returns what a page does against the rules, each with the element that it concerns.
    ///
    /// - Parameter isComplete: whether also to return what a rule can't decide, as the contrast of a text that is not
    ///   within the window.
    static func violations(in page: Page, isComplete: Bool = false) async throws -> [String] {
        if try await page.value("window.axe === undefined") == .bool(true) {
            _ = try await page.value(String(contentsOfFile: path ?? "", encoding: .utf8) + "; true")
        }
        let report = try await page.value(
            """
            axe.run(document, {
              runOnly: \(JSONValue.array(tags.map { .string($0) }).asWritten), resultTypes: ["violations", "incomplete"],
            }).then(({ violations, incomplete, passes }) => ({
              passes: passes.length,
              problems: [...violations, ...(\(isComplete) ? incomplete : [])].flatMap(({ id, help, nodes }) => nodes.map(({ target, html, any, all, none }) =>
                `${id} (${help}): ${target.join(" ")}: ${html.slice(0, 200)}: ${[...any, ...all, ...none].map(({ message }) => message).join("; ")}`)),
            }))
            """)
        guard let passes = report["passes"].number, passes > 10 else {
            return ["axe-core did not examine the page: \(report.asWritten)"]
        }
        return report["problems"].elements.map { $0.text ?? "" }
    }
}
