import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether clients would accept archives",
        discussion: """
            Applies the rules of the clients to each archive and, with --kind, to its contents. Exits with 0 if all \
            archives are accepted, else with 5.
            """)

    @Argument(help: ArgumentHelp("ZIP files to check", valueName: "file.zip"), completion: .file())
    var files: [String]
    @Option(help: ArgumentHelp("Also apply the rules for this kind of content", valueName: "kind"))
    var kind: String?
    @Flag(help: "Print one JSON object per line: file, verdict, code, message")
    var json = false

    func run() throws {
        let check = try ArchiveCheck(kind: kind.map { ProductKind(rawValue: $0) }, kinds: knownKinds)
        var allAccepted = true
        try check.verdicts(on: files) { verdict in
            if verdict.verdict == .refused { allAccepted = false }
            if json {
                Output.console.document(verdict)
            } else if let code = verdict.code {
                Output.console.line("\(verdict.file): rejected (\(code)): \(verdict.message ?? "")")
            } else {
                Output.console.line("\(verdict.file): accepted")
            }
        }
        if !allAccepted { throw ArgumentParser.ExitCode(StoreModel.ExitCode.refused.rawValue) }
    }
}
