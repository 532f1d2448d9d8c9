import ArgumentParser
import FoundationEssentials
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSettings
import StoreSystem
import StoreTerminal

struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add packs to a store",
        discussion: """
            Each directory becomes the archive of one product. It contains the files of the directory, except hidden \
            ones, such as '.git', those that other programs run because of their names, such as 'autorun.inf', and those \
            that file managers leave behind, such as 'Thumbs.db'.

            Values without an option are taken from the pack's manifest (pack.json, or skin.xml for a skin), else from \
            the product's current entry in the store. Otherwise the identifier and the name are the directory's name, the \
            kind is 'sticker', the version is 1.0.0, and the product is free. The parent of a skin becomes a dependency.

            Sticker packs in the formats of other programs, such as .wastickers files, are converted first: 'storectl \
            stickers import --help' lists the formats. What can't be converted is warned of.

            A directory with packs in it that is none itself is refused, and so is a kind that looks like a mistyped \
            one.

            Warnings name what clients skip: members of pack.json that nothing reads, items of a skin such as unknown \
            components, and images that are not shown as an emoji. They also name what may be a mistake: a sticker pack \
            without stickers, a text among the emoji of a sticker that is none, a kind that storectl does not know, a \
            skin.xml with another version than the product, a price without a currency, an identifier that is hard to \
            type, and a dependency that the store does not offer.

            A version that is already in the store with other contents is rejected; use a higher version. Clients see \
            the products after 'storehouse publish'.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(
        help: ArgumentHelp("Directories of packs, or sticker packs of other programs", valueName: "pack"),
        completion: .file())
    var directories: [String]
    @Option(help: ArgumentHelp("Product identifier", valueName: "id"))
    var id: String?
    @Option(help: ArgumentHelp("Kind of content: sticker, skin, emoji, plugin, or another word", valueName: "kind"))
    var kind: String?
    @Option(help: ArgumentHelp("Display name of the product", valueName: "text"))
    var name: String?
    @Option(help: ArgumentHelp("Version, for example 1.0.0", valueName: "version"))
    var version: String?
    @Option(
        help: ArgumentHelp(
            "Price with currency, for example '1.99 EUR'; 0 or 'free' for a free product", valueName: "price"))
    var price: String?

    func validate() throws {
        if directories.count > 1, id != nil || name != nil {
            throw ValidationError("--id and --name require exactly one directory, but \(directories.count) were given")
        }
    }

    func run() throws {
        let storehouse = try store.open()
        let options = AddOptions(
            productIdentifier: id, kind: kind.map { ProductKind(rawValue: $0) }, name: name,
            version: version.map { Version($0) }, price: price.map { StoreModel.Price($0) })
        let time = try PublicationTime.now()
        var failures: [ErrorCode] = []
        let outcomes = try storehouse.add(directories, options: options, time: time) { kind in
            Suggestion.best(for: kind.rawValue, among: knownKinds.words).map { ProductKind(rawValue: $0) }
        }
        for outcome in outcomes {
            for file in outcome.imported?.files ?? [] where file.outcome == .leftOut {
                Output.console.warning(
                    "\(outcome.folder): left out '\(file.source)': \(file.reason ?? "unknown reason")")
            }
            for member in outcome.unknownMembers {
                Output.console.warning("\(outcome.folder): \(member.text)")
            }
            switch outcome.result {
            case .success(let added):
                Output.console.line(added.line)
                Output.console.warn(leftOut: added.leftOut, of: outcome.folder)
                if added.productIdentifier.contains(where: { $0.isWhitespace || $0 == "/" }) {
                    Output.console.warning(
                        "'\(added.productIdentifier)' has white space or a slash in its identifier, which is hard to type in "
                            + "commands; prefer letters, digits, '.', '-' and '_', such as org.example.cups")
                }
                if !added.isKnownKind { Output.console.warning(added.unknownKindText) }
                for warning in added.warnings { Output.console.warning("\(outcome.folder): \(warning)") }
                if let price = added.price {
                    Output.warn(ofMissingCurrency: price, of: added.productIdentifier)
                }
                for missing in added.missingDependencies where !PreinstalledSkins.contain(missing) {
                    Output.console.warning(
                        "'\(added.productIdentifier)' needs '\(missing)', which the store does not offer")
                }
            case .failure(let report):
                Output.console.error(report.prefixed(with: outcome.folder))
                failures.append(report.code)
            }
        }
        guard let first = failures.first else { return }
        let alike = failures.count == outcomes.count && failures.allSatisfy { $0.exitCode == first.exitCode }
        throw ArgumentParser.ExitCode((alike ? first.exitCode : .partial).rawValue)
    }
}

extension Storehouse.Added {
    fileprivate var line: String {
        let result =
            switch change {
            case .added: "Added '\(productIdentifier)' \(version) (\(facts))"
            case .unchanged: "'\(productIdentifier)' \(version) is already in the store"
            case .belowOffered(let higher):
                "Added '\(productIdentifier)' \(version); clients are still offered \(higher)"
            }
        return ([result] + differences.map(\.text)).joined(separator: "; ") + "."
    }

    /// The warning that clients don't know the kind of the product, and what they do with it.
    fileprivate var unknownKindText: String {
        "'\(productIdentifier)' is of the kind '\(kind)', which storectl does not know: it lists the product, and refuses to "
            + "install it; it knows \(knownKinds.words.joined(separator: ", "))"
    }

    /// The kind of the product, the number of its items, and the size of its archive.
    private var facts: String {
        [kind.rawValue, contents?.description, AmountFormat.bytes(size)].compactMap { $0 }.joined(separator: ", ")
    }
}

extension UnknownMember {
    /// The warning about the member, with the one that may be meant.
    fileprivate var text: String {
        let place = line.map { "\(PackInformation.fileName), line \($0)" } ?? PackInformation.fileName
        let meant = Suggestion.best(for: name, among: known).map { "; " + Suggestion.hint(naming: $0) } ?? ""
        return "\(place): unknown member '\(name)'\(meant)"
    }
}

extension Storehouse.Difference {
    fileprivate var text: String {
        switch self {
        case .kind(let before, let now): "changed its kind from \(before) to \(now)"
        case .price(let before, let now): "changed its price from \(before) to \(now)"
        case .offeredAgain: "it is offered again"
        case .description: "changed its description"
        }
    }
}

/// A namespace for the skins that are installed with the programs, and that no store has to offer.
private enum PreinstalledSkins {
    static func contain(_ productIdentifier: String) -> Bool {
        guard let paths = try? HomePaths.current(home: nil) else { return false }
        let name = "\(PackDirectoryName(productIdentifier: productIdentifier)).\(Settings().skinsPreinstalledExtension)"
        return paths.preinstalled.contains { (try? Directory.open("\($0)/\(name)")) != nil }
    }
}

extension Add: OperandListCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.directories }
}
