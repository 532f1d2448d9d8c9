import StoreTerminal
import Testing

@testable import storectl

/// Tests that mistyped commands are told from mistyped arguments.
@Suite struct UnknownCommandTests {
    @Test(
        arguments: [
            (["instal"], "instal", "did you mean 'install'?"), (["store", "ad"], "store ad", "did you mean 'add'?"),
            (["help", "updaet"], "updaet", "did you mean 'update'?"), (["nonsense", "--json"], "nonsense", nil),
            (["version"], "version", "run 'storectl --version'"),
            (["stikers", "--json", "list"], "stikers", "did you mean 'stickers'?"),
            (["daemon", "stat"], "daemon stat", "did you mean 'status'?"),
            (["daemon", "restrat"], "daemon restrat", "did you mean 'restart'?"),
            (["purchases", "gran"], "purchases gran", "did you mean 'grant'?"),
            (["help", "config", "ste"], "config ste", "did you mean 'set'?"),
        ] as [([String], String, String?)])
    func `an unknown command is found at every level`(words: [String], name: String, suggestion: String?) throws {
        let unknown = try #require(UnknownCommand(in: words, of: Storectl.self))
        #expect(unknown.name == name && unknown.suggestion == suggestion)
        let group = name.split(separator: " ").dropLast().map { $0 + " " }.joined()
        #expect(unknown.help == "storectl \(group)--help")
    }

    @Test func `removing all packs with one option is refused with what to do instead`() throws {
        for command in ["uninstall", "remove"] {
            let refused = try #require(UnsupportedOption(in: [command, "--json", "--all"]))
            #expect(refused.message == "'\(command)' has no option '--all'")
            #expect(refused.hint.contains("storectl list --columns id"))
        }
        #expect(UnsupportedOption(in: ["pause", "--all"]) == nil)
        #expect(UnsupportedOption(in: ["uninstall", "--", "--all"]) == nil)
    }

    @Test(arguments: [
        ["install"], ["install", "nope"], ["store", "--nope"], ["store", "add", "x"], ["remove", "cups"], ["ls"],
        ["show", "x"], ["upgrade"], ["help"], ["help", "install"], ["--nope"], [],
    ])
    func `commands, aliases and arguments are no unknown commands`(words: [String]) {
        #expect(UnknownCommand(in: words, of: Storectl.self) == nil)
    }
}
