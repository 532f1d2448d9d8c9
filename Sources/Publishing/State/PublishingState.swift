import FoundationEssentials
import StoreCatalogue
import StoreModel

/// The private state of a publisher's store, the content of `store.json`: all products that were ever added.
///
/// Products that are not published yet or withdrawn are included. Publications are computed from the state.
struct PublishingState: Sendable, Hashable, Codable {
    /// The version of the format of `store.json`; an unknown one is refused.
    var format = 1
    var name: LocalizedText?
    /// The URLs of mirrors of the public directory, each with a slash at its end; `nil` if there are none.
    var mirrors: [String]?
    /// The publishers that the store's metadata names; `nil` if there were never any.
    var publishers: [StorePublisher]?
    /// The publisher whose directory this is; `nil` for a store.
    var publisher: StorePublisher?
    /// All products of the publisher's store, ordered by product identifier.
    private(set) var products: [Product] = []

    init(name: LocalizedText? = nil, publisher: StorePublisher? = nil) {
        self.name = name
        self.publisher = publisher
    }

    struct Product: Sendable, Hashable, Codable {
        var productIdentifier: String
        var kind: ProductKind
        var price: Price
        var withdrawn = false
        /// The versions of the product with their files, ordered by version; never empty.
        ///
        /// Earlier releases are not removed, so that none of their versions can be added again with another archive.
        fileprivate(set) var releases: [Release]

        /// The version of the product that clients are offered: the highest one.
        var current: Release { releases[releases.count - 1] }
    }

    struct Release: Sendable, Hashable, Codable {
        var version: Version
        var name: LocalizedText
        var addedAt: Date
        var archive: StoredFile
        var entryTable: StoredFile
        /// The hash of the list of the installed pack's files; `nil` in releases of older versions of this program, and where
        /// `EntryTable.packFiles` gives no list.
        var filesSHA256: SHA256Digest?
        var image: StoredFile?
        var sprite: StoredFile?
        var previews: [StoredFile]
        var description: LocalizedText?
        /// What this version changes compared with the one before, for users who are offered the update.
        var changes: LocalizedText?
        var publisher: String?
        var license: String?
        var authors: [String]
        var locales: [String]
        var categories: [String]
        var tags: [String]
        var dependencies: [String]
        var permissions: [Permission]?

        func with(filesSHA256: SHA256Digest?) -> Release {
            var changed = self
            changed.filesSHA256 = filesSHA256
            return changed
        }

        /// The files of the version that clients fetch, other than documents: archive, entry table and images.
        var files: [StoredFile] { [archive, entryTable] + [image, sprite].compactMap { $0 } + previews }
    }

    subscript(productIdentifier: String) -> Product? {
        let (index, exists) = search(productIdentifier)
        return exists ? products[index] : nil
    }

    /// Returns the index of a product in ``products``, or the index at which to insert it.
    ///
    /// A binary search is used, because a store may have thousands of products.
    private func search(_ productIdentifier: String) -> (index: Int, exists: Bool) {
        var (low, high) = (0, products.count)
        while low < high {
            let middle = (low + high) / 2
            if products[middle].productIdentifier < productIdentifier { low = middle + 1 } else { high = middle }
        }
        return (low, low < products.count && products[low].productIdentifier == productIdentifier)
    }

    /// The result of recording a version of a product in the state of the publisher's store.
    enum RecordResult: Sendable, Hashable {
        /// The version of the product was recorded and is offered to clients.
        case added
        /// The version of the product was recorded before with the same archive.
        case unchanged
        /// The version of the product was recorded, but a higher one, the associated value, remains offered.
        case addedBelow(Version)
    }

    /// Records a version of a product in the state of the publisher's store.
    ///
    /// If the product was withdrawn, it is offered again.
    ///
    /// - Parameter price: the new price; `nil` keeps the price, and a new product is free.
    /// - Returns: the result for the version, and how the product differs from before.
    /// - Throws: `publish.version-changed` if the version exists with another archive.
    mutating func record(
        _ release: Release, of productIdentifier: String, kind: ProductKind, price: Price?
    ) throws(StoreError) -> (result: RecordResult, differences: [Storehouse.Difference]) {
        let (index, exists) = search(productIdentifier)
        guard exists else {
            let product = Product(
                productIdentifier: productIdentifier, kind: kind, price: price ?? .free, releases: [release])
            products.insert(product, at: index)
            return (.added, [])
        }
        let before = products[index]
        var product = before
        product.kind = kind
        product.withdrawn = false
        if let price { product.price = price }
        let result: RecordResult
        if let same = product.releases.firstIndex(where: { $0.version == release.version }) {
            let known = product.releases[same]
            guard known.archive == release.archive else {
                throw StoreError(
                    .publishedVersionChanged, ["product": productIdentifier, "version": known.version.text])
            }
            product.releases[same] = release
            product.releases[same].version = known.version
            product.releases[same].addedAt = known.addedAt
            result = .unchanged
        } else {
            product.releases.append(release)
            product.releases.sort { $0.version < $1.version }
            result = product.current.version == release.version ? .added : .addedBelow(product.current.version)
        }
        products[index] = product
        var differences = product.differences(from: before)
        // The hash of the files follows from the archive, and older versions of this program did not record it.
        let filesSHA256 = before.releases.map(\.filesSHA256)
        let described = zip(product.releases, filesSHA256).map { $0.0.with(filesSHA256: $0.1) }
        if result == .unchanged, described != before.releases { differences.append(.description) }
        return (result, differences)
    }

    /// Sets the price of a product in the state of the publisher's store.
    ///
    /// - Throws: `publish.no-product`, `publish.bad-price`.
    mutating func setPrice(_ price: Price, of productIdentifier: String) throws(StoreError) {
        guard price.isPublishable else {
            throw StoreError(
                .priceInvalid,
                ["price": .untrusted(price.description), "product": .untrusted(productIdentifier)])
        }
        products[try existing(productIdentifier)].price = price
    }

    /// Marks a product in the state of the publisher's store as withdrawn: no longer offered to clients.
    ///
    /// - Returns: `false` if the product was withdrawn already.
    /// - Throws: `publish.no-product`.
    mutating func withdraw(_ productIdentifier: String) throws(StoreError) -> Bool {
        let index = try existing(productIdentifier)
        defer { products[index].withdrawn = true }
        return !products[index].withdrawn
    }

    private func existing(_ productIdentifier: String) throws(StoreError) -> Int {
        let (index, exists) = search(productIdentifier)
        guard exists else { throw StoreError(.publishedProductUnknown, ["product": .untrusted(productIdentifier)]) }
        return index
    }
}

extension PublishingState.Product {
    /// Returns how the product, apart from its releases, differs from an earlier state of it.
    fileprivate func differences(from before: PublishingState.Product) -> [Storehouse.Difference] {
        var differences: [Storehouse.Difference] = []
        if kind != before.kind { differences.append(.kind(from: before.kind, to: kind)) }
        if price != before.price { differences.append(.price(from: before.price, to: price)) }
        if before.withdrawn, !withdrawn { differences.append(.offeredAgain) }
        return differences
    }
}
