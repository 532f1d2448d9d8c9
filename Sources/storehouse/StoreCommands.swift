import ArgumentParser
import FoundationEssentials
import StoreEngine
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSettings

/// The kinds whose rules packs are held to: those of the clients, which no setting changes.
let knownKinds = ContentKinds.builtIn(Settings())

extension StoreArgument {
    func open() throws -> Storehouse { try Storehouse(path: path, kinds: knownKinds) }
}

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make an empty store.",
        discussion: "The folder is made where it is missing. One that is a store already stays as it is.")

    @OptionGroup var store: StoreArgument
    @Option(help: ArgumentHelp("What the store is called in front of people.", valueName: "text"))
    var name: String?

    func run() throws {
        let isNew = try Storehouse.create(at: store.path, name: name.map { LocalizedText($0) })
        print(isNew ? "Made a store in '\(store.path)'." : "'\(store.path)' is a store already.")
    }
}

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the products of a store, published or not.")

    @OptionGroup var store: StoreArgument
    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func run() throws {
        let products = try store.open().products()
        guard !json else {
            try Output.printJSON(["products": products])
            return
        }
        guard !products.isEmpty else {
            print("The store has no products. 'storehouse add \(store.path) FOLDER' adds one.")
            return
        }
        let heading = ["PRODUCT", "KIND", "VERSION", "PRICE", "SIZE", "STATE"]
        Output.printTable(
            [heading]
                + products.map {
                    [
                        $0.productIdentifier, $0.kind.rawValue, $0.version.text, $0.price.description,
                        Output.size($0.size), $0.stateText,
                    ]
                })
    }
}

extension Storehouse.Listed {
    fileprivate var stateText: String {
        switch (withdrawn, publishedVersion) {
        case (true, nil): "withdrawn"
        case (true, _?): "withdrawn at the next publish"
        case (false, nil): "not published yet"
        case (false, let published?): published == version ? "published" : "\(published) is published"
        }
    }
}

struct Price: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set what a product costs.",
        discussion: "Clients see it after the next publish.")

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("The product's identifier.", valueName: "id"))
    var productIdentifier: String
    @Argument(help: ArgumentHelp("Amount and currency, such as '1.99 EUR'; 0 or 'free' is free.", valueName: "price"))
    var price: String

    func run() throws {
        let price = StoreModel.Price(price)
        try store.open().setPrice(price, of: productIdentifier)
        print("'\(productIdentifier)': \(price), for clients from the next publish on.")
    }
}

struct Withdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Offer a product no longer.",
        discussion: """
            From the next publish on clients are told that it is withdrawn and can't install it any more; whoever has \
            it keeps it. Adding it again offers it again.
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: ArgumentHelp("The product's identifier.", valueName: "id"))
    var productIdentifier: String

    func run() throws {
        try store.open().withdraw(productIdentifier)
        print("'\(productIdentifier)' is withdrawn, for clients from the next publish on.")
    }
}

struct Publish: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make everything that was added visible to clients, in one step.",
        discussion: """
            Writes 'public' in the store's folder, which any web server can serve. Files that clients may still be \
            reading stay until the publish after this one.

            A mirror is a web server with a copy of 'public'. Clients turn to it for a product's archive where this store \
            fails them or is slower; they believe what it sends by the SHA-256 of this store's catalogue, and nothing \
            else of it. Mirrors are remembered; to name any replaces all of them.

            For example:
              storehouse publish ~/store --mirror https://mirror.example/cups/
            """)

    @OptionGroup var store: StoreArgument
    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp("The address of a folder with a copy of 'public'; any number of times.", valueName: "url"))
    var mirrors: [String] = []
    @Flag(help: "Forget all mirrors.")
    var noMirrors = false

    func validate() throws {
        if noMirrors, !mirrors.isEmpty { throw ValidationError("It is either --mirror or --no-mirrors.") }
        for mirror in mirrors where URL(string: mirror) == nil {
            throw ValidationError("'\(mirror)' is no address; it should begin with https:// or http://.")
        }
    }

    func run() throws {
        let isAsBefore = mirrors.isEmpty && !noMirrors
        let published = try store.open().publish(mirrors: isAsBefore ? nil : mirrors.compactMap { URL(string: $0) })
        let products = Output.count(published.products, "product", "products")
        guard published.changed else {
            print("\(products); clients see what they saw before.")
            return
        }
        let added = Output.count(published.filesAdded, "new file", "new files")
        let removed = published.filesRemoved == 0 ? "" : ", \(published.filesRemoved) old removed"
        print("Published \(products) in '\(store.path)/public': \(added)\(removed).")
    }
}
