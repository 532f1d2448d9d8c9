import Foundation
import StoreTestSupport
import Testing

/// Checks that the module's page and its tests agree.
@Suite struct DocumentationTests {
    @Test func `each clause of the specification's workflow has tests, which exist`() throws {
        let page = try String(
            contentsOf: DocumentedErrorCodes.sources.appending(path: "Trust/Trust.docc/Trust.md"), encoding: .utf8)
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        let tests = try files.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| 5.") }
        #expect(rows.count > 30)
        for row in rows {
            let named = try #require(row.split(separator: "|").last { $0.contains("`") }).matches(of: /`([^`]+)`/)
            #expect(!named.isEmpty, "\(row)")
            for name in named { #expect(tests.contains("func `\(name.1)`("), "\(name.1)") }
        }
    }
}
