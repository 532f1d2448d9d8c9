import ArgumentParser
import FoundationEssentials
import StoreModel
import StorePublishing

struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take packs into a store: one folder for each.",
        discussion: """
            All files of the folder become the product's archive, and nothing else. What no option says is taken from \
            the pack's information file (pack.json; of a skin, skin.xml), else from what the store knows of the \
            product, else the identifier and name are the folder's, the kind is 'sticker', the version 1.0.0, and the \
            price free. The skin that a skin inherits from becomes one of its dependencies.

            A version that is in the store with other contents is refused: give the new one a higher version. Clients \
            see nothing before 'storehouse publish'.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Folders with a pack's files.", valueName: "packfolder"), completion: .directory)
    var folders: [String]
    @Option(help: ArgumentHelp("The product's identifier.", valueName: "id"))
    var id: String?
    @Option(help: ArgumentHelp("sticker, skin, emoji, plugin, or another word.", valueName: "kind"))
    var kind: String?
    @Option(help: ArgumentHelp("What the product is called in front of people.", valueName: "text"))
    var name: String?
    @Option(help: ArgumentHelp("The version, such as 1.0.0.", valueName: "version"))
    var version: String?
    @Option(help: ArgumentHelp("Amount and currency, such as '1.99 EUR'; 0 or 'free' is free.", valueName: "price"))
    var price: String?

    func validate() throws {
        if folders.count > 1, id != nil || name != nil {
            throw ValidationError("--id and --name are for one pack folder; \(folders.count) were given.")
        }
    }

    func run() throws {
        let storehouse = try store.open()
        let options = AddOptions(
            productIdentifier: id, kind: kind.map { ProductKind(rawValue: $0) }, name: name,
            version: version.map { Version($0) }, price: price.map { StoreModel.Price($0) })
        let time = try PublicationTime.now()
        var failures: [ErrorCode] = []
        for outcome in try storehouse.add(folders, options: options, time: time) {
            switch outcome.result {
            case .success(let added): print(added.line)
            case .failure(let report):
                Output.warn("storehouse: \(outcome.folder): \(report.message)")
                failures.append(report.code)
            }
        }
        guard let first = failures.first else { return }
        let alike = failures.count == folders.count && failures.allSatisfy { $0.exitCode == first.exitCode }
        throw ArgumentParser.ExitCode((alike ? first.exitCode : .partial).rawValue)
    }
}

extension Storehouse.Added {
    fileprivate var line: String {
        switch change {
        case .added: "Added '\(productIdentifier)' \(version) (\(kind), \(Output.size(size)))."
        case .unchanged: "'\(productIdentifier)' \(version) is in the store already."
        case .belowOffered(let higher): "Added '\(productIdentifier)' \(version); \(higher) stays the one offered."
        }
    }
}
