public import FoundationEssentials
public import StoreModel

/// A product's entry in a catalogue document of format 1 or 2, before validation; URLs may be relative.
///
/// Decoding never fails: a value that is missing or invalid is `nil`, and ``item(base:format:position:)`` decides what
/// that means for the product.
public struct CatalogueEntry: Sendable, Hashable {
    /// The identifier of the product in a catalogue entry, such as `org.example.cups`; `nil` if missing or invalid.
    public var productIdentifier: String?
    /// The product's name for display in a catalogue entry; `nil` if missing or invalid.
    public var productName: LocalizedText?
    /// The kind of the product in a catalogue entry, such as `sticker`; `nil` if missing or invalid.
    public var productType: String?
    /// The price in a catalogue entry; `nil` if it is missing or invalid, which means that the product is free.
    public var productPrice: Price?
    /// The version of the product in a catalogue entry, such as `1.2.0`; `nil` if missing or invalid.
    public var version: String?
    /// The product's archive in a catalogue entry; `nil` if missing or invalid.
    ///
    /// It has the JSON members `productResourceURL`, `productResourceSize` and `productResourceSHA256`.
    public var resource: FileEntry?
    /// The entry table (list of the files in the product's archive) in a catalogue entry; `nil` if missing or invalid.
    ///
    /// It has the JSON members `entryTableURL`, `entryTableSize` and `entryTableSHA256`.
    public var entryTable: FileEntry?
    /// The hash of the list of the installed pack's files, in a catalogue entry; `nil` if missing.
    ///
    /// It should have 64 hexadecimal digits, but is not validated yet.
    public var filesSHA256: String?
    /// The product's picture for lists, in a catalogue entry; `nil` if missing or invalid.
    ///
    /// It has the JSON members `productResourceImageURL`, `productResourceImageSize` and `productResourceImageSHA256`.
    public var image: FileEntry?
    /// The document with details of the product, in a catalogue entry; `nil` if missing or invalid.
    ///
    /// It has the JSON members `productDetailsURL`, `productDetailsSize` and `productDetailsSHA256`.
    public var details: FileEntry?
    /// The picture of the product's contents in a catalogue entry; `nil` if missing or invalid.
    ///
    /// It has the JSON members `productDetailsSpriteImageURL`, `…Size` and `…SHA256`.
    public var sprite: FileEntry?
    /// The product's preview images in a catalogue entry: the JSON member `productDetailsPreviewImagesURLsArray`.
    ///
    /// Its elements are URLs, or in format 2 objects with `url`, `size` and `sha256`.
    public var previews: [FileEntry] = []
    /// The URLs of mirrors (other locations) of the product's archive, in a catalogue entry.
    public var mirrors: [String] = []
    /// The identifiers of the products that a catalogue entry's product needs.
    public var dependencies: [String] = []
    /// The permissions that a catalogue entry's product requests, as strings of the JSON document.
    public var permissions: [String] = []
    /// The name of the product's publisher in a catalogue entry; `nil` if missing or invalid.
    public var publisher: String?
    /// The licence of the product's content, as an SPDX expression or other text; `nil` if missing or invalid.
    public var license: String?
    /// The names of the product's authors in a catalogue entry.
    public var authors: [String] = []
    /// The languages of the product's content in a catalogue entry, as BCP 47 tags.
    public var locales: [String] = []
    /// The names of the product's categories in a catalogue entry.
    public var categories: [String] = []
    /// The tags (keywords) of the product in a catalogue entry, which searches examine.
    public var tags: [String] = []
    /// The time at which the product's version was published, in a catalogue entry; `nil` if missing or invalid.
    public var publishedAt: Date?
    /// The popularity of the product in a catalogue entry; a greater number is more popular.
    ///
    /// `nil` if missing or invalid.
    public var popularity: Int?
    /// Whether the store of this catalogue entry no longer offers the product.
    public var withdrawn = false
    /// Whether the catalogue entry is a JSON object; any other JSON value has no members.
    var isObject = true
    /// The names of the members whose lists have too many elements; these lists are empty.
    var overlongLists: [String] = []

    /// Creates an entry of a catalogue document, whose members have no values.
    public init() {}
}

