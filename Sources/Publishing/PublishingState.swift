import FoundationEssentials
import StoreCatalogue
import StoreModel

/// All that the publisher's side of a store knows, as it lies in `store.json`: what was added, also what is not
/// published yet or no more. It is private; what is published is made from it.
struct PublishingState: Sendable, Hashable, Codable {
    /// Of this layout; a tool refuses what it does not know.
    var format = 1
    var name: LocalizedText?
    /// Addresses of copies of what is published, each with a slash at its end.
    var mirrors: [String]?
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
        var permissions: [Permission]?

        /// What clients need of it beside documents made from the state.
        var files: [StoredFile] { [archive, entryTable] + [image, sprite].compactMap { $0 } + previews }
    }

    subscript(productIdentifier: String) -> Product? {
        let place = place(of: productIdentifier)
        return place.isTaken ? products[place.index] : nil
    }

    /// Where a product is, or is to be. A search by halves: a store may have ten thousands.
    private func place(of productIdentifier: String) -> (index: Int, isTaken: Bool) {
        var (low, high) = (0, products.count)
        while low < high {
            let middle = (low + high) / 2
            if products[middle].productIdentifier < productIdentifier { low = middle + 1 } else { high = middle }
        }
        return (low, low < products.count && products[low].productIdentifier == productIdentifier)
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
        let place = place(of: productIdentifier)
        guard place.isTaken else {
            let product = Product(
                productIdentifier: productIdentifier, kind: kind, price: price ?? .free, releases: [release])
            products.insert(product, at: place.index)
            return .new
        }
        var product = products[place.index]
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
        products[place.index] = product
        return recorded
    }

    /// - Throws: `publish.no-product`.
    mutating func setPrice(_ price: Price, of productIdentifier: String) throws(PublishingError) {
        products[try existing(productIdentifier)].price = price
    }

    /// - Throws: `publish.no-product`.
    mutating func withdraw(_ productIdentifier: String) throws(PublishingError) {
        products[try existing(productIdentifier)].withdrawn = true
    }

    private func existing(_ productIdentifier: String) throws(PublishingError) -> Int {
        let place = place(of: productIdentifier)
        guard place.isTaken else {
            throw PublishingError(
                .noProduct, "The store has no product '\(productIdentifier)'. 'storehouse list' shows what it has.")
        }
        return place.index
    }
}
