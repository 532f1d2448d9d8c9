import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

extension Stickers {
    struct Targets: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "targets", abstract: "Keep all packs in directories of other programs",
            discussion: "Examples:\n  storectl stickers targets add kde ~/.local/share/emoticons",
            subcommands: [List.self, Add.self, Remove.self])

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "List the directories that packs are kept in",
                discussion: "Examples:\n  storectl stickers targets list --json")

            @OptionGroup var common: CommonOptions

            func run(_ console: Console) async throws -> ExitCode {
                let targets = try await client().exportTargets()
                if console.json {
                    console.document(ExportTargetList(targets: targets))
                    return .done
                }
                guard !targets.isEmpty else {
                    console.note(console.messages.text("No export targets."))
                    return .done
                }
                var table = Table([
                    .init(title: console.messages.text("FORMAT")),
                    .identifier(title: console.messages.text("DIRECTORY")),
                ])
                for target in targets { table.add(target.format, target.directory) }
                console.table(table)
                return .done
            }
        }

        struct Add: StoreCommand {
            static let configuration = CommandConfiguration(
                commandName: "add", abstract: "Export all packs to a directory, and keep them in step",
                discussion: "Examples:\n  storectl stickers targets add kde ~/.local/share/emoticons")

            @OptionGroup var target: TargetArguments
            @OptionGroup var common: CommonOptions

            func run(_ console: Console) async throws -> ExitCode {
                let target = try target.target
                let reports = try await client().addExportTarget(target)
                if console.json {
                    console.document(ExportDocument(reports: reports))
                } else {
                    console.show(reports)
                    console.confirmation(
                        console.messages.text(
                            "Sticker packs are kept in {directory} from now on.", ["directory": target.directory]))
                }
                return .done
            }
        }

        struct Remove: StoreCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove", abstract: "Stop keeping packs in a directory",
                discussion: "Examples:\n  storectl stickers targets remove kde ~/.local/share/emoticons --remove-files")

            @OptionGroup var target: TargetArguments

            @Flag(help: "Also remove the exported files, except those that others changed")
            var removeFiles = false

            @OptionGroup var common: CommonOptions

            func run(_ console: Console) async throws -> ExitCode {
                let target = try target.target
                let reports = try await client().removeExportTarget(target, removingFiles: removeFiles)
                if console.json {
                    console.document(ExportDocument(reports: reports))
                } else {
                    console.show(reports)
                    console.confirmation(
                        console.messages.text(
                            "Sticker packs are kept in {directory} no longer.", ["directory": target.directory]))
                }
                return .done
            }
        }

        struct TargetArguments: ParsableArguments {
            @Argument(help: ArgumentHelp("Format, as for 'storectl stickers export'", valueName: "format"))
            var format: String

            @Argument(help: ArgumentHelp("Directory of the other program", valueName: "dir"), completion: .directory)
            var directory: String

            var target: ExportTarget {
                get throws { ExportTarget(format: format, directory: try absolutePath(directory)) }
            }
        }
    }
}
