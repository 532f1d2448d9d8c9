import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Runs the commands of the publisher's guide as they are printed.
@Suite(.hangGuard) struct PublishersGuideTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Publishing/Publishing.docc/PublishersGuide.md").standardizedFileURL

    /// Commands of the guide, and the output that it prints below them; `nil` if it prints none.
    private struct Step {
        let commands: String
        let output: String?

        /// Whether the guide says that the last command fails.
        var fails: Bool { output?.hasPrefix("error: ") == true }

        /// Returns whether the commands' output is the printed one, in which `…` stands for any text.
        func hasPrinted(_ actual: String) throws -> Bool {
            guard let output else { return true }
            let pattern = output.split(separator: "…", omittingEmptySubsequences: false)
                .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "[\\s\\S]*")
            let expression = try NSRegularExpression(pattern: "\\A\(pattern)\\z")
            return expression.firstMatch(in: actual, range: NSRange(actual.startIndex..., in: actual)) != nil
        }
    }

    private func steps() throws -> [Step] {
        let blocks = try MarkdownBlock.all(in: Self.page)
        return blocks.filter { $0.language == "bash" }.map { block in
            // The output follows at once, or not at all.
            let output = blocks.first { $0.language == "text" && $0.lines.lowerBound == block.lines.upperBound + 2 }
            return Step(commands: block.text, output: output?.text)
        }
    }

    @Test func `the commands of the guide lead to a published store, and print what the guide says`() async throws {
        let folder = try TemporaryFolder()
        let (directory, runtime) = (folder.path + "/work", folder.path + "/run")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let environment = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": runtime, "PATH": Programs.folder + ":/usr/bin:/bin",
            "LC_ALL": "C.UTF-8", "STORECTL_DAEMON_IDLE_TIMEOUT": "60",
        ].merging(Sanitizers.environment) { $1 }

        let steps = try steps()
        #expect(steps.count >= 12 && steps.count { $0.output != nil } >= 8 && steps.count { $0.fails } == 2)
        for step in steps {
            let script = "cd \"$0\"; exec 2>&1; set -eu\n" + step.commands
            let result = try await Programs.run("/bin/bash", ["-c", script, directory], environment: environment)
            #expect((result.exit != 0) == step.fails, "\(step.commands)\(result)")
            #expect(try step.hasPrinted(result.output), "\(step.commands)\(result)")
        }
        _ = try await Programs.run("storectl", ["daemon", "stop"], environment: environment)

        // What a web server is to serve is what the guide has led to.
        let list = try await Programs.run(
            "storehouse", ["list", directory + "/shop", "--json"], environment: environment
        ).json
        let products = list["products"]?.elements ?? []
        #expect(products.map { $0["productIdentifier"].text } == ["org.example.cups", "org.example.night"])
        #expect(products.map { $0["publishedVersion"].text } == [nil, "1.0.0"])
        let names = try FileManager.default.contentsOfDirectory(atPath: directory + "/shop/public")
        #expect(names.contains("catalogue.json"))
    }

    @Test func `an error of storehouse has no hint to report it to the publisher`() async throws {
        let store = try await TestStore()
        let pack = store.folder.path + "/cups"
        try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
        try Data("{\n\"name\": }".utf8).write(to: URL(filePath: pack + "/pack.json"))
        let result = try await Programs.run(
            "storehouse", ["add", store.path, pack], environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.exit == 5, "\(result)")
        #expect(result.errors == "error: \(pack): pack.json: invalid JSON at line 2, column 9\n")
    }
}
