import ArgumentParser
import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSettings
import StoreTerminal

/// The kinds of content (such as skins) whose rules are applied to packs to publish.
///
/// They are those that clients know, with default settings.
let knownKinds = ContentKinds.builtIn(Settings())

extension StoreArgument {
    /// Opens the publisher's store whose directory the command line names.
    func open() throws -> Storehouse { try Storehouse(path: path, kinds: knownKinds) }

    /// Opens the publisher's store for work on a product.
    ///
    /// If the store lacks the product, the hint of the error names a product that may be meant.
    func openNaming<Result>(_ productIdentifier: String, _ work: (Storehouse) throws -> Result) throws -> Result {
        let storehouse = try open()
        do {
            return try work(storehouse)
        } catch let error as StoreError where error.code == .noProduct {
            let known = try storehouse.products().map(\.productIdentifier)
            guard let meant = Suggestion.bestIdentifier(for: productIdentifier, among: known) else { throw error }
            let report = ErrorReport(error, formatter: .publisher)
            throw ErrorReport(code: report.code, message: report.message, hint: Suggestion.hint(naming: meant))
        }
    }
}

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create an empty store",
        discussion: """
            Creates the directory if it does not exist. Of an existing store, only the name is changed. With --sign, the \
            keys of the store are made, too, as 'storehouse key init' does.
            """)

    @OptionGroup var store: StoreArgument
    @Option(help: ArgumentHelp("Display name of the store", valueName: "text"))
    var name: String?
    @Flag(help: "Make the store a signed one")
    var sign = false
    @OptionGroup var signing: SigningOptions

    func run() throws {
        var keys: KeyRing?
        let source = signing.passphrase.source
        // Before the store is created: without a passphrase and a directory for the keys, it would remain an unsigned one.
        if sign, (try? store.open()) == nil {
            _ = try source.newPassphrase(of: signing.keyPath(ofDirectory: store.path))
        }
        let isNew = try Storehouse.create(at: store.path, name: name.map { LocalizedText($0) }) {
            if sign { keys = try signing.ring(ofDirectory: store.path, makesKeys: true, source) }
        }
        if isNew { Output.console.line("Created a store in '\(store.path)'.") }
        // Before an existing store is renamed: if it is signed already, nothing of it changes.
        if sign { try KeyInit.makeKeys(of: store, keys ?? signing.ring(of: store.open(), makesKeys: true)) }
        if isNew { return }
        if let name {
            try store.open().setName(LocalizedText(name))
            Output.console.line(
                "Renamed the store in '\(store.path)' to '\(name)'; publish to make this visible to clients.")
        } else if !sign {
            Output.console.line("'\(store.path)' is already a store.")
        }
    }
}

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the products of a store")

    @OptionGroup var store: StoreArgument
    @Flag(help: "Print one JSON document")
    var json = false

    func run() throws {
        let products = try store.open().products()
        guard !json else {
            Output.console.document(["products": products])
            return
        }
        guard !products.isEmpty else {
            Output.console.note("The store has no products.")
            Output.console.hint("add one with 'storehouse add \(store.path) DIRECTORY'")
            return
        }
        var table = Table([
            .identifier(title: "PRODUCT"), .init(title: "KIND", flexible: true, omission: 1),
            .init(title: "VERSION", flexible: true, omission: 3), .init(title: "PRICE", flexible: true, omission: 2),
            .init(title: "SIZE", omission: 0), .init(title: "STATE", flexible: true, omission: 4),
        ])
        for product in products {
            table.add(
                product.productIdentifier, product.kind.rawValue, product.version.text, product.price.description,
                AmountFormat.bytes(product.size), product.stateText)
        }
        Output.console.table(table)
    }
}

extension Storehouse.Listed {
    fileprivate var stateText: String {
        switch (withdrawn, publishedVersion) {
        case (true, nil): "withdrawn"
        case (true, _?): "withdrawn with the next publish"
        case (false, nil): "not published"
        case (false, let published?) where published != version: "\(published) is published"
        case (false, _?): hasUnpublishedChanges ? "published, but changed since" : "published"
        }
    }
}

