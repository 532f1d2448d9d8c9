public import FoundationEssentials
public import StoreModel

/// A product as a catalogue document of format 1 or 2 contains it, before validation; URLs may be relative.
///
/// Decoding never fails: a value that is missing or invalid is `nil`, and ``item(base:format:position:)`` decides what
/// that means for the product.
public struct CatalogueEntry: Sendable, Hashable {
    /// The product's identifier.
    public var productIdentifier: String?
    /// The product's name for display.
    public var productName: LocalizedText?
    /// The kind of content, such as `sticker`.
    public var productType: String?
    /// The price; `nil` if it is missing or invalid, which means that the product is free.
    public var productPrice: Price?
    /// The product's version.
    public var version: String?
    /// The archive: the JSON members `productResourceURL`, `productResourceSize`, `productResourceSHA256`.
    public var resource: FileEntry?
    /// The archive's entry table: the JSON members `entryTableURL`, `entryTableSize`, `entryTableSHA256`.
    public var entryTable: FileEntry?
    /// The picture for lists of products: the JSON members `productResourceImageURL`, `…Size`, `…SHA256`.
    public var image: FileEntry?
    /// The details document: the JSON members `productDetailsURL`, `productDetailsSize`, `productDetailsSHA256`.
    public var details: FileEntry?
    /// The picture of the product's contents: the JSON members `productDetailsSpriteImageURL`, `…Size`, `…SHA256`.
    public var sprite: FileEntry?
    /// The previews: the JSON member `productDetailsPreviewImagesURLsArray`.
    ///
    /// Its elements are URLs, or in format 2 objects with `url`, `size` and `sha256`.
    public var previews: [FileEntry] = []
    /// The URLs of mirrors of the archive.
    public var mirrors: [String] = []
    /// The identifiers of the products that this product needs.
    public var dependencies: [String] = []
    /// The permissions that the product requests.
    public var permissions: [String] = []
    /// The publisher's name.
    public var publisher: String?
    /// The licence of the content, as an SPDX expression or other text.
    public var license: String?
    /// The authors' names.
    public var authors: [String] = []
    /// The languages of the content, as BCP 47 tags.
    public var locales: [String] = []
    /// The categories of the product.
    public var categories: [String] = []
    /// The tags of the product, which searches examine.
    public var tags: [String] = []
    /// When the product's version was published.
    public var publishedAt: Date?
    /// The popularity; a greater number is more popular.
    public var popularity: Int?
    /// Whether the store no longer offers the product.
    public var withdrawn = false
    /// Whether the list's element at the product's position is a JSON object; anything else has no values.
    var isObject = true

    /// Creates an entry whose members have no values.
    public init() {}
}

/// A reference to a file as a catalogue document contains it, before validation.
public struct FileEntry: Sendable, Hashable {
    /// The file's URL, relative to the document or absolute.
    public var url: String
    /// The file's size in bytes; `nil` if missing or invalid.
    public var size: Int?
    /// The file's SHA-256, which should have 64 hexadecimal digits; `nil` if missing.
    public var sha256: String?

    /// Creates a reference from a URL as it appears in the document, with the declared size and hash.
    public init(url: String, size: Int? = nil, sha256: String? = nil) {
        self.url = url
        self.size = size
        self.sha256 = sha256
    }
}

extension CatalogueEntry: Codable {
    /// Decodes the reference; invalid values become `nil`.
    public init(from decoder: any Decoder) throws {
        guard let values = try? decoder.container(keyedBy: Member.self) else {
            isObject = false
            return
        }
        productIdentifier = values.text("productIdentifier")
        productName = values.localizedText("productName")
        productType = values.text("productType")
        productPrice = values.price("productPrice")
        version = values.text("version")
        resource = values.file("productResource")
        entryTable = values.file("entryTable")
        image = values.file("productResourceImage")
        details = values.file("productDetails")
        sprite = values.file("productDetailsSpriteImage")
        previews = values.files("productDetailsPreviewImagesURLsArray")
        mirrors = values.texts("mirrors")
        dependencies = values.texts("dependencies")
        permissions = values.texts("permissions")
        publisher = values.text("publisher")
        license = values.text("license")
        authors = values.texts("authors")
        locales = values.texts("locales")
        categories = values.texts("categories")
        tags = values.texts("tags")
        publishedAt = values.date("publishedAt")
        popularity = values.count("popularity")
        withdrawn = values.flag("withdrawn")
    }

    /// Encodes the members that have values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encodeIfPresent(productIdentifier, forKey: "productIdentifier")
        try values.encodeIfPresent(productName, forKey: "productName")
        try values.encodeIfPresent(productType, forKey: "productType")
        try values.encodeIfPresent(productPrice, forKey: "productPrice")
        try values.encodeIfPresent(version, forKey: "version")
        try values.encodeFile(resource, "productResource")
        try values.encodeFile(entryTable, "entryTable")
        try values.encodeFile(image, "productResourceImage")
        try values.encodeFile(details, "productDetails")
        try values.encodeFile(sprite, "productDetailsSpriteImage")
        if !previews.isEmpty { try values.encode(previews, forKey: "productDetailsPreviewImagesURLsArray") }
        try values.encodeIfPresent(publisher, forKey: "publisher")
        try values.encodeIfPresent(license, forKey: "license")
        let lists: [(Member, [String])] = [
            ("mirrors", mirrors), ("dependencies", dependencies), ("permissions", permissions), ("authors", authors),
            ("locales", locales), ("categories", categories), ("tags", tags),
        ]
        for (key, list) in lists where !list.isEmpty { try values.encode(list, forKey: key) }
        try values.encodeIfPresent(publishedAt, forKey: "publishedAt")
        try values.encodeIfPresent(popularity, forKey: "popularity")
        if withdrawn { try values.encode(true, forKey: "withdrawn") }
    }
}

extension FileEntry: Codable {
    /// Decodes the entry; invalid values become `nil`.
    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: Member.self) {
            self.init(url: values.text("url") ?? "", size: values.count("size"), sha256: values.text("sha256"))
        } else {
            self.init(url: try LenientText(from: decoder).text ?? "")
        }
    }

    /// Encodes the members that have values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encode(url, forKey: "url")
        try values.encodeIfPresent(size, forKey: "size")
        try values.encodeIfPresent(sha256, forKey: "sha256")
    }
}

extension KeyedDecodingContainer where Key == Member {
    /// Returns the file whose URL, size and hash are in three members with a common prefix.
    fileprivate func file(_ name: String) -> FileEntry? {
        guard let url = text(Member(stringValue: name + "URL")) else { return nil }
        return FileEntry(
            url: url, size: count(Member(stringValue: name + "Size")),
            sha256: text(Member(stringValue: name + "SHA256")))
    }

    fileprivate func files(_ key: Member) -> [FileEntry] {
        guard contains(key), let files = try? decode([FileEntry].self, forKey: key) else { return [] }
        return files.filter { !$0.url.isEmpty }
    }
}

extension KeyedEncodingContainer where Key == Member {
    fileprivate mutating func encodeFile(_ file: FileEntry?, _ name: String) throws {
        guard let file else { return }
        try encode(file.url, forKey: Member(stringValue: name + "URL"))
        try encodeIfPresent(file.size, forKey: Member(stringValue: name + "Size"))
        try encodeIfPresent(file.sha256, forKey: Member(stringValue: name + "SHA256"))
    }
}
