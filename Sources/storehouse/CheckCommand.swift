import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say whether clients would take archives.",
        discussion: """
            Every archive is held to the rules that clients hold it to; with --kind also what is in it. The exit code \
            is 0 where all are accepted, else 5.
            """)

    @Argument(help: ArgumentHelp("ZIP files.", valueName: "file.zip"), completion: .file())
    var files: [String]
    @Option(help: ArgumentHelp("Check the contents by the rules of this kind, too.", valueName: "kind"))
    var kind: String?
    @Flag(help: "Print one JSON object a line: file, verdict, code, message.")
    var json = false

    func run() throws {
        let check = try ArchiveCheck(kind: kind.map { ProductKind(rawValue: $0) }, kinds: knownKinds)
        var allAccepted = true
        try check.verdicts(on: files) { verdict in
            if verdict.verdict == .refused { allAccepted = false }
            if json {
                try Output.printJSON(verdict)
            } else if let code = verdict.code {
                print("\(verdict.file): refused, \(code): \(verdict.message ?? "")")
            } else {
                print("\(verdict.file): accepted")
            }
        }
        if !allAccepted { throw ArgumentParser.ExitCode(StoreModel.ExitCode.refused.rawValue) }
    }
}
