import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Skin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skin", abstract: "Show, choose and check skins",
        discussion: "Examples:\n  storectl skin use dark",
        subcommands: [ListSkins.self, Use.self, Reset.self, Show.self, Check.self, Compile.self, CSS.self])

    struct ListSkins: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List skins, including preinstalled ones",
            discussion: "Examples:\n  storectl skin list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let list = try await client().skins()
            if console.json {
                console.document(list)
                return .done
            }
            for skin in list.unreadable {
                console.warning(
                    console.messages.text(
                        "could not read the skin '{path}': {reason}",
                        ["path": skin.path, "reason": console.messages.translation(of: skin.error.message)]))
                if let hint = skin.error.hint { console.hint(hint) }
            }
            // The list is the answer to a hint to list the skins.
            if let problem = list.use.problem {
                list.skins.isEmpty ? console.show(problem) : console.warning(problem.message)
            }
            guard !list.skins.isEmpty else {
                if list.use.problem == nil { console.note(console.messages.text("No skins found.")) }
                return .done
            }
            var table = Table([
                .identifier(title: console.messages.text("ID")),
                .init(title: console.messages.text("NAME"), flexible: true, omission: 4),
                .init(title: console.messages.text("VERSION"), omission: 1),
                .init(title: console.messages.text("INHERITS"), flexible: true, omission: 0),
                .init(title: console.messages.text("ORIGIN"), omission: 2),
                .init(title: console.messages.text("STATE"), omission: 3, style: stateStyle(console.messages)),
            ])
            for skin in list.skins {
                table.add(
                    skin.identifier, skin.name, skin.version?.text ?? "-", skin.parent ?? "-", skin.origin.rawValue,
                    skin.inUse ? console.messages.word(for: ProductState.inUse) : "")
            }
            console.table(table)
            return .done
        }
    }

    struct Use: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Choose the skin to use",
            discussion:
                "Running applications change their appearance immediately.\n\nExamples:\n  storectl skin use dark")

        @Argument(help: "Identifier of the skin", completion: CompletionCandidates.skins)
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await ProductNames.packs([id], client)[0]
            return console.show(try await SimilarIdentifiers.clarifying(id, client) { try await client.useSkin(id) })
        }
    }

    struct Reset: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Return to the default skin (setting skins.default)")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            console.show(try await client().useSkin(nil))
        }
    }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show all values of a skin, including inherited ones",
            discussion: "Examples:\n  storectl skin show dark --idiom phone")

        @Argument(
            help: "Identifier of the skin (default: the skin in use)", completion: CompletionCandidates.skins)
        var id: String?
        @OptionGroup var device: Device
        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let skin = try await SimilarIdentifiers.clarifying(id, client) {
                try await client.skin(client.skinInUse(or: id), idiom: device.idiom?.rawValue)
            }
            if console.json {
                console.document(skin)
                return .done
            }
            let messages = console.messages
            let values = [
                "skin": skin.skin.name + (skin.skin.version.map { " \($0.text)" } ?? ""), "idiom": "\(skin.idiom)",
                "skins": skin.inherits.map(\.name).joined(separator: " → "),
                "identifiers": messages.text(
                    skin.identifiers.count, one: "{count} identifier", other: "{count} identifiers"),
            ]
            console.line(
                skin.inherits.isEmpty
                    ? messages.text("{skin}, for {idiom}, {identifiers}", values)
                    : messages.text("{skin}, for {idiom}, inherits {skins}, {identifiers}", values))
            var table = Table([
                .init(title: console.messages.text("IDENTIFIER"), flexible: true),
                .init(title: console.messages.text("COMPONENT")), .init(title: console.messages.text("OPERATION")),
                .init(title: console.messages.text("VALUE"), flexible: true),
            ])
            for (identifier, entity) in skin.identifiers.sorted(by: { $0.key < $1.key }) {
                for (operation, inputs) in entity.operations.sorted(by: { $0.key < $1.key }) {
                    let values = inputs.sorted { $0.key < $1.key }.map { text($0.value.value) }
                    table.add(identifier, entity.component, operation, values.joined(separator: ", "))
                }
            }
            console.table(table)
            return .done
        }

        private func text(_ value: JSONValue) -> String {
            if case .string(let text) = value { text } else { value.asWritten }
        }
    }

    struct Check: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the files of a skin for errors",
            discussion: """
                Prints a warning with file and line for each unknown or invalid item; only that item is skipped when the \
                skin is used. Exits with 5 if the skin as a whole is rejected.

                Examples:
                  storectl skin check ./night.theme
                """)

        @Argument(help: ArgumentHelp("Directory of the skin", valueName: "dir"), completion: .directory)
        var directory: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            // A relative path has no meaning to the daemon, whose current directory differs.
            let path = FilePaths.resolved(directory)
            return console.show(try await client().checkSkin(inFolder: path ?? directory), of: directory)
        }
    }

    struct Compile: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "compile", abstract: "Compile a skin again",
            discussion: """
                Skins are compiled automatically when they are installed or changed; this command is for their authors.

                Examples:
                  storectl skin compile dark
                """)

        @Argument(
            help: "Identifier of the skin (default: the skin in use)", completion: CompletionCandidates.skins)
        var id: String?

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await client.skinInUse(or: id)
            return console.show(try await client.compileSkin(id), of: id)
        }
    }

    struct CSS: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "css", abstract: "Print a skin as a style sheet",
            discussion: """
                For web pages, the value of operation OP on identifier ID is the custom property --ID-OP, and rules \
                apply it to elements with data-skin="ID". With --gtk, the style sheet is for GTK 3 and 4, for widgets \
                named ID. Images are referenced as local files.

                Examples:
                  storectl skin css dark > dark.css
                """)

        @Argument(
            help: "Identifier of the skin (default: the skin in use)", completion: CompletionCandidates.skins)
        var id: String?
        @Flag(help: "Print a style sheet for GTK 3 and 4")
        var gtk = false
        @OptionGroup var device: Device
        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let sheet = try await client.skinStyleSheet(
                client.skinInUse(or: id), for: gtk ? .gtk : .css, idiom: device.idiom?.rawValue)
            let text = String(decoding: sheet, as: UTF8.self)
            if console.json { console.document(["css": text]) } else { console.text(text) }
            return .done
        }
    }

    /// The option `--idiom`, which selects a type of device: phone, tablet or desktop.
    struct Device: ParsableArguments {
        enum Idiom: String, ExpressibleByArgument, CaseIterable, Sendable { case phone, tablet, desktop }

        @Option(help: "Device idiom: phone, tablet or desktop (default: the setting skins.idiom)")
        var idiom: Idiom?
    }
}

