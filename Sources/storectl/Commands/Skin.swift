import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Skin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skin", abstract: "Shows the skins, and says which is in use.",
        discussion: "For example:\n  storectl skin use dark",
        subcommands: [ListSkins.self, Use.self, Reset.self, Show.self, Check.self, Compile.self, CSS.self])

    struct ListSkins: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the skins, those that came with the application, too.",
            discussion: "For example:\n  storectl skin list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let list = try await client().skins()
            if console.json {
                console.document(list)
                return .done
            }
            for skin in list.unreadable { console.remark("'\(skin.path)' is no skin: \(skin.error.message)") }
            guard !list.skins.isEmpty else {
                console.remark("There is no skin.")
                return .done
            }
            var table = Table([
                .init(title: "ID", flexible: true), .init(title: "NAME", flexible: true), .init(title: "VERSION"),
                .init(title: "INHERITS", flexible: true), .init(title: "ORIGIN"), .init(title: "STATE"),
            ])
            for skin in list.skins {
                table.add(
                    skin.identifier, skin.name, skin.version?.text ?? "-", skin.parent ?? "-", skin.origin.rawValue,
                    skin.inUse ? ProductState.inUse.rawValue : "")
            }
            console.table(table)
            console.tell(list.use.problem)
            return .done
        }
    }

    struct Use: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Uses a skin from now on; whoever shows it changes at once.",
            discussion: "For example:\n  storectl skin use dark")

        @Argument(help: "The skin.")
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode { console.tell(try await client().useSkin(id)) }
    }

    struct Reset: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Uses the default skin again: that of the setting skins.default.")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode { console.tell(try await client().useSkin(nil)) }
    }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows what a skin says, with everything that it inherits.",
            discussion: "For example:\n  storectl skin show dark --idiom phone")

        @Argument(help: "The skin; the one in use unless given.")
        var id: String?
        @OptionGroup var device: Device
        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let skin = try await client.skin(client.skinInUse(or: id), idiom: device.idiom?.rawValue)
            if console.json {
                console.document(skin)
                return .done
            }
            let inherits =
                skin.inherits.isEmpty ? "" : ", inherits \(skin.inherits.map(\.name).joined(separator: " → "))"
            console.line(
                "\(skin.skin.name)\(skin.skin.version.map { " \($0.text)" } ?? ""), for \(skin.idiom)\(inherits), "
                    + counted(skin.identifiers.count, "identifier"))
            var table = Table([
                .init(title: "IDENTIFIER", flexible: true), .init(title: "COMPONENT"), .init(title: "OPERATION"),
                .init(title: "VALUE", flexible: true),
            ])
            for (identifier, entity) in skin.identifiers.sorted(by: { $0.key < $1.key }) {
                for (operation, inputs) in entity.operations.sorted(by: { $0.key < $1.key }) {
                    let values = inputs.sorted { $0.key < $1.key }.map { words($0.value.value) }
                    table.add(identifier, entity.component, operation, values.joined(separator: ", "))
                }
            }
            console.table(table)
            return .done
        }

        private func words(_ value: JSONValue) -> String {
            if case .string(let text) = value { text } else { value.asWritten }
        }
    }

    struct Check: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Checks a skin's folder: what can't be read, and what is not understood.",
            discussion: """
                Warnings are told with file and line and cost no more than themselves; the rest of the skin applies. \
                The exit code is 5 where the skin is refused.

                For example:
                  storectl skin check ./night.theme
                """)

        @Argument(help: ArgumentHelp("The skin's folder.", valueName: "dir"), completion: .directory)
        var folder: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            // The daemon's current folder is another.
            let path = FilePaths.resolved(folder) ?? folder
            return console.tell(try await client().checkSkin(inFolder: path), of: folder)
        }
    }

    struct Compile: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "compile", abstract: "Makes a skin's compiled form anew.",
            discussion: """
                That is done by itself when a skin is installed or has changed; this is for those who write one.

                For example:
                  storectl skin compile dark
                """)

        @Argument(help: "The skin; the one in use unless given.")
        var id: String?

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await client.skinInUse(or: id)
            return console.tell(try await client.compileSkin(id), of: id)
        }
    }

    struct CSS: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "css", abstract: "Prints a skin as a style sheet.",
            discussion: """
                For web pages the value of operation OP on identifier ID is the custom property --ID-OP, and rules \
                apply these to elements with data-skin="ID". With --gtk it is for GTK 3 and 4, for widgets named ID. \
                Images are files of this machine.

                For example:
                  storectl skin css dark > dark.css
                """)

        @Argument(help: "The skin; the one in use unless given.")
        var id: String?
        @Flag(help: "For GTK 3 and 4 instead of web pages.")
        var gtk = false
        @OptionGroup var device: Device
        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let sheet = try await client.skinStyleSheet(
                client.skinInUse(or: id), for: gtk ? .gtk : .css, idiom: device.idiom?.rawValue)
            let text = String(decoding: sheet, as: UTF8.self)
            if console.json { console.document(["css": text]) } else { console.lines([text]) }
            return .done
        }
    }

    /// For which device a skin is read.
    struct Device: ParsableArguments {
        enum Idiom: String, ExpressibleByArgument, CaseIterable, Sendable { case phone, tablet, desktop }

        @Option(help: "The kind of device: phone, tablet or desktop; that of the setting skins.idiom unless given.")
        var idiom: Idiom?
    }
}

extension StoreClient {
    /// The skin that was named, else the one in use.
    fileprivate func skinInUse(or named: String?) async throws -> String {
        if let named { return named }
        guard let skin = try await skinInUse().skin else {
            throw ErrorReport(
                code: ErrorCode("skin.not-found", .notFound),
                message: "No skin is in use. 'storectl skin list' tells which there are.")
        }
        return skin.identifier
    }
}

extension Console {
    fileprivate func tell(_ use: SkinUse) -> ExitCode {
        if json {
            document(use)
        } else {
            confirmation(use.skin.map { "\($0.name) is in use." } ?? "No skin is in use.")
            tell(use.problem)
        }
        return .done
    }

    fileprivate func tell(_ problem: ErrorReport?) {
        if let problem { remark("It is not the one that was chosen: \(problem.message)") }
    }

    fileprivate func tell(_ report: SkinReport, of what: String) -> ExitCode {
        guard !json else {
            document(report)
            return .done
        }
        for warning in report.warnings {
            line("\(warning.file):\(warning.line.map { "\($0):" } ?? "") \(warning.message) [\(warning.code)]")
        }
        confirmation(
            report.warnings.isEmpty
                ? "\(what) is as it must be." : "\(what) applies, but for \(counted(report.warnings.count, "warning"))."
        )
        return .done
    }
}
