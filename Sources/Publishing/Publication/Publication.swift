import FoundationEssentials
import StoreCatalogue
import StoreModel

/// The content of a publication: the documents and files that are served to clients.
///
/// It is computed from the private state of the publisher's store. The same state gives the same bytes.
struct Publication: Sendable {
    /// The JSON documents of the publication other than the index, with their directories.
    private(set) var documents: [(directory: StoreLayout.ObjectDirectory, file: StoredFile, data: Data)] = []
    /// The archives, entry tables (lists of their files) and images of the publication.
    ///
    /// They were created when their packs were added.
    private(set) var files: [StoredFile] = []
    /// The content of the index `catalogue.json`; replacing that file makes the publication visible to clients.
    let index: Data
    /// The number of products of the publication that clients can install.
    let offeredCount: Int
    /// The number of products of the publication that are listed as withdrawn.
    let withdrawnCount: Int

    init(_ state: PublishingState) throws {
        // What a publisher offers now, the store's own catalogue may not list, not even as withdrawn.
        let publishers = state.publishers ?? []
        let products = state.products.filter { product in
            !publishers.contains { $0.owns(product.productIdentifier) }
        }
        let directory = state.publisher.map { $0.directory + "/" } ?? ""
        let mirrors = (state.mirrors ?? []).map { $0 + directory }
        let sharding = CatalogueSharding(productCount: products.count)
        var entries = [[CatalogueEntry]](repeating: [], count: sharding.count)
        for product in products {
            var details: StoredFile?
            if !product.withdrawn {
                let data = try JSON.encode(product.current.detailsEntry(of: product.productIdentifier))
                let file = StoredFile(directory: .details, data: data)
                documents.append((.details, file, data))
                files += product.current.files
                details = file
            }
            entries[sharding.shard(of: product.productIdentifier)].append(
                product.entry(details: details, mirrors: mirrors))
        }
        var shards: [IndexEntry.Shard] = []
        for products in entries where !products.isEmpty {
            let data = try JSON.encode(ShardEntry(products: products))
            let file = StoredFile(directory: .catalogue, data: data)
            documents.append((.catalogue, file, data))
            shards.append(
                IndexEntry.Shard(url: file.path, size: file.size, sha256: file.sha256, products: products.count))
        }
        index = try JSON.encode(IndexEntry(name: state.name, shards: shards))
        withdrawnCount = products.count(where: \.withdrawn)
        offeredCount = products.count - withdrawnCount
    }

    /// Checks that clients accept the catalogue of the publication, whose size they limit.
    ///
    /// - Parameter url: the URL of the index, for messages.
    /// - Throws: `catalogue.too-large`.
    func checkCatalogue(at url: URL) throws {
        let shards = documents.filter { $0.directory == .catalogue }.map { ($0.file.sha256, $0.data) }
        let contents = Dictionary(shards) { first, _ in first }
        do {
            guard case .index(let catalogue) = try CatalogueDocument.parse(index, url: url) else { return }
            _ = try CatalogueDocument.parse(shardsOf: catalogue) { contents[$0.sha256] ?? Data() }
        } catch {
            throw StoreError(.publicationRefused, cause: error)
        }
    }

    /// The paths of all files that the publication's index refers to, directly or indirectly.
    var paths: Set<String> { Set(documents.map(\.file.path) + files.map(\.path)) }
}

extension PublishingState.Product {
    /// Returns the product's entry in a shard, a document of the catalogue that lists some of the products.
    ///
    /// A product that the publisher has withdrawn is listed without files.
    fileprivate func entry(details: StoredFile?, mirrors: [String]) -> CatalogueEntry {
        let release = current
        var entry = CatalogueEntry()
        entry.productIdentifier = productIdentifier
        entry.productName = release.name
        entry.productType = kind.rawValue
        entry.productPrice = price
        entry.version = release.version.text
        entry.publisher = release.publisher
        entry.license = release.license
        entry.authors = release.authors
        entry.locales = release.locales
        entry.categories = release.categories
        entry.tags = release.tags
        entry.publishedAt = release.addedAt
        entry.dependencies = release.dependencies
        entry.permissions = release.permissions?.map(\.rawValue) ?? []
        entry.withdrawn = withdrawn
        guard !withdrawn else { return entry }
        entry.resource = FileEntry(release.archive)
        entry.mirrors = mirrors.map { $0 + release.archive.path }
        entry.entryTable = FileEntry(release.entryTable)
        entry.filesSHA256 = release.filesSHA256?.hex
        entry.details = details.map { FileEntry($0) }
        entry.image = release.image.map { FileEntry($0) }
        entry.sprite = release.sprite.map { FileEntry($0) }
        entry.previews = release.previews.map { FileEntry($0) }
        return entry
    }
}

extension PublishingState.Release {
    /// Returns the details document of the version, which describes its product.
    func detailsEntry(of productIdentifier: String) -> DetailsEntry {
        DetailsEntry(
            productIdentifier: productIdentifier, info: description, image: image?.fromSibling,
            previews: previews.map(\.fromSibling), sprite: sprite?.fromSibling, publisher: publisher,
            license: license, authors: authors, locales: locales, changes: changes)
    }
}

extension StoredFile {
    /// The path of the file relative to a document in a sibling directory, used as a relative URL.
    fileprivate var fromSibling: String { "../" + path }
}

extension FileEntry {
    fileprivate init(_ file: StoredFile) {
        self.init(url: file.fromSibling, size: file.size, sha256: file.sha256.hex)
    }
}
