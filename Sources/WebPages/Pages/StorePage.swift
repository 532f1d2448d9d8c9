import StoreMessages
public import StoreModel

/// The page with the products of all stores, and the form that searches them.
public struct StorePage: Page {
    /// The criteria of a search, as the form has them.
    public struct Search: Sendable {
        /// The words to search for.
        public var words: String
        /// The kind of the products; empty for all.
        public var kind: String
        /// The category of the products; empty for all.
        public var category: String
        /// The order of the products.
        public var sort: String
        /// Whether only products that cost nothing are wanted.
        public var isFree: Bool

        /// Creates the criteria of a search.
        public init(words: String, kind: String, category: String, sort: String, isFree: Bool) {
            self.words = words
            self.kind = kind
            self.category = category
            self.sort = sort
            self.isFree = isFree
        }
    }

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

    public var template: String { "store" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String]
    let words: String
    let kinds: [Choice]
    let hasCategories: Bool
    let categories: [Choice]
    let orders: [Choice]
    let free: Bool
    let count: String
    let isEmpty: Bool
    let emptyText: String
    let products: [Card]
    let next: String?

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - products: the products on this page of the result.
    ///   - unsigned: the names of the stores whose catalogue is not signed.
    ///   - hasStores: whether the user has added a store.
    ///   - next: the query of the next page of the result; `nil` if this is the last one.
    public init(
        _ search: Search, products: [ProductSummary], categories: [ProductCategory], unsigned: Set<String>,
        hasStores: Bool, downloads: [String: DownloadStatus], warnings: [String], next: String?,
        _ texts: PageText
    ) {
        title = NavigationLink.Target.store.name(texts)
        navigation = NavigationLink.all(on: .store, texts)
        let messages = texts.messages
        self.warnings = warnings.map(texts.translation)
        words = search.words
        kinds = [ProductKind.sticker, .skin, .emoji, .plugin].map {
            Choice(value: $0.rawValue, name: texts.kind($0), isChosen: search.kind == $0.rawValue)
        }
        hasCategories = !categories.isEmpty
        self.categories = categories.map {
            Choice(value: $0.name, name: $0.name.displayable, isChosen: $0.name == search.category)
        }
        orders = [
            ("name", messages.text("Name")), ("newest", messages.text("Newest")),
            ("popular", messages.text("Most popular")), ("price", messages.text("Price")),
        ].map {
            Choice(value: $0.0, name: $0.1, isChosen: search.sort == $0.0)
        }
        free = search.isFree
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
            let name = product.name.displayable
            let actions = ProductActions(
                product.productIdentifier, name: name, store: product.store, kind: product.kind, states: product.state,
                price: product.price, isInstallable: product.defect == nil,
                download: downloads[product.productIdentifier], texts)
            return Card(
                id: product.productIdentifier, store: product.store, name: name, initial: String(name.prefix(1)),
                href: "/store/\(PathSegment.encode(product.store))/\(PathSegment.encode(product.productIdentifier))",
                icon: product.icon, publisher: product.publisher?.displayable,
                kindName: texts.kind(product.kind), price: texts.price(product.price),
                size: product.size.map(texts.size), isUnsigned: unsigned.contains(product.store),
                defect: product.defect.map(texts.sentence(ofEnglish:)), state: actions.state, buttons: actions.buttons,
                download: actions.download, failure: actions.failure)
        }
        self.next = next.map { "/store?" + $0 }
    }
}
