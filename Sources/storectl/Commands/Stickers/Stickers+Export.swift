import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

extension Stickers {
    struct Export: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Export sticker packs to other programs",
            discussion: """
                Writes copies of the packs' images into a directory in the format of another program. Exporting again \
                brings them up to date; files that others made or changed are left alone. 'storectl stickers targets' \
                keeps all packs in a directory in step.

                Formats:
                  deltachat    directory of stickers of an account of Delta Chat
                  kde          emoticon theme (~/.local/share/emoticons)
                  pidgin       smiley theme (~/.purple/smileys)
                  wastickers   .wastickers file for sticker makers of WhatsApp
                  jisp         .jisp file for Jabber clients
                  matrix       JSON and images for a sticker picker

                Examples:
                  storectl stickers export org.example.cups --to wastickers
                  storectl stickers export org.example.cups --to kde \\
                    --into ~/.local/share/emoticons
                """)

        @Argument(
            help: ArgumentHelp("Product identifiers, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.packs)
        var ids: [String]

        @Option(name: .customLong("to"), help: ArgumentHelp("Format", valueName: "format"))
        var format: String

        @Option(
            name: .customLong("into"), help: ArgumentHelp("Directory to write into", valueName: "dir"),
            completion: .directory)
        var directory = "."

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let directory = try absolutePath(directory)
            let names = try await ProductNames.packs(distinct(ids), client)
            var (reports, failures): ([ExportReport], [(name: String, error: ErrorReport?)]) = ([], [])
            for name in names {
                do {
                    reports.append(try await client.exportStickers(name, as: format, into: directory))
                    failures.append((name, nil))
                } catch let error as any CodedError {
                    failures.append((name, await SimilarIdentifiers.clarify(name, ErrorReport(error), client)))
                }
            }
            if console.json {
                console.document(ExportDocument(reports: reports, error: summary(of: failures.map(\.error))))
            } else {
                console.show(reports)
            }
            console.printFailures(failures)
            return commonExitCode(of: failures.map(\.error))
        }
    }
}

/// The JSON document of the commands that export.
struct ExportDocument: Encodable {
    var reports: [ExportReport]
    var error: ErrorReport?
}

/// Returns the absolute path of a directory that need not exist.
///
/// - Throws: `ValidationError` if the path is empty. As that of a script's unset variable, it must not lead to the current
///   directory, in which files would be written and removed.
func absolutePath(_ path: String) throws -> String {
    if path.isEmpty { throw ValidationError(EnglishText.filled("the path of the directory must not be empty")) }
    if let resolved = FilePaths.resolved(path) { return resolved }
    if path.hasPrefix("/") { return path }
    return (FilePaths.resolved(".") ?? "") + "/" + path
}

extension Console {
    /// Prints what exports wrote and left alone.
    func show(_ reports: [ExportReport]) {
        for report in reports {
            let id = report.productIdentifier
            if report.files.isEmpty, !report.removed.isEmpty {
                confirmation(
                    messages.text(
                        report.removed.count, one: "Removed {count} file of {product} from {directory}.",
                        other: "Removed {count} files of {product} from {directory}.",
                        ["product": id, "directory": report.directory]))
            } else {
                confirmation(
                    messages.text(
                        "Exported {product} to {directory}: {files}, {number} written.",
                        [
                            "product": id, "directory": report.directory, "files": messages.files(report.files.count),
                            "number": "\(report.written)",
                        ]))
            }
            for file in report.leftOut { showLeftOut(file.source, file.reason) }
            for path in report.kept {
                line(
                    "  " + messages.text("left alone {path}: another program made or changed it", ["path": path]))
            }
            for note in report.notes { showNote(note) }
        }
    }

    /// Prints which file of a pack an import or an export has left out, and why.
    func showLeftOut(_ path: String, _ reason: String?) {
        let reason = reason.map { messages.translation(of: $0) } ?? messages.text("unknown reason")
        line("  " + messages.text("left out {path}: {reason}", ["path": path, "reason": reason]))
    }

    /// Prints a remark of an import or an export.
    func showNote(_ note: String) {
        line("  " + messages.text("note: {note}", ["note": messages.translation(of: note)]))
    }
}
