public import StoreModel

/// The page with everything that is known about one product.
public struct ProductPage: Page {
    struct Picture: Sendable {
        let source: String
        let text: String
    }

    public var template: String { "product" }
    let title: String
    let navigation = NavigationLink.all(on: "Store")
    let warnings: [String]
    let id: String
    let name: String
    let icon: String?
    let publisher: String?
    let kindName: String
    let price: String
    let size: String?
    let version: String?
    let isUnsigned: Bool
    let defect: String?
    let description: String?
    let changes: String?
    let hasPictures: Bool
    let pictures: [Picture]
    let hasPermissions: Bool
    let permissions: [String]
    let facts: [PageField]
    let state: String?
    let buttons: [ProductActions.Button]
    let download: ProductActions.Download?

    /// The paths of a product's images.
    public struct Images: Sendable {
        /// The path of the image for lists.
        public var icon: String?
        /// The path of the image that shows the content.
        public var sprite: String?
        /// The paths of the images that show the product in use.
        public var previews: [String]

        /// Creates the list of the paths of a product's images.
        public init(icon: String?, sprite: String?, previews: [String]) {
            self.icon = icon
            self.sprite = sprite
            self.previews = previews
        }
    }

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - isUnsigned: whether the catalogue of the product's store is not signed.
    ///   - languages: the languages of the texts, the best first.
    public init(
        _ product: ProductItem, store: String, states: [ProductState], details: ProductDetails?, images: Images,
        pack: InstalledPack?, isUnsigned: Bool, download: DownloadStatus?, languages: [String], warnings: [String]
    ) {
        let name = product.productName.text(in: languages).displayable
        self.name = name
        title = name
        self.warnings = warnings.map(\.displayable)
        id = product.productIdentifier
        icon = images.icon
        publisher = product.publisher?.displayable
        kindName = PageText.kind(product.kind)
        price = PageText.price(product.productPrice)
        size = product.resource?.size.map(PageText.size)
        version = product.version?.text.displayable
        self.isUnsigned = isUnsigned
        defect = product.withdrawn ? "The store no longer offers this product." : product.defect.map(PageText.sentence)
        description = details?.info.text(in: languages)
        changes = details?.changes?.text(in: languages)
        pictures =
            (images.sprite.map { [Picture(source: $0, text: "Content of \(name)")] } ?? [])
            + images.previews.enumerated().map { Picture(source: $1, text: "Preview \($0 + 1) of \(name)") }
        hasPictures = !pictures.isEmpty
        permissions = product.permissions.map(PageText.permission)
        hasPermissions = !permissions.isEmpty
        var facts = [PageField(name: "Identifier", value: id), PageField(name: "Store", value: store)]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { facts.append(PageField(name: name, value: value.displayable)) }
        }
        add("Installed version", pack?.version?.text)
        add("License", product.license)
        add("Authors", product.authors.joined(separator: ", "))
        add("Categories", product.categories.joined(separator: ", "))
        add("Tags", product.tags.joined(separator: ", "))
        add("Languages", product.locales.joined(separator: ", "))
        add("Requires", product.dependencies.joined(separator: ", "))
        add("Published", product.publishedAt.map(PageText.time))
        self.facts = facts
        let actions = ProductActions(
            id, name: name, store: store, kind: product.kind, states: states, price: product.productPrice,
            isInstallable: product.defect == nil && !product.withdrawn, isHeld: pack?.held, download: download)
        (state, buttons, self.download) = (actions.state, actions.buttons, actions.download)
    }
}
