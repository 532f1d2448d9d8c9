import ArgumentParser
import StoreTestSupport
import Testing

@testable import StoreTerminal

/// Tests that a long command line has the meaning that the parser gives it.
@Suite struct LongCommandLineTests {
    private struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(subcommands: [Listing.self, Single.self])
    }

    private struct Listing: OperandListCommand {
        @Argument var files: [String] = []
        @Option var kind: String?
        @Flag var json = false

        static var operands: WritableKeyPath<Self, [String]> { \.files }

        func validate() throws {
            if json, kind == nil { throw ValidationError("json needs a kind") }
        }
    }

    private struct Single: ParsableCommand {
        @Argument var file: String
    }

    /// What a command line means: the values of the command, or the message of the error.
    private func meaning(_ parse: () throws -> any ParsableCommand) -> [String] {
        do {
            let command = try parse()
            guard let listing = command as? Listing else { return ["\(type(of: command))"] }
            return [listing.kind ?? "-", "\(listing.json)"] + listing.files
        } catch {
            return ["error", Root.message(for: error)]
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a command line of any length has the meaning that the parser gives it`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let options = [["--kind", "k"], ["--kind=k"], ["--json"], ["--"], ["--unknown"], ["-x"], ["--kind"]]
        var seen: Set<Int> = []
        for _ in 0..<100 {
            var words = ["listing"]
            if Int.random(in: 0..<10, using: &random) == 0 {
                words = [["single"], [], ["none"]].randomElement(using: &random)!
            }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                for number in 0..<Int.random(in: 0...120, using: &random) { words.append("f\(number)") }
                if Bool.random(using: &random) { words += options.randomElement(using: &random)! }
            }
            if LongCommandLine(words) != nil { seen.insert(words.count) }
            let expected = meaning { try Root.parseAsRoot(words) }
            #expect(meaning { try Root.parse(commandLine: words) } == expected, "\(words)")
        }
        #expect(seen.count > 20)
    }

    @Test func `only the first words of many operands are left to the parser`() throws {
        let files = (0..<10_000).map { "f\($0)" }
        let long = try #require(LongCommandLine(["listing", "--json", "--kind", "k"] + files))
        #expect(long.words.count < 10)
        let command = try #require(
            try Root.parse(commandLine: ["listing", "--json", "--kind", "k"] + files) as? Listing)
        #expect(command.files == files && command.kind == "k" && command.json)
        #expect(LongCommandLine(["listing"] + files.prefix(10)) == nil)
    }
}
