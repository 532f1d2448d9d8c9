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
                    console.note("No export targets.")
                    return .done
                }
                var table = Table([.init(title: "FORMAT"), .identifier(title: "DIRECTORY")])
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
                let target = target.target
                let reports = try await client().addExportTarget(target)
                if console.json {
                    console.document(ExportDocument(reports: reports))
                } else {
                    console.show(reports)
                    console.confirmation("Sticker packs are kept in \(target.directory) from now on.")
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
                let target = target.target
                let reports = try await client().removeExportTarget(target, removingFiles: removeFiles)
                if console.json {
                    console.document(ExportDocument(reports: reports))
                } else {
                    console.show(reports)
                    console.confirmation("Sticker packs are kept in \(target.directory) no longer.")
                }
                return .done
            }
        }

        struct TargetArguments: ParsableArguments {
            @Argument(help: ArgumentHelp("Format, as for 'storectl stickers export'", valueName: "format"))
            var format: String

            @Argument(help: ArgumentHelp("Directory of the other program", valueName: "dir"), completion: .directory)
            var directory: String

            var target: ExportTarget { ExportTarget(format: format, directory: absolutePath(directory)) }
        }
    }
}
