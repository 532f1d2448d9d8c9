public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/products`: a page of the products that match a search.
public struct ProductList: Sendable, Codable {
    /// The products on this page of the search's result.
    public var products: [ProductSummary]
    /// A message for each store that did not respond, or whose catalogue is out of date, with the reason.
    public var warnings: [String]
    /// The text to send as `after` in the request for the next page of products; `nil` on the last page.
    public var next: String?

    /// Creates one page of the products that match a search.
    public init(products: [ProductSummary], warnings: [String] = [], next: String? = nil) {
        self.products = products
        self.warnings = warnings
        self.next = next
    }
}

extension ProductList: SchemaProviding {
    public static let schemaName = "ProductList"
    public static let schema = Schema.document(
        "The products that match a search.",
        [
            .required("products", .array(of: ProductSummary.self)),
            .required(
                "warnings", .array(of: .text),
                "The stores that did not respond, or whose catalogue is out of date, with the reason."),
            .nextPage,
        ])
}

/// The daemon's JSON response to `GET /v1/categories`: the categories of the products that stores offer.
public struct CategoryList: Sendable, Codable {
    /// The categories, in the order of their names.
    public var categories: [ProductCategory]
    /// A message for each store that did not respond, or whose catalogue is out of date, with the reason.
    public var warnings: [String]

    /// Creates the response with the categories of the products that stores offer.
    public init(categories: [ProductCategory], warnings: [String] = []) {
        self.categories = categories
        self.warnings = warnings
    }
}

extension CategoryList: SchemaProviding {
    public static let schemaName = "CategoryList"
    public static let schema = Schema.document(
        "The categories of the products that stores offer.",
        [
            .required("categories", .array(of: ProductCategory.self), "In the order of their names."),
            .required(
                "warnings", .array(of: .text),
                "The stores that did not respond, or whose catalogue is out of date, with the reason."),
        ])
}

extension ProductCategory: SchemaProviding {
    public static let schemaName = "Category"
    public static let schema = Schema.document(
        "A category of products.",
        [
            .required("name", .text, "As the first store that has it writes it."),
            .required("products", .count, "The number of products in the category, in all stores together."),
        ])
}

extension ProductSummary: SchemaProviding {
    public static let schemaName = "ProductSummary"
    public static let schema = Schema.document(
        "A store's product in a list.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("store", .nonEmptyText),
            .required("signed", .boolean, "Whether the store's catalogue was verified with its signatures."),
            .required("kind", .offeredKind),
            .required("name", .text, "In the first available language of `Accept-Language`."),
            .required("publisher", .text.nullable, "`null` if the store does not say."),
            .required(
                "icon", .nonEmptyText.nullable,
                "The path of the image for lists in this interface; `null` if the catalogue has none. The product's own "
                    + "description may have one then, which only its details document names."),
            .required("version", .version),
            .required("price", .text, "An amount as the store writes it, or `free`."),
            .required("size", .count.nullable, "The size of the ZIP file in bytes; `null` if the store does not say."),
            .required("state", .productStates),
            .required("defect", .text.nullable, "Why the product can't be installed; `null` if it can."),
        ])
}

/// The daemon's JSON response to `GET /v1/products/{store}/{id}`: everything known about a product.
public struct ProductDocument: Sendable, Codable {
    /// The name of the store that offers the product.
    public var store: String
    /// Whether the store's catalogue was verified with its signatures.
    public var signed: Bool
    /// The product as the store's catalogue describes it.
    public var product: ProductItem
    /// The paths at which the daemon serves the product's images.
    public var images: ProductImages
    /// The states of the product; a front-end with room for one shows the first.
    public var state: [ProductState]
    /// The content of the document with the product's details; `nil` if there is none or it is not available now.
    @OrNull public var details: ProductDetails?
    /// The installed pack of the product; `nil` if the product is not installed.
    @OrNull public var pack: InstalledPack?
    /// For each store that did not respond, or whose catalogue is out of date, a message with the reason.
    public var warnings: [String]

    /// Creates the response with everything known about one product.
    public init(
        store: String, signed: Bool = false, product: ProductItem, images: ProductImages = ProductImages(),
        state: [ProductState],
        details: ProductDetails?, pack: InstalledPack?, warnings: [String] = []
    ) {
        self.store = store
        self.signed = signed
        self.product = product
        self.images = images
        self.state = state
        self.details = details
        self.pack = pack
        self.warnings = warnings
    }
}

extension ProductDocument: SchemaProviding {
    public static let schemaName = "ProductOverview"
    public static let schema = Schema.document(
        "Everything known about a product.",
        [
            .required("store", .nonEmptyText),
            .required("signed", .boolean, "Whether the store's catalogue was verified with its signatures."),
            .required("product", .reference(to: ProductItem.self)),
            .required("images", .reference(to: ProductImages.self)),
            .required("state", .productStates),
            .required(
                "details", .reference(to: ProductDetails.self).nullable,
                "`null` if there are none or they are not available."),
            .required("pack", .reference(to: InstalledPack.self).nullable, "`null` if the product is not installed."),
            .required(
                "warnings", .array(of: .text),
                "The stores that did not respond, or whose catalogue is out of date, with the reason."),
        ])
}

extension ProductItem: SchemaProviding {
    public static let schemaName = "Product"
    public static let schema = Schema.document(
        "A product as the store's catalogue describes it.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("kind", .offeredKind),
            .required("productName", .localizedText, Schema.localizedNote("The product's name.")),
            .optional("version", .text, "Absent in catalogue format 1, which has no versions."),
            .required("productPrice", .text, "An amount as the store writes it, or `free`."),
            .optional("resource", .reference(to: ContentReference.self), "The ZIP file with the product's content."),
            .optional("entryTable", .reference(to: ContentReference.self), "The table of the files in the ZIP file."),
            .optional("filesSHA256", .text(.sha256), "The hash of the list of the installed pack's files."),
            .optional("image", .reference(to: ContentReference.self), "The image for lists."),
            .optional("details", .reference(to: ContentReference.self), "The JSON document with the details."),
            .optional("sprite", .reference(to: ContentReference.self), "One image that shows the content."),
            .required("previews", .array(of: ContentReference.self), "Images of the product in use."),
            .required("mirrors", .array(of: .uri), "Further addresses of the same ZIP file."),
            .required(
                "dependencies", .array(of: .text), "The products that have to be installed for this one to work."),
            .required("permissions", .permissions, "The permissions of the installed product that need consent."),
            .optional("publisher", .text),
            .optional("license", .text, "An SPDX expression, or free text."),
            .required("authors", .array(of: .text)),
            .required("locales", .array(of: .text)),
            .required("categories", .array(of: .text)),
            .required("tags", .array(of: .text)),
            .optional("publishedAt", .dateTime),
            .optional("popularity", .integer, "A greater number is more popular; the store defines the unit."),
            .required("withdrawn", .boolean, "Whether the product is no longer offered; installed packs stay."),
            .optional("defect", .text, "Why the product can't be installed; absent if it can."),
        ])
}

extension ContentReference: SchemaProviding {
    public static let schemaName = "Reference"
    public static let schema = Schema.document(
        "A file that a document refers to: its address, size and hash.",
        [
            .required("url", .uri, "Absolute."),
            .optional("size", .count, "In bytes; absent if the store does not say."),
            .optional("sha256", .text(.sha256)),
        ])
}

extension ProductDetails: SchemaProviding {
    public static let schemaName = "ProductDetails"
    public static let schema = Schema.document(
        "The content of a product's details document.",
        [
            .required("info", .localizedText, Schema.localizedNote("The product's description.")),
            .optional("image", .uri),
            .required("previews", .array(of: .uri)),
            .optional("sprite", .uri),
            .optional("changes", .localizedText, Schema.localizedNote("What the product's version changes.")),
        ])
}
