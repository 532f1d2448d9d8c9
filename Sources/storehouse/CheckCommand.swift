import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing
import StoreTerminal

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether clients would accept archives",
        discussion: """
            Applies the rules of the clients to each archive and, with --kind, to its contents. Exits with 0 if all \
            archives are accepted, with 5 if one is rejected, and else with 3 if a file does not exist.
            """)

    @Argument(help: ArgumentHelp("ZIP files to check", valueName: "file.zip"), completion: .file())
    var files: [String]
    @Option(help: ArgumentHelp("Also apply the rules for this kind of content", valueName: "kind"))
    var kind: String?
    @Flag(help: "Print one JSON object per line: file, verdict, code, message")
    var json = false
    @Flag(
        name: .customLong("list-files"),
        help: "With --json, also list the files in accepted archives, hidden ones included, which are not refused then")
    var listsFiles = false

    func validate() throws {
        if listsFiles, !json || kind != nil {
            throw ValidationError("'--list-files' requires '--json' and can't be combined with '--kind'")
        }
    }

    func run() throws {
        let check = try ArchiveCheck(
            kind: kind.map { ProductKind(rawValue: $0) }, kinds: knownKinds, listsFiles: listsFiles)
        var exitCodes: Set<StoreModel.ExitCode> = []
        try check.verdicts(on: files) { verdict in
            exitCodes.insert(verdict.exitCode)
            if json {
                Output.console.document(verdict)
            } else if let code = verdict.code {
                let isMissing = verdict.exitCode == .notFound
                Output.console.line(
                    isMissing
                        ? "\(verdict.file): there is no such file"
                        : "\(verdict.file): rejected (\(code)): \(verdict.message ?? "")"
                )
            } else {
                Output.console.line("\(verdict.file): accepted")
            }
        }
        if exitCodes.contains(.notFound), !json { Output.console.hint("check the paths of the files") }
        for code in [StoreModel.ExitCode.refused, .notFound] where exitCodes.contains(code) {
            throw ArgumentParser.ExitCode(code.rawValue)
        }
    }
}

extension ArchiveCheck.Verdict {
    /// The exit code of the command if this is the only verdict.
    fileprivate var exitCode: StoreModel.ExitCode {
        if verdict == .accepted { return .done }
        return code == ErrorCode.fileMissing.rawValue ? .notFound : .refused
    }
}

extension Check: OperandListCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.files }
}
