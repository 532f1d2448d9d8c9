public import FoundationEssentials

/// A product as a store's catalogue describes it: the properties of format 1 and those that format 2 adds.
public struct ProductItem: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var kind: ProductKind
    public var productName: LocalizedText
    /// The version; `nil` in format 1, which has none.
    public var version: Version?
    public var productPrice: Price
    /// The archive with the product's content: productResourceURL and productResourceSize.
    public var resource: ContentReference?
    /// The list of the files in the archive; see ``EntryTable``.
    public var entryTable: ContentReference?
    /// The image in the list: productResourceImageURL.
    public var image: ContentReference?
    /// The details document: productDetailsURL.
    public var details: ContentReference?
    /// An image that shows the contents: productDetailsSpriteImageURL.
    public var sprite: ContentReference?
    /// Images of the product in use: productDetailsPreviewImagesURLsArray.
    public var previews: [ContentReference] = []
    /// The mirrors of the archive.
    public var mirrors: [URL] = []
    /// The identifiers of the products that this one requires.
    public var dependencies: [String] = []
    /// The permissions that the product requests, if its kind needs consent.
    public var permissions: [Permission] = []
    public var publisher: String?
    /// The license: an SPDX expression or other text.
    public var license: String?
    public var authors: [String] = []
    public var locales: [String] = []
    public var categories: [String] = []
    public var tags: [String] = []
    public var publishedAt: Date?
    /// The popularity; greater is more popular, the unit is the store's.
    public var popularity: Int?
    /// Whether the product is no longer offered; installed packs stay.
    public var withdrawn = false
    /// Why the product can't be installed, if the catalogue is incomplete; the product is listed in any case.
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
    /// Returns the mirrors of an archive if it is this product's, else none.
    public func mirrors(of archive: ContentReference) -> [URL] { archive == resource ? mirrors : [] }
}

/// A reference to a file: its address, and the size and hash that it must have.
public struct ContentReference: Sendable, Hashable, Codable {
    /// The absolute URL.
    public var url: URL
    /// The size in bytes; `nil` if unknown.
    public var size: Int?
    /// The hash; `nil` in format 1, which has no hashes.
    public var sha256: SHA256Digest?

    public init(url: URL, size: Int? = nil, sha256: SHA256Digest? = nil) {
        self.url = url
        self.size = size
        self.sha256 = sha256
    }
}

/// The contents of a product's details document.
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
