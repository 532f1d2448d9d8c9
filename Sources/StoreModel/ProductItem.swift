public import FoundationEssentials

/// A product as a store's catalogue describes it, with the references to its files.
///
/// It has the properties of format 1 of the catalogue, and those that format 2 adds. The names of format 1 are given
/// where they differ.
public struct ProductItem: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var kind: ProductKind
    public var productName: LocalizedText
    /// The product's version; `nil` in a catalogue of format 1, which has no versions.
    public var version: Version?
    public var productPrice: Price
    /// The URL, size and hash of the product's ZIP archive; `nil` if the catalogue has no URL for it.
    ///
    /// In format 1 these are `productResourceURL` and `productResourceSize`.
    public var resource: ContentReference?
    /// The URL, size and hash of the list of the files in the product's archive (an ``EntryTable``); `nil` if none.
    public var entryTable: ContentReference?
    /// The hash of the names and contents of the pack's files; `nil` if the catalogue does not state it.
    ///
    /// It proves that the installed files are those of the publisher, whatever unpacked them. See
    /// ``SHA256Digest/init(ofFiles:)``.
    public var filesSHA256: SHA256Digest?
    /// The image shown for the product in lists (`productResourceImageURL` of format 1); `nil` if there is none.
    public var image: ContentReference?
    /// The JSON document with the product's details (`productDetailsURL` of format 1); `nil` if there is none.
    public var details: ContentReference?
    /// An image that shows the product's contents (`productDetailsSpriteImageURL` of format 1); `nil` if there is none.
    public var sprite: ContentReference?
    /// Preview images of the product in use (`productDetailsPreviewImagesURLsArray` of format 1).
    public var previews: [ContentReference] = []
    /// The URLs of further copies of the product's archive.
    public var mirrors: [URL] = []
    /// The identifiers of the products that this product needs.
    public var dependencies: [String] = []
    /// The permissions that the product requests from the user, if it is of a kind that needs consent, as plugins are.
    public var permissions: [Permission] = []
    /// What the user is asked to permit before the product is installed, sorted: ``permissions``, and for a plugin
    /// ``Permission/code``.
    public var permissionsToGrant: [Permission] {
        Set(permissions).union(kind.ownPermissions).sorted()
    }
    public var publisher: String?
    /// The license of the product: an SPDX expression or other text; `nil` if unknown.
    public var license: String?
    public var authors: [String] = []
    public var locales: [String] = []
    public var categories: [String] = []
    public var tags: [String] = []
    public var publishedAt: Date?
    /// The product's popularity in a unit of the store's choice: a greater number is more popular; `nil` if unknown.
    public var popularity: Int?
    /// Whether the store has withdrawn the product: it can't be installed any more, but installed packs remain.
    public var withdrawn = false
    /// Why the product can't be installed, as text, if the catalogue is incomplete; else `nil`.
    ///
    /// The product is listed in any case.
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
    /// Returns the product's mirrors (URLs of further copies) if `archive` is its archive, else an empty array.
    public func mirrors(of archive: ContentReference) -> [URL] { archive == resource ? mirrors : [] }

    /// Returns the URLs at which the mirrors have a file that lies beside the product's archive in the store.
    ///
    /// A mirror is a copy of the store's directory: the URLs of an archive and of its copy end with the same path below
    /// that directory. Whether a mirror has the file is not known, so its content has to be verified.
    public func copies(of file: ContentReference) -> [URL] {
        guard let resource else { return [] }
        return mirrors.compactMap { mirror in
            let copy = mirror.absoluteString
            let common = zip(copy.utf8.reversed(), resource.address.utf8.reversed()).prefix { $0 == $1 }.count
            // The path begins at the first slash within what both have in common.
            let shared = resource.address.utf8.suffix(common)
            guard let slash = shared.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            let length = shared.distance(from: slash, to: shared.endIndex)
            let directory = String(Substring(resource.address.utf8.dropLast(length)))
            guard file.address.utf8.starts(with: directory.utf8) else { return nil }
            let path = String(Substring(file.address.utf8.dropFirst(directory.utf8.count)))
            guard path.utf8.first == UInt8(ascii: "/") else { return nil }
            return URL(string: String(Substring(copy.utf8.dropLast(length))) + path)
        }
    }
}

/// A reference to a file on a server: its URL, and the size and hash that the file must have.
public struct ContentReference: Sendable, Hashable {
    /// The text of the URL: a parsed one takes several times the memory, and a catalogue has many.
    package private(set) var address: String
    /// The size of the referenced file in bytes; `nil` if unknown.
    public var size: Int?
    /// The SHA-256 of the referenced file; `nil` in a catalogue of format 1, which has no hashes.
    public var sha256: SHA256Digest?

    /// Creates a reference to the file at an absolute URL.
    public init(url: URL, size: Int? = nil, sha256: SHA256Digest? = nil) {
        address = url.absoluteString
        self.size = size
        self.sha256 = sha256
    }

    /// Creates a reference to a file from the text of its absolute URL, as ``address`` has it.
    package init(address: String, size: Int?, sha256: SHA256Digest?) {
        self.address = address
        self.size = size
        self.sha256 = sha256
    }

    /// The absolute URL of the referenced file.
    public var url: URL {
        // The text of a URL is always a URL.
        get { URL(string: address) ?? URL(filePath: address) }
        set { address = newValue.absoluteString }
    }
}

extension ContentReference: Codable {
    private enum CodingKeys: String, CodingKey { case url, size, sha256 }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            url: try values.decode(URL.self, forKey: .url), size: try values.decodeIfPresent(Int.self, forKey: .size),
            sha256: try values.decodeIfPresent(SHA256Digest.self, forKey: .sha256))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(address, forKey: .url)
        try values.encodeIfPresent(size, forKey: .size)
        try values.encodeIfPresent(sha256, forKey: .sha256)
    }
}

/// The contents of a product's details document, a JSON document with a description and images.
public struct ProductDetails: Sendable, Hashable, Codable {
    /// The text that describes the product (`productDetailsInfo` in JSON).
    public var info: LocalizedText
    /// The URL of the product's image (`productDetailsImageURL` in JSON); `nil` if there is none.
    public var image: URL?
    /// The URLs of the product's preview images (`productDetailsPreviewImagesURLsArray` in JSON).
    public var previews: [URL]
    /// The URL of an image that shows the product's contents (`productDetailsSpriteImageURL` in JSON); `nil` if none.
    public var sprite: URL?
    /// What the product's version changes compared with the one before (`changes` in JSON); `nil` if unknown.
    public var changes: LocalizedText?

    public init(
        info: LocalizedText, image: URL? = nil, previews: [URL] = [], sprite: URL? = nil, changes: LocalizedText? = nil
    ) {
        self.info = info
        self.image = image
        self.previews = previews
        self.sprite = sprite
        self.changes = changes
    }
}
