import Catalogue
import FoundationEssentials
import StoreModel

/// All that the publisher's side of a store knows, as it lies in `store.json`: what was added, also what is not
/// published yet or no more. It is private; what is published is made from it.
struct StoreState: Sendable, Hashable, Codable {
    /// Of this layout; a tool refuses what it does not know.
    var format = 1
    var name: LocalizedText?
    /// In the order of their identifiers.
    private(set) var products: [Product] = []

    init(name: LocalizedText? = nil) { self.name = name }

    struct Product: Sendable, Hashable, Codable {
        var productIdentifier: String
        var kind: ProductKind
        var price: Price
        var withdrawn = false
        /// In the order of their versions; never empty. Those before the last stay, so that none of them can come
        /// again with another archive.
        fileprivate(set) var releases: [Release]

        /// The one that is offered: the highest version.
        var current: Release { releases[releases.count - 1] }
    }

    struct Release: Sendable, Hashable, Codable {
        var version: Version
        var name: LocalizedText
        var addedAt: Date
        var archive: StoredFile
        var entryTable: StoredFile
        var image: StoredFile?
        var sprite: StoredFile?
        var previews: [StoredFile]
        var description: LocalizedText?
        var publisher: String?
        var license: String?
        var authors: [String]
        var locales: [String]
        var categories: [String]
        var tags: [String]
        var dependencies: [String]

        /// What clients need of it beside documents made from the state.
        var files: [StoredFile] { [archive, entryTable] + [image, sprite].compactMap { $0 } + previews }
    }

    subscript(productIdentifier: String) -> Product? {
        products.first { $0.productIdentifier == productIdentifier }
    }

    /// What recording a release came to.
    enum Recorded: Sendable, Hashable {
        case new
        /// The very same archive is there under this version.
        case known
        /// It is there, and a higher version stays the one that is offered.
        case newBelow(Version)
    }

    /// Takes a release in. A product that was withdrawn is offered again: whoever adds it wants it to be.
    ///
    /// - Parameter price: `nil` leaves it as it was; free for a new product.
    /// - Throws: `publish.version-changed` where the version is there with another archive.
    mutating func record(
        _ release: Release, of productIdentifier: String, kind: ProductKind, price: Price?
    ) throws(PublishingError) -> Recorded {
        guard let place = products.firstIndex(where: { $0.productIdentifier == productIdentifier }) else {
            let product = Product(
                productIdentifier: productIdentifier, kind: kind, price: price ?? .free, releases: [release])
            products.append(product)
            products.sort { $0.productIdentifier < $1.productIdentifier }
            return .new
        }
        var product = products[place]
        product.kind = kind
        product.withdrawn = false
        if let price { product.price = price }
        let recorded: Recorded
        if let same = product.releases.firstIndex(where: { $0.version == release.version }) {
            let known = product.releases[same]
            guard known.archive == release.archive else {
                throw PublishingError(
                    .versionChanged,
                    "'\(productIdentifier)' \(known.version) is in the store with other contents. Clients that have it"
                        + " would not learn of the change: give the new one a higher version (--version).")
            }
            product.releases[same] = release
            product.releases[same].version = known.version
            product.releases[same].addedAt = known.addedAt
            recorded = .known
        } else {
            product.releases.append(release)
            product.releases.sort { $0.version < $1.version }
            recorded = product.current.version == release.version ? .new : .newBelow(product.current.version)
        }
        products[place] = product
        return recorded
    }

    /// - Throws: `publish.no-product`.
    mutating func setPrice(_ price: Price, of productIdentifier: String) throws(PublishingError) {
        products[try place(of: productIdentifier)].price = price
    }

    /// - Throws: `publish.no-product`.
    mutating func withdraw(_ productIdentifier: String) throws(PublishingError) {
        products[try place(of: productIdentifier)].withdrawn = true
    }

    private func place(of productIdentifier: String) throws(PublishingError) -> Int {
        guard let place = products.firstIndex(where: { $0.productIdentifier == productIdentifier }) else {
            throw PublishingError(
                .noProduct, "The store has no product '\(productIdentifier)'. 'storehouse list' shows what it has.")
        }
        return place
    }
}

/// A file that clients fetch, kept under its hash so that no version of it ever replaces another.
struct StoredFile: Sendable, Hashable, Codable {
    /// Beneath the folder of objects and beneath what is served: `archives/HASH.zip`.
    var path: String
    /// In bytes.
    var size: Int
    var sha256: SHA256Digest

    init(folder: StoreLayout.Folder, suffix: String, size: Int, sha256: SHA256Digest) {
        path = "\(folder.rawValue)/\(sha256.hex).\(suffix)"
        self.size = size
        self.sha256 = sha256
    }

    init(folder: StoreLayout.Folder, data: Data) {
        self.init(folder: folder, suffix: "json", size: data.count, sha256: SHA256Digest(of: data))
    }
}

/// Where things lie in a store's folder.
enum StoreLayout {
    static let state = "store.json"
    static let lock = "lock"
    static let objects = "objects"
    static let incoming = "incoming"
    static let published = "public"
    static let index = "catalogue.json"

    /// The folders of files that are named by their hash.
    enum Folder: String, Sendable, CaseIterable {
        case archives, catalogue, details, images, tables
    }

    /// Whether a name in one of those folders is one that this tool gave: 64 hexadecimal digits and a suffix.
    /// What a publisher put there by hand is left alone.
    static func isObjectName(_ name: String) -> Bool {
        guard let dot = name.firstIndex(of: ".") else { return false }
        return SHA256Digest(hex: String(name[..<dot])) != nil
    }
}
