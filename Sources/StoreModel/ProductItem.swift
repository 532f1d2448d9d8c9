public import FoundationEssentials

/// A product as a store's catalogue describes it.
///
/// It has the properties of format 1 of the catalogue, and those that format 2 adds. The names of format 1 are given
/// where they differ.
public struct ProductItem: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var kind: ProductKind
    public var productName: LocalizedText
    /// The product's version; `nil` in format 1, which has none.
    public var version: Version?
    public var productPrice: Price
    /// The archive with the product's content (`productResourceURL` and `productResourceSize` of format 1).
    public var resource: ContentReference?
    /// The list of the files in the archive; see ``EntryTable``.
    public var entryTable: ContentReference?
    /// The image shown in lists of products (`productResourceImageURL` of format 1).
    public var image: ContentReference?
    /// The document with the product's details (`productDetailsURL` of format 1).
    public var details: ContentReference?
    /// An image that shows the product's contents (`productDetailsSpriteImageURL` of format 1).
    public var sprite: ContentReference?
    /// Images of the product in use (`productDetailsPreviewImagesURLsArray` of format 1).
    public var previews: [ContentReference] = []
    /// Further addresses of the product's archive.
    public var mirrors: [URL] = []
    /// The identifiers of the products that this one requires.
    public var dependencies: [String] = []
    /// The permissions that the product requests, if its kind needs consent.
    public var permissions: [Permission] = []
    public var publisher: String?
    /// The license of the product: an SPDX expression or other text; `nil` if unknown.
    public var license: String?
    public var authors: [String] = []
    public var locales: [String] = []
    public var categories: [String] = []
    public var tags: [String] = []
    public var publishedAt: Date?
    /// The popularity; a greater number is more popular, and each store chooses its own unit.
    public var popularity: Int?
    /// Whether the store no longer offers the product; installed packs remain.
    public var withdrawn = false
    /// Why the product can't be installed, if the catalogue is incomplete, else `nil`; the product is listed in any
    /// case.
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
    /// Returns the mirrors if an archive is this product's, else an empty array.
    public func mirrors(of archive: ContentReference) -> [URL] { archive == resource ? mirrors : [] }
}

/// A reference to a file on a server: the address, and the size and hash that the file must have.
public struct ContentReference: Sendable, Hashable, Codable {
    /// The absolute URL of the file.
    public var url: URL
    /// The file's size in bytes; `nil` if unknown.
    public var size: Int?
    /// The file's hash; `nil` in format 1, which has no hashes.
    public var sha256: SHA256Digest?

    public init(url: URL, size: Int? = nil, sha256: SHA256Digest? = nil) {
        self.url = url
        self.size = size
        self.sha256 = sha256
    }
}

/// The contents of a product's details document.
public struct ProductDetails: Sendable, Hashable, Codable {
    /// The descriptive text (`productDetailsInfo` in JSON).
    public var info: LocalizedText
    /// The address of the image (`productDetailsImageURL` in JSON).
    public var image: URL?
    /// The addresses of the preview images (`productDetailsPreviewImagesURLsArray` in JSON).
    public var previews: [URL]
    /// The address of the image that shows the contents (`productDetailsSpriteImageURL` in JSON).
    public var sprite: URL?

    public init(info: LocalizedText, image: URL? = nil, previews: [URL] = [], sprite: URL? = nil) {
        self.info = info
        self.image = image
        self.previews = previews
        self.sprite = sprite
    }
}
