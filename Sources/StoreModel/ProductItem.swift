public import FoundationEssentials

/// What is known of one product of a store: the properties that the design lists, and what the project's own format
/// adds to them.
public struct ProductItem: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var kind: ProductKind
    public var productName: LocalizedText
    /// `nil` in format 1, which has none.
    public var version: Version?
    public var productPrice: Price
    /// The ZIP with the product's data: productResourceURL and productResourceSize.
    public var resource: ContentReference?
    /// The table of the files in the ZIP; see ``EntryTable``.
    public var entryTable: ContentReference?
    /// The picture in the list: productResourceImageURL.
    public var image: ContentReference?
    /// The JSON with the details: productDetailsURL.
    public var details: ContentReference?
    /// One picture that shows the contents: productDetailsSpriteImageURL.
    public var sprite: ContentReference?
    /// Pictures of the product in use: productDetailsPreviewImagesURLsArray.
    public var previews: [ContentReference] = []
    /// Further addresses of the same ZIP.
    public var mirrors: [URL] = []
    /// The productIdentifiers that must be installed for this one to work.
    public var dependencies: [String] = []
    /// What it may do once it is installed, where its kind needs consent for that.
    public var permissions: [Permission] = []
    public var publisher: String?
    /// An SPDX expression, or the publisher's own words.
    public var license: String?
    public var authors: [String] = []
    public var locales: [String] = []
    public var categories: [String] = []
    public var tags: [String] = []
    public var publishedAt: Date?
    /// Greater is more popular; what it counts is the store's affair.
    public var popularity: Int?
    /// No longer offered; who has it keeps it.
    public var withdrawn = false
    /// Why it can't be installed, where the store says too little: the product is listed all the same.
    public var defect: String?

    public init(
        productIdentifier: String, kind: ProductKind, productName: LocalizedText, version: Version? = nil,
        productPrice: Price = .free, resource: ContentReference? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.productName = productName
        self.version = version
        self.productPrice = productPrice
        self.resource = resource
    }
}

extension ProductItem {
    /// Further addresses of a ZIP: of this product's, and of no other.
    public func mirrors(of archive: ContentReference) -> [URL] { archive == resource ? mirrors : [] }
}

/// Something that a document refers to: where it is, and what it must be.
public struct ContentReference: Sendable, Hashable, Codable {
    /// Absolute.
    public var url: URL
    /// In bytes; `nil` where the store does not say.
    public var size: Int?
    /// `nil` in format 1, which has no hashes.
    public var sha256: SHA256Digest?

    public init(url: URL, size: Int? = nil, sha256: SHA256Digest? = nil) {
        self.url = url
        self.size = size
        self.sha256 = sha256
    }
}

/// What a product's details document adds to the list.
public struct ProductDetails: Sendable, Hashable, Codable {
    /// productDetailsInfo: the descriptive text.
    public var info: LocalizedText
    /// productDetailsImageURL.
    public var image: URL?
    /// productDetailsPreviewImagesURLsArray.
    public var previews: [URL]
    /// productDetailsSpriteImageURL.
    public var sprite: URL?

    public init(info: LocalizedText, image: URL? = nil, previews: [URL] = [], sprite: URL? = nil) {
        self.info = info
        self.image = image
        self.previews = previews
        self.sprite = sprite
    }
}
