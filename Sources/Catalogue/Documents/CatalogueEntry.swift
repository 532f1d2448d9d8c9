public import FoundationEssentials
public import StoreModel

/// The wire form of a product in formats 1 and 2, with URLs as they are written.
///
/// Decoding never fails: a value that is missing or invalid is `nil`, and ``item(base:format:position:)`` decides what that
/// means for the product.
public struct CatalogueEntry: Sendable, Hashable {
    public var productIdentifier: String?
    public var productName: LocalizedText?
    public var productType: String?
    public var productPrice: Price?
    public var version: String?
    /// `productResourceURL`, `productResourceSize`, `productResourceSHA256`.
    public var resource: FileEntry?
    /// `entryTableURL`, `entryTableSize`, `entryTableSHA256`.
    public var entryTable: FileEntry?
    /// `productResourceImageURL`, `…Size`, `…SHA256`.
    public var image: FileEntry?
    /// `productDetailsURL`, `productDetailsSize`, `productDetailsSHA256`.
    public var details: FileEntry?
    /// `productDetailsSpriteImageURL`, `…Size`, `…SHA256`.
    public var sprite: FileEntry?
    /// `productDetailsPreviewImagesURLsArray`: addresses, or in format 2 objects with `url`, `size` and `sha256`.
    public var previews: [FileEntry] = []
    public var mirrors: [String] = []
    public var dependencies: [String] = []
    public var permissions: [String] = []
    public var publisher: String?
    public var license: String?
    public var authors: [String] = []
    public var locales: [String] = []
    public var categories: [String] = []
    public var tags: [String] = []
    public var publishedAt: Date?
    public var popularity: Int?
    public var withdrawn = false
    /// False where the list holds something else than an object in the product's place.
    var isObject = true

    public init() {}
}

/// A file that a document refers to, as it is written.
public struct FileEntry: Sendable, Hashable {
    /// Often relative to the document.
    public var url: String
    /// In bytes.
    public var size: Int?
    /// 64 hexadecimal digits, if it is as it must be.
    public var sha256: String?

    public init(url: String, size: Int? = nil, sha256: String? = nil) {
        self.url = url
        self.size = size
        self.sha256 = sha256
    }
}

extension CatalogueEntry: Codable {
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
    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: Member.self) {
            self.init(url: values.text("url") ?? "", size: values.count("size"), sha256: values.text("sha256"))
        } else {
            self.init(url: try LenientText(from: decoder).text ?? "")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Member.self)
        try values.encode(url, forKey: "url")
        try values.encodeIfPresent(size, forKey: "size")
        try values.encodeIfPresent(sha256, forKey: "sha256")
    }
}

extension KeyedDecodingContainer where Key == Member {
    /// The three members of a file that share the beginning of their names.
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
