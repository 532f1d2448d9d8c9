import ArgumentParser
import StoreModel
import StoreTerminal

struct Completions: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print a shell completion script",
        discussion: """
            Examples:
              storectl completions bash > \\
                ~/.local/share/bash-completion/completions/storectl
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable, Sendable { case bash, zsh, fish }

    @Argument(help: "Shell: bash, zsh or fish")
    var shell: Shell

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let script = CompletionScript(for: shell).text
        if console.json {
            console.document(["shell": shell.rawValue, "script": script])
        } else {
            console.output.write(script + "\n")
        }
        return .done
    }
}