struct Price: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set the price of a product",
        discussion: "Clients see the price after the next publish.")

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Product identifier", valueName: "id"))
    var productIdentifier: String
    @Argument(
        help: ArgumentHelp(
            "Price with currency, for example '1.99 EUR'; 0 or 'free' for a free product", valueName: "price"))
    var price: String

    func run() throws {
        let price = StoreModel.Price(price)
        try store.openNaming(productIdentifier) { try $0.setPrice(price, of: productIdentifier) }
        Output.warn(ofMissingCurrency: price, of: productIdentifier)
        Output.console.line(
            "Set the price of '\(productIdentifier)' to \(price); publish to make it visible to clients.")
    }
}

struct Withdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Withdraw a product",
        discussion: """
            After the next publish, clients can't install the product any more; installed packs remain. Add the product \
            again to offer it again.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("Product identifier", valueName: "id"))
    var productIdentifier: String

    func run() throws {
        let isNew = try store.openNaming(productIdentifier) { try $0.withdraw(productIdentifier) }
        Output.console.line(
            isNew
                ? "Withdrew '\(productIdentifier)'; publish to make this visible to clients."
                : "'\(productIdentifier)' is withdrawn already.")
    }
}

struct Publish: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish all changes to clients in one step",
        discussion: """
            Writes the directory 'public' of the store, which any web server can serve. Files that clients may still be \
            reading are kept until the next publish.

            A mirror is a web server with a copy of 'public'. Clients download a product's archive from it if this store \
            fails or is slower, and verify it by the SHA-256 in this store's catalogue. Mirrors are remembered; --mirror \
            replaces all of them.

            Of a signed store (see 'storehouse key'), the metadata is signed with the keys at hand and published in the \
            same step. Where signatures are missing, clients still see the previous state, and 'storehouse sign' gets \
            them.

            Examples:
              storehouse publish ~/store --mirror https://mirror.example/cups/
            """)

    @OptionGroup var store: StoreArgument
    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp("URL of a copy of 'public'; repeatable", valueName: "url"))
    var mirrors: [String] = []
    @Flag(help: "Remove all mirrors")
    var noMirrors = false
    @OptionGroup var signing: SigningOptions

    func validate() throws {
        if noMirrors, !mirrors.isEmpty { throw ValidationError("--mirror and --no-mirrors exclude each other") }
        for mirror in mirrors where URL(string: mirror) == nil {
            throw ValidationError("invalid URL '\(mirror)': expected https://… or http://…")
        }
    }

    func run() throws {
        let keepsMirrors = mirrors.isEmpty && !noMirrors
        let store = try store.open()
        let keys = try signing.ring(of: store)
        let published = try store.publish(
            mirrors: keepsMirrors ? nil : mirrors.compactMap { URL(string: $0) }, keys: keys, at: PublicationTime.now())
        let products = Output.count(published.products, "product")
        defer {
            if !published.signed.isEmpty { Output.console.line("Signed \(published.signed.text).") }
            for file in published.waiting {
                Output.console.warning("\(file.role.file) expires soon, and its keys are not at hand")
                Output.console.hint("get the signatures with 'storehouse sign request \(store.path) --output FILE'")
            }
            Output.console.warn(ofExpired: published.expiries, in: store)
        }
        guard published.changed else {
            let withdrawn = published.withdrawn == 0 ? "" : ", \(published.withdrawn) withdrawn"
            Output.console.line("Nothing to publish (\(products)\(withdrawn)).")
            return
        }
        let withdrawn = published.withdrawn == 0 ? "" : " (\(published.withdrawn) withdrawn)"
        let added = Output.count(published.filesAdded, "new file")
        let removed = published.filesRemoved == 0 ? "" : ", \(published.filesRemoved) old removed"
        Output.console.line("Published \(products)\(withdrawn) in '\(store.path)/public': \(added)\(removed).")
    }
}
