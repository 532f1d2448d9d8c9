package import ArgumentParser

/// A command whose last arguments are a list of any length, such as files or identifiers of products.
///
/// Its `validate()` may be called with a part of a long list.
package protocol OperandListCommand: ParsableCommand {
    /// The property that holds the operands, in the order of the command line.
    static var operands: WritableKeyPath<Self, [String]> { get }
}

/// A command line of many operands (arguments that are no options), without most of them for the parser.
///
/// ArgumentParser 1.x takes time that grows with the square of their number: 4 s for 10,000 files.
struct LongCommandLine {
    /// The words for the parser, with ``placeholder`` for those in ``omitted``.
    let words: [String]
    private let omitted: ArraySlice<String>

    /// A word that no command line contains, because the words of a process end at the first NUL.
    private static let placeholder = "\0"
    /// Fewer words than this are not worth omitting.
    private static let threshold = 64

    /// Omits most words between two options where there are the most of them.
    ///
    /// The result is `nil` if they are few. It is also `nil` for the parser's option `---completion`, with which a shell
    /// requests completions: the words that follow are those typed so far, which have to stay as they are.
    init?(_ words: [String]) {
        if words.contains(where: { $0.hasPrefix("---") }) { return nil }
        var longest = words[..<0]
        for run in words.split(whereSeparator: { $0.hasPrefix("-") }) where run.count > longest.count { longest = run }
        // The first word may be the value of an option, or the command's name.
        let rest = longest.dropFirst(3)
        guard rest.count > Self.threshold, !words.contains(Self.placeholder) else { return nil }
        omitted = rest
        self.words = words[..<rest.startIndex] + [Self.placeholder] + words[rest.endIndex...]
    }

    /// Puts the omitted words in the place of the placeholder; returns whether that was there.
    func complete(_ operands: inout [String]) -> Bool {
        guard let position = operands.firstIndex(of: Self.placeholder) else { return false }
        operands.replaceSubrange(position...position, with: omitted)
        return true
    }
}

extension ParsableCommand {
    /// Parses a command line as `parseAsRoot` does, in a time that grows with the number of words.
    package static func parse(commandLine words: [String]) throws -> any ParsableCommand {
        if let long = LongCommandLine(words), let command = long.complete(try? parseAsRoot(long.words)) {
            return command
        }
        return try parseAsRoot(words)
    }
}

extension AsyncParsableCommand {
    /// Parses a command line as `asyncParseAsRoot` does, in a time that grows with the number of words.
    ///
    /// Where the first words name a command, the rest is first parsed with this command alone: to look at the options of all
    /// commands takes the parser longer than the daemon takes to respond.
    package static func asyncParse(commandLine words: [String]) async throws -> any ParsableCommand {
        if let (command, rest) = command(named: words), let parsed = await command.parsed(rest),
            type(of: parsed) == command
        {
            return parsed
        }
        // Also for the text of an error, which names the program, and for requests of help or of completions.
        if let parsed = await parsed(words) { return parsed }
        return try await asyncParseAsRoot(words)
    }

    /// Parses a command line; of a long one, most operands are put into the parsed command afterwards (``LongCommandLine``).
    ///
    /// - Returns: `nil` if the command line is invalid, or if the command has no list for the operands.
    private static func parsed(_ words: [String]) async -> (any ParsableCommand)? {
        guard let long = LongCommandLine(words) else { return try? await asyncParseAsRoot(words) }
        return long.complete(try? await asyncParseAsRoot(long.words))
    }

    /// Returns the command without further commands that the first words name, and the words that follow its name.
    private static func command(
        named words: [String]
    ) -> (command: any AsyncParsableCommand.Type, rest: [String])? {
        var (command, rest): (any ParsableCommand.Type, _) = (self, words[...])
        while !command.configuration.subcommands.isEmpty {
            guard let name = rest.popFirst(), let next = command.subcommand(named: name) else { return nil }
            command = next
        }
        return (command as? any AsyncParsableCommand.Type).map { ($0, Array(rest)) }
    }
}

extension LongCommandLine {
    /// Returns a command that was parsed without the omitted words with them; `nil` if it has no list for them.
    ///
    /// The whole command line then has to be parsed, to get the parser's command or error.
    fileprivate func complete(_ command: (any ParsableCommand)?) -> (any ParsableCommand)? {
        (command as? any OperandListCommand).flatMap { completed($0) }
    }

    private func completed<Command: OperandListCommand>(_ command: Command) -> (any ParsableCommand)? {
        var command = command
        return complete(&command[keyPath: Command.operands]) ? command : nil
    }
}
