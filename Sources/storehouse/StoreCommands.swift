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
}

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create an empty store",
        discussion: "Creates the directory if it does not exist. An existing store is not changed.")

    @OptionGroup var store: StoreArgument
    @Option(help: ArgumentHelp("Display name of the store", valueName: "text"))
    var name: String?

    func run() throws {
        let isNew = try Storehouse.create(at: store.path, name: name.map { LocalizedText($0) })
        Output.console.line(
            isNew ? "Created a store in '\(store.path)'." : "'\(store.path)' is already a store.")
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
            .init(title: "PRODUCT", flexible: true), .init(title: "KIND"), .init(title: "VERSION"),
            .init(title: "PRICE"), .init(title: "SIZE"), .init(title: "STATE"),
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
        case (false, let published?): published == version ? "published" : "\(published) is published"
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
        try store.open().setPrice(price, of: productIdentifier)
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
        try store.open().withdraw(productIdentifier)
        Output.console.line("Withdrew '\(productIdentifier)'; publish to make this visible to clients.")
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

    func validate() throws {
        if noMirrors, !mirrors.isEmpty { throw ValidationError("--mirror and --no-mirrors exclude each other") }
        for mirror in mirrors where URL(string: mirror) == nil {
            throw ValidationError("invalid URL '\(mirror)': expected https://… or http://…")
        }
    }

    func run() throws {
        let keepsMirrors = mirrors.isEmpty && !noMirrors
        let published = try store.open().publish(mirrors: keepsMirrors ? nil : mirrors.compactMap { URL(string: $0) })
        let products = Output.count(published.products, "product")
        guard published.changed else {
            Output.console.line("Nothing to publish (\(products)).")
            return
        }
        let added = Output.count(published.filesAdded, "new file")
        let removed = published.filesRemoved == 0 ? "" : ", \(published.filesRemoved) old removed"
        Output.console.line("Published \(products) in '\(store.path)/public': \(added)\(removed).")
    }
}
