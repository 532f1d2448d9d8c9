import StoreMessages
public import StoreModel

/// The products that a search found: a part of the store's page, which its script also requests alone while the user types.
public struct StoreResults: Page {
    struct Card: Sendable {
        let id: String
        let store: String
        let name: String
        let initial: String
        let href: String
        let icon: String?
        let publisher: String?
        let kindName: String
        let price: String
        let size: String?
        let isUnsigned: Bool
        let defect: String?
        let state: String?
        let buttons: [ProductActions.Button]
        let download: ProductActions.Download?
        let failure: String?
    }

    public var template: String { "results" }
    let count: String
    let isEmpty: Bool
    let emptyText: String
    let products: [Card]
    let next: String?

    /// Creates the results of a search.
    ///
    /// - Parameters:
    ///   - products: the products on this page of the result.
    ///   - unmanaged: the identifiers of those products whose packs were placed by hand.
    ///   - unsigned: the names of the stores whose catalogue is not signed.
    ///   - hasStores: whether the user has added a store.
    ///   - next: the query of the next page of the result; `nil` if this is the last one.
    public init(
        _ products: [ProductSummary], unmanaged: Set<String>, unsigned: Set<String>, hasStores: Bool,
        downloads: [String: DownloadStatus], next: String?, _ texts: PageText
    ) {
        let messages = texts.messages
        count =
            next == nil
            ? texts.products(products.count)
            : messages.text(
                products.count, one: "{count} product on this page", other: "{count} products on this page")
        isEmpty = products.isEmpty
        emptyText =
            hasStores
            ? messages.text("No product matches.")
            : messages.text("No store is in use. Add one with {command}.", ["command": "'storectl store add NAME URL'"])
        self.products = products.map { product in
            let name = product.name.displayableName
            let actions = ProductActions(
                product.productIdentifier, name: name, store: product.store, kind: product.kind, states: product.state,
                price: product.price, isInstallable: product.defect == nil,
                isUnmanaged: unmanaged.contains(product.productIdentifier),
                download: downloads[product.productIdentifier], texts)
            return Card(
                id: product.productIdentifier, store: product.store, name: name, initial: String(name.prefix(1)),
                href: "/store/\(PathSegment.encode(product.store))/\(PathSegment.encode(product.productIdentifier))",
                icon: product.icon, publisher: product.publisher?.displayableName,
                kindName: texts.kind(product.kind), price: texts.price(product.price),
                size: product.size.map(texts.size), isUnsigned: unsigned.contains(product.store),
                defect: product.defect.map(texts.sentence(ofEnglish:)), state: actions.state, buttons: actions.buttons,
                download: actions.download, failure: actions.failure)
        }
        self.next = next.map { "/store?" + $0 }
    }
}
