public import FoundationEssentials
public import StoreModel

/// A namespace for the parser of a details document, which describes one product of a store.
public enum DetailsDocument {
    /// Parses a details document, which describes one product of a store.
    ///
    /// The caller has verified the document's hash where the catalogue has one. Missing members and lists of more than
    /// 1,000 elements are empty; unusable URLs are left out.
    ///
    /// - Throws: `catalogue.malformed` or `catalogue.too-large`.
    public static func parse(
        _ data: Data, url: URL, limits: CatalogueLimits = .standard
    ) throws(StoreError) -> ProductDetails {
        let document = "details document '\(url.withoutSecrets)'"
        var limits = limits
        limits.documentSize = limits.detailsSize
        let entry = try DocumentComplexity.parse(DetailsEntry.self, from: data, document: document, limits: limits)
        let resolve = { (text: String) in DocumentURL.resolve(text, against: url).url }
        return ProductDetails(
            info: entry.info ?? "", image: entry.image.flatMap(resolve), previews: entry.previews.compactMap(resolve),
            sprite: entry.sprite.flatMap(resolve), changes: entry.changes)
    }
}

/// The JSON form of a product's details document, before validation; URLs may be relative.
public struct DetailsEntry: Sendable, Hashable, Codable {
    /// The descriptive text about the product (`productDetailsInfo` in JSON); `nil` if missing or invalid.
    public var info: LocalizedText?
    /// The URL of the product's image (`productDetailsImageURL` in JSON); `nil` if missing or invalid.
    public var image: String?
    /// The URLs of the product's preview images (`productDetailsPreviewImagesURLsArray` in JSON).
    public var previews: [String]
    /// The URL of the image that shows the product's contents (`productDetailsSpriteImageURL` in JSON).
    ///
    /// `nil` if missing or invalid.
    public var sprite: String?
    /// The identifier of the product that the details document describes; `nil` if missing or invalid.
    ///
    /// This and the following members are of format 2.
    public var productIdentifier: String?
    /// The name of the product's publisher in a details document; `nil` if missing or invalid.
    public var publisher: String?
    /// The licence of the product's content in a details document, as text; `nil` if missing or invalid.
    public var license: String?
    /// The names of the product's authors in a details document.
    public var authors: [String]
    /// The languages of the product's content in a details document, as BCP 47 tags.
    public var locales: [String]
    /// What the product's version changes compared with the one before; `nil` if missing or invalid.
    public var changes: LocalizedText?

    /// Creates a product's details document from its members.
    public init(
        productIdentifier: String? = nil, info: LocalizedText? = nil, image: String? = nil, previews: [String] = [],
        sprite: String? = nil, publisher: String? = nil, license: String? = nil, authors: [String] = [],
        locales: [String] = [], changes: LocalizedText? = nil
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
        self.changes = changes
    }

    /// Decodes a product's details document; members with invalid values become `nil` or empty.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Member.self)
        info = values.localizedText("productDetailsInfo", limit: .max)
        image = values.text("productDetailsImageURL")
        previews = values.texts("productDetailsPreviewImagesURLsArray")
        sprite = values.text("productDetailsSpriteImageURL")
        productIdentifier = values.text("productIdentifier")
        publisher = values.text("publisher")
        license = values.text("license")
        authors = values.texts("authors")
        locales = values.texts("locales")
        changes = values.localizedText("changes")
    }

    /// Encodes a product's details document in format 2.
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
        try values.encodeIfPresent(changes, forKey: "changes")
    }
}