extension StoreClient {
    /// Returns `named`, or the identifier of the skin in use if `named` is `nil`.
    fileprivate func skinInUse(or named: String?) async throws -> String {
        if let named { return named }
        let use = try await skinInUse()
        guard let skin = use.skin else { throw use.problem ?? ErrorReport(StoreError(.noSkinInUse)) }
        return skin.identifier
    }
}

extension Console {
    fileprivate func show(_ use: SkinUse) -> ExitCode {
        if json {
            document(use)
        } else {
            confirmation(
                use.skin.map { messages.text("Using the skin '{skin}'.", ["skin": $0.name]) }
                    ?? messages.text("No skin is in use."))
            show(use.problem)
        }
        return .done
    }

    fileprivate func show(_ problem: ErrorReport?) {
        guard let problem else { return }
        warning(problem.message)
        if let hint = problem.hint { self.hint(hint) }
    }

    fileprivate func show(_ report: SkinReport, of skin: String) -> ExitCode {
        guard !json else {
            document(report)
            return .done
        }
        for warning in report.warnings {
            let text = messages.translation(of: warning.message)
            line("\(warning.file):\(warning.line.map { "\($0):" } ?? "") \(text) [\(warning.code)]")
        }
        confirmation(
            report.warnings.isEmpty
                ? messages.text("{skin}: no problems found.", ["skin": skin])
                : messages.text(
                    report.warnings.count, one: "{skin}: {count} warning.", other: "{skin}: {count} warnings.",
                    ["skin": skin]))
        return .done
    }
}
