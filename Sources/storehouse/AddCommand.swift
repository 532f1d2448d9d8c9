import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing
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

            A version that is already in the store with other contents is rejected; use a higher version. Clients see \
            the products after 'storehouse publish'.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Directories of packs", valueName: "packfolder"), completion: .directory)
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
        for outcome in try storehouse.add(directories, options: options, time: time) {
            switch outcome.result {
            case .success(let added):
                Output.console.line(added.line)
                Output.console.warn(leftOut: added.leftOut, of: outcome.folder)
            case .failure(let report):
                Output.console.error(report.prefixed(with: outcome.folder))
                failures.append(report.code)
            }
        }
        guard let first = failures.first else { return }
        let alike = failures.count == directories.count && failures.allSatisfy { $0.exitCode == first.exitCode }
        throw ArgumentParser.ExitCode((alike ? first.exitCode : .partial).rawValue)
    }
}

extension Storehouse.Added {
    fileprivate var line: String {
        switch change {
        case .added: "Added '\(productIdentifier)' \(version) (\(kind), \(AmountFormat.bytes(size)))."
        case .unchanged: "'\(productIdentifier)' \(version) is already in the store."
        case .belowOffered(let higher): "Added '\(productIdentifier)' \(version); clients are still offered \(higher)."
        }
    }
}