/// A reference to a file in a catalogue document, before validation: URL, size and hash.
public struct FileEntry: Sendable, Hashable {
    /// The URL of a file, as a catalogue document states it: relative to the document or absolute.
    public var url: String
    /// The size of a file in bytes, as a catalogue document states it; `nil` if missing or invalid.
    public var size: Int?
    /// The SHA-256 of a file, as a catalogue document states it; `nil` if missing.
    ///
    /// It should have 64 hexadecimal digits, but is not validated yet.
    public var sha256: String?

    /// Creates a reference to a file from its URL in a catalogue document, with the declared size and hash.
    public init(url: String, size: Int? = nil, sha256: String? = nil) {
        self.url = url
        self.size = size
        self.sha256 = sha256
    }
}

extension CatalogueEntry: Codable {
    /// Decodes a product's entry of a catalogue document; members with invalid values become `nil`.
    public init(from decoder: any Decoder) throws {
        guard let values = try? decoder.container(keyedBy: Member.self) else {
            isObject = false
            return
        }
        productIdentifier = values.text("productIdentifier")
        productName = values.localizedText("productName")
        productType = values.text("productType", limit: CatalogueLimits.wordLength)
        productPrice = values.price("productPrice")
        version = values.text("version", limit: CatalogueLimits.wordLength)
        resource = values.file("productResource")
        entryTable = values.file("entryTable")
        filesSHA256 = values.text("filesSHA256")
        image = values.file("productResourceImage")
        details = values.file("productDetails")
        sprite = values.file("productDetailsSpriteImage")
        previews = values.files("productDetailsPreviewImagesURLsArray")
        mirrors = values.texts("mirrors")
        dependencies = values.texts("dependencies")
        permissions = values.texts("permissions", limit: CatalogueLimits.wordLength)
        publisher = values.text("publisher")
        license = values.text("license")
        authors = values.texts("authors")
        locales = values.texts("locales")
        categories = values.texts("categories")
        tags = values.texts("tags")
        publishedAt = values.date("publishedAt")
        popularity = values.count("popularity")
        withdrawn = values.flag("withdrawn")
        overlongLists = Self.lists.filter { values.isTooLong($0) }.map(\.stringValue)
    }

    /// The members that are lists.
    private static let lists: [Member] = [
        "productDetailsPreviewImagesURLsArray", "mirrors", "dependencies", "permissions", "authors", "locales",
        "categories", "tags",
    ]

    /// Encodes a product's entry of a catalogue document, only with members that have values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encodeIfPresent(productIdentifier, forKey: "productIdentifier")
        try values.encodeIfPresent(productName, forKey: "productName")
        try values.encodeIfPresent(productType, forKey: "productType")
        try values.encodeIfPresent(productPrice, forKey: "productPrice")
        try values.encodeIfPresent(version, forKey: "version")
        try values.encodeFile(resource, "productResource")
        try values.encodeFile(entryTable, "entryTable")
        try values.encodeIfPresent(filesSHA256, forKey: "filesSHA256")
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
    /// Decodes a reference to a file from a JSON object or from a string with the URL; invalid values become `nil`.
    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: Member.self) {
            self.init(url: values.text("url") ?? "", size: values.count("size"), sha256: values.text("sha256"))
        } else {
            self.init(url: try LenientText(from: decoder).text ?? "")
        }
    }

    /// Encodes a reference to a file as a JSON object, only with members that have values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encode(url, forKey: "url")
        try values.encodeIfPresent(size, forKey: "size")
        try values.encodeIfPresent(sha256, forKey: "sha256")
    }
}

extension KeyedDecodingContainer where Key == Member {
    /// Returns the reference to a file whose URL, size and hash are in three JSON members with a common prefix.
    ///
    /// `nil` if there is no URL.
    fileprivate func file(_ name: String) -> FileEntry? {
        guard let url = text(Member(stringValue: name + "URL")) else { return nil }
        return FileEntry(
            url: url, size: count(Member(stringValue: name + "Size")),
            sha256: text(Member(stringValue: name + "SHA256")))
    }

    fileprivate func files(_ key: Member) -> [FileEntry] {
        guard contains(key), !isTooLong(key), let files = try? decode([FileEntry].self, forKey: key) else { return [] }
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
