public import FoundationEssentials
public import StoreModel

/// The parser of a product's details document, in both formats.
public enum DetailsDocument {
    /// Parses a details document.
    ///
    /// The caller has verified the document's hash where the catalogue has one. Missing members are empty; unusable
    /// URLs are left out.
    ///
    /// - Throws: `catalogue.malformed` or `catalogue.too-large`.
    public static func parse(
        _ data: Data, url: URL, limits: CatalogueLimits = .standard
    ) throws(StoreError) -> ProductDetails {
        let document = "details document '\(url.withoutSecrets)'"
        let entry = try DocumentComplexity.parse(DetailsEntry.self, from: data, document: document, limits: limits)
        let resolve = { (text: String) in DocumentURL.resolve(text, against: url).url }
        return ProductDetails(
            info: entry.info ?? "", image: entry.image.flatMap(resolve), previews: entry.previews.compactMap(resolve),
            sprite: entry.sprite.flatMap(resolve))
    }
}

/// The JSON form of a details document, before validation; URLs may be relative.
public struct DetailsEntry: Sendable, Hashable, Codable {
    /// The descriptive text (`productDetailsInfo` in JSON).
    public var info: LocalizedText?
    /// The URL of the image (`productDetailsImageURL` in JSON).
    public var image: String?
    /// The URLs of the preview images (`productDetailsPreviewImagesURLsArray` in JSON).
    public var previews: [String]
    /// The URL of the image that shows the contents (`productDetailsSpriteImageURL` in JSON).
    public var sprite: String?
    /// The product's identifier; this and the following members are of format 2.
    public var productIdentifier: String?
    /// The publisher's name.
    public var publisher: String?
    /// The licence of the content.
    public var license: String?
    /// The authors' names.
    public var authors: [String]
    /// The languages of the content, as BCP 47 tags.
    public var locales: [String]

    /// Creates a details document.
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

    /// Decodes the document; invalid values become `nil`.
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

    /// Encodes the document in format 2.
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
