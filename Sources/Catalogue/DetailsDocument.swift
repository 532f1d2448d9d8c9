public import FoundationEssentials
public import StoreModel

/// A product's details as both formats write them.
public enum DetailsDocument {
    /// Reads a details document. Whoever calls has verified its hash where the catalogue gives one. What is missing
    /// is empty; addresses that can't be used are left out.
    ///
    /// - Throws: `catalogue.malformed` or `catalogue.too-large`.
    public static func parse(
        _ data: Data, url: URL, limits: CatalogueLimits = .standard
    ) throws(CatalogueError) -> ProductDetails {
        let what = "The details document \(url.absoluteString)"
        let entry = try DocumentShape.parse(DetailsEntry.self, from: data, what: what, limits: limits)
        let resolve = { (text: String) in DocumentAddress.resolve(text, against: url).url }
        return ProductDetails(
            info: entry.info ?? "", image: entry.image.flatMap(resolve), previews: entry.previews.compactMap(resolve),
            sprite: entry.sprite.flatMap(resolve))
    }
}

/// A details document as it is written, with addresses as they stand.
public struct DetailsEntry: Sendable, Hashable, Codable {
    /// `productDetailsInfo`.
    public var info: LocalizedText?
    /// `productDetailsImageURL`.
    public var image: String?
    /// `productDetailsPreviewImagesURLsArray`.
    public var previews: [String]
    /// `productDetailsSpriteImageURL`.
    public var sprite: String?
    /// The rest is of format 2.
    public var productIdentifier: String?
    public var publisher: String?
    public var license: String?
    public var authors: [String]
    public var locales: [String]

    public init(
        productIdentifier: String? = nil, info: LocalizedText? = nil, image: String? = nil, previews: [String] = [],
        sprite: String? = nil, publisher: String? = nil, license: String? = nil, authors: [String] = [],
        locales: [String] = []
    ) {
        self.productIdentifier = productIdentifier
        self.info = info
        self.image = image
        self.previews = previews
        self.sprite = sprite
        self.publisher = publisher
        self.license = license
        self.authors = authors
        self.locales = locales
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Member.self)
        info = values.localizedText("productDetailsInfo")
        image = values.text("productDetailsImageURL")
        previews = values.texts("productDetailsPreviewImagesURLsArray")
        sprite = values.text("productDetailsSpriteImageURL")
        productIdentifier = values.text("productIdentifier")
        publisher = values.text("publisher")
        license = values.text("license")
        authors = values.texts("authors")
        locales = values.texts("locales")
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encode(2, forKey: "format")
        try values.encodeIfPresent(productIdentifier, forKey: "productIdentifier")
        try values.encode(info ?? "", forKey: "productDetailsInfo")
        try values.encodeIfPresent(image, forKey: "productDetailsImageURL")
        if !previews.isEmpty { try values.encode(previews, forKey: "productDetailsPreviewImagesURLsArray") }
        try values.encodeIfPresent(sprite, forKey: "productDetailsSpriteImageURL")
        try values.encodeIfPresent(publisher, forKey: "publisher")
        try values.encodeIfPresent(license, forKey: "license")
        if !authors.isEmpty { try values.encode(authors, forKey: "authors") }
        if !locales.isEmpty { try values.encode(locales, forKey: "locales") }
    }
}
