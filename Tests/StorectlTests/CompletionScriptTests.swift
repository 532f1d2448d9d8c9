import Testing

@testable import storectl

@Suite struct CompletionScriptTests {
    @Test(arguments: Completions.Shell.allCases) func `every alias is in the script`(shell: Completions.Shell) {
        let text = CompletionScript(for: shell).text
        for alias in CompletionScript.aliases {
            let line =
                switch shell {
                case .bash: "    \(alias.alias)) subcommand=\(alias.name) ;;"
                case .zsh: "        \(alias.alias)) words[1]=\(alias.name) ;;"
                case .fish: "        case '\(alias.name)' '\(alias.alias)'"
                }
            #expect(text.contains(line), "\(alias)")
        }
    }

    @Test func `a script in which aliases have no place ends the program`() async {
        #expect(CompletionScript.replacing("b", in: ["a", "b", "b"], by: ["c", "d"]) == ["a", "c", "d", "b"])
        await #expect(processExitsWith: .failure) {
            _ = CompletionScript.replacing("b", in: ["a"], by: ["c"])
        }
    }
}
