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
    let results: StoreResults

    /// Creates the page.
    public init(
        _ search: Search, _ results: StoreResults, categories: [ProductCategory], warnings: [String],
        _ texts: PageText
    ) {
        title = NavigationLink.Target.store.name(texts)
        navigation = NavigationLink.all(on: .store, texts)
        let messages = texts.messages
        self.warnings = warnings.map(texts.translation)
        words = search.words
        let chosen = ProductKind(rawValue: search.kind)
        let isOther = !search.kind.isEmpty && !ProductKind.known.contains(chosen)
        kinds = (ProductKind.known + (isOther ? [chosen] : [])).map {
            Choice(value: $0.rawValue, name: texts.kind($0), isChosen: $0 == chosen)
        }
        hasCategories = !categories.isEmpty
        self.categories = categories.map {
            Choice(value: $0.name, name: $0.name.displayableName, isChosen: $0.name == search.category)
        }
        orders = [
            ("name", messages.text("Name")), ("newest", messages.text("Newest")),
            ("popular", messages.text("Most popular")), ("price", messages.text("Price")),
        ].map {
            Choice(value: $0.0, name: $0.1, isChosen: search.sort == $0.0)
        }
        free = search.isFree
        self.results = results
    }
}
