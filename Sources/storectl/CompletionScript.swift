import ArgumentParser

/// The completion script of a shell, in which the aliases of commands are completed like the commands.
///
/// ArgumentParser's scripts only know the names of commands. This type adds the aliases of the commands of `storectl` to
/// the place in each script where a command is chosen by its name.
struct CompletionScript {
    let text: String

    init(for shell: Completions.Shell) {
        let parserShell: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let lines = Storectl.completionScript(for: parserShell).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        text = Self.addingAliases(to: lines, shell).joined(separator: "\n")
    }

    /// The aliases of the commands, each with the command's name.
    static let aliases = Storectl.configuration.subcommands.flatMap { command in
        command.configuration.aliases.map { (alias: $0, name: command._commandName) }
    }

    private static func addingAliases(to lines: [String], _ shell: Completions.Shell) -> [String] {
        switch shell {
        case .bash:
            // The first such lines are in the function of the program itself.
            let line = #"    local -r subcommand="${unparsed_words[0]}""#
            let named = replacing(
                line, in: lines, by: [line.replacing("local -r", with: "local")] + naming("subcommand"))
            let end = #"' -- "${cur}"))"#
            return replacing(lineWith: "        COMPREPLY+=($(compgen -W '", in: named) { line in
                [line.replacing(end, with: " " + aliases.map(\.alias).joined(separator: " ") + end)]
            }
        case .zsh:
            let line = #"        case "${words[1]}" in"#
            let named = replacing(line, in: lines, by: naming("words[1]").map { "    " + $0 } + [line])
            return aliases.reduce(named) { lines, alias in offering(alias, after: "            '", in: lines) }
        case .fish:
            let start =
                #"complete -c 'storectl' -n '__storectl_should_offer_completions_for_positional "storectl" -eq 1' -fa '"#
            return aliases.reduce(lines) { lines, alias in
                replacing(
                    "        case '\(alias.name)'", in: offering(alias, after: start, in: lines),
                    by: [
                        "        case '\(alias.name)' '\(alias.alias)'",
                        "            set unparsed_tokens[1] '\(alias.name)'",
                    ])
            }
        }
    }

    /// Returns the lines of bash or zsh that replace an alias in a variable by the command's name.
    private static func naming(_ variable: String) -> [String] {
        ["    case \"${\(variable)}\" in"] + aliases.map { "    \($0.alias)) \(variable)=\($0.name) ;;" } + ["    esac"]
    }

    /// Returns the lines with an alias offered beside its command, in the line that is `start` and the command's name.
    private static func offering(
        _ alias: (alias: String, name: String), after start: String, in lines: [String]
    ) -> [String] {
        replacing(lineWith: start + alias.name, in: lines) { line in
            [line, start + alias.alias + line.dropFirst((start + alias.name).count)]
        }
    }

    /// Returns the lines with the first one that is `line` replaced by others.
    static func replacing(_ line: String, in lines: [String], by others: [String]) -> [String] {
        replacing(lineWith: line, in: lines) { _ in others }
    }

    /// Returns the lines with the first one that begins with `start` replaced by others, which are made from it.
    ///
    /// It is a programming error if there is none: another version of ArgumentParser writes other scripts.
    private static func replacing(
        lineWith start: String, in lines: [String], by others: (String) -> [String]
    ) -> [String] {
        guard let index = lines.firstIndex(where: { $0.hasPrefix(start) }) else {
            preconditionFailure("ArgumentParser's completion script has no line '\(start)'")
        }
        return Array(lines[..<index]) + others(lines[index]) + lines[(index + 1)...]
    }
}
