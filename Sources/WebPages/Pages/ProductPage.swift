import StoreMessages
public import StoreModel

/// The page with everything that is known about one product.
public struct ProductPage: Page {
    struct Picture: Sendable {
        let source: String
        let text: String
    }

    public var template: String { "product" }
    let title: String
    let navigation: [NavigationLink]
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
    /// The path of the page with the operations on the product.
    let operationsPath: String
    let state: String?
    let buttons: [ProductActions.Button]
    let download: ProductActions.Download?
    let failure: String?

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
    ///   - isVerifiable: whether the installed pack has a list of its files to be verified against.
    ///   - isUnsigned: whether the catalogue of the product's store is not signed.
    ///   - languages: the languages of the texts, the best first.
    public init(
        _ product: ProductItem, store: String, states: [ProductState], details: ProductDetails?, images: Images,
        pack: InstalledPack?, isVerifiable: Bool, isUnsigned: Bool, download: DownloadStatus?, languages: [String],
        warnings: [String], _ texts: PageText
    ) {
        let messages = texts.messages
        navigation = NavigationLink.all(on: .store, texts)
        let name = product.productName.text(in: languages).displayableName
        self.name = name
        title = name
        self.warnings = warnings.map(texts.translation)
        id = product.productIdentifier
        operationsPath = HistoryPage.path(of: product.productIdentifier)
        icon = images.icon
        publisher = product.publisher?.displayableName
        kindName = texts.kind(product.kind)
        price = texts.price(product.productPrice)
        size = product.resource?.size.map(texts.size)
        version = product.version?.text.displayableName
        self.isUnsigned = isUnsigned
        defect =
            product.withdrawn
            ? messages.text("The store no longer offers this product.") : product.defect.map(texts.sentence(ofEnglish:))
        description = details?.info.text(in: languages).displayableLines
        changes = details?.changes?.text(in: languages).displayableLines
        pictures =
            (images.sprite.map { [Picture(source: $0, text: messages.text("Content of {name}", ["name": name]))] } ?? [])
            + images.previews.enumerated().map { number, path in
                Picture(
                    source: path,
                    text: messages.text("Preview {number} of {name}", ["number": "\(number + 1)", "name": name]))
            }
        hasPictures = !pictures.isEmpty
        permissions = product.permissionsToGrant.map(texts.permission)
        hasPermissions = !permissions.isEmpty
        var facts = [
            PageField(name: messages.text("Identifier"), value: id),
            PageField(name: messages.text("Store"), value: store),
        ]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { facts.append(PageField(name: name, value: value.displayableFact)) }
        }
        add(messages.text("License"), product.license)
        add(messages.text("Authors"), product.authors.joined(separator: ", "))
        add(messages.text("Categories"), product.categories.joined(separator: ", "))
        add(messages.text("Tags"), product.tags.joined(separator: ", "))
        add(messages.text("Languages"), product.locales.joined(separator: ", "))
        add(messages.text("Requires"), product.dependencies.joined(separator: ", "))
        add(messages.text("Published"), product.publishedAt.map(texts.time))
        // The last one, so that an installation moves none of the others.
        add(messages.text("Installed version"), pack?.version?.text)
        self.facts = facts
        let actions = ProductActions(
            id, name: name, store: store, kind: product.kind, states: states, price: product.productPrice,
            isInstallable: product.defect == nil && !product.withdrawn, isHeld: pack?.held,
            isUnmanaged: pack != nil && pack?.store == nil, isVerifiable: isVerifiable, download: download, texts)
        (state, buttons, failure) = (actions.state, actions.buttons, actions.failure)
        self.download = actions.download
    }
}
