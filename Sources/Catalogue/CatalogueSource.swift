public import FoundationEssentials
import StoreModel
import StoreSystem

/// Where the catalogue of one store comes from: its address, what was fetched before, and a way to fetch.
public struct CatalogueSource: Sendable {
    public let url: URL
    private let cache: CatalogueCache
    private let fetcher: any DocumentFetching
    private let limits: CatalogueLimits
    /// Parsing a large catalogue takes a second, for which it must not hold a thread that others wait for.
    private let parsing = BlockingWork(label: "catalogue-parsing")

    /// Shards that are asked for at once; how many connections that makes is the fetcher's affair.
    private static let parallelShards = 16

    /// - Parameters:
    ///   - url: of the document, or of the folder that `catalogue.json` lies in.
    public init(
        url: URL, cache: CatalogueCache, fetcher: any DocumentFetching, limits: CatalogueLimits = .standard
    ) {
        self.url = url
        self.cache = cache
        self.fetcher = fetcher
        self.limits = limits
    }

    /// What a refresh found.
    public struct Refreshed: Sendable {
        public let catalogue: Catalogue
        /// Whether it differs from the one that was known before; true for the first.
        public let changed: Bool
    }

    /// The catalogue as it was last fetched, without any network; `nil` where it is not there, or not whole.
    public func cached() async -> Catalogue? {
        guard let kept = await cache.load() else { return nil }
        return try? await catalogue(from: kept, fetching: false).catalogue
    }

    /// Fetches what changed: of an unchanged catalogue nothing but the answer that it is so, of a changed one the
    /// index and the shards that are not there yet. A refresh that fails leaves what was fetched before as it was.
    ///
    /// - Parameter previous: the catalogue that the caller holds, so that it need not be read again.
    /// - Throws: `CatalogueError`, or what the fetcher throws; `CancellationError`.
    public func refresh(previous: Catalogue? = nil) async throws -> Refreshed {
        let kept = await cache.load()
        let current = try await currentDocument(kept: kept)
        if let previous, previous.revision == current.state.sha256, previous.url == current.state.url {
            return Refreshed(catalogue: previous, changed: false)
        }
        let (catalogue, shards) = try await catalogue(from: current, fetching: true)
        await cache.keep(current, shards: shards)
        let changed =
            previous != nil || kept?.state.sha256 != current.state.sha256 || kept?.state.url != current.state.url
        return Refreshed(catalogue: catalogue, changed: changed)
    }

    // MARK: The document

    private func currentDocument(kept: CatalogueCache.Kept?) async throws -> CatalogueCache.Kept {
        var addresses = try documentAddresses()
        // What it was found at the last time comes first, so that nothing new costs one request.
        if let known = kept?.state.requestURL, let place = addresses.firstIndex(of: known) {
            addresses.swapAt(0, place)
        }
        for address in addresses {
            let known = kept.flatMap { $0.state.requestURL == address ? $0 : nil }
            let fetched = try await fetcher.fetch(
                address, ifNoneMatch: known?.state.etag, ifModifiedSince: known?.state.lastModified,
                sizeLimit: limits.documentSize)
            switch fetched {
            case .notModified:
                if let known { return known }
                throw CatalogueError(
                    .catalogueMalformed,
                    "The server at \(address.absoluteString) says that nothing changed, though nothing was fetched"
                        + " before. Check the store's address.")
            case .missing: continue
            case .tooLarge:
                throw CatalogueError(
                    .catalogueTooLarge,
                    "The catalogue at \(address.absoluteString) has more than the \(limits.documentSize) bytes that"
                        + " are taken.")
            case .document(let data, let etag, let lastModified, let url):
                let state = CatalogueCache.State(
                    requestURL: address, url: url, etag: etag, lastModified: lastModified,
                    sha256: SHA256Digest(of: data))
                return CatalogueCache.Kept(state: state, document: data)
            }
        }
        throw CatalogueError(
            .catalogueMissing,
            "There is no catalogue at \(addresses.map(\.absoluteString).joined(separator: ", nor at "))."
                + " Check the store's address.")
    }

    /// A path that ends in `.json` is the document, one that ends in a slash is a folder; any other may be either.
    private func documentAddresses() throws(CatalogueError) -> [URL] {
        guard let absolute = DocumentAddress.resolve(url.absoluteString, against: url).url else {
            throw CatalogueError(
                .catalogueBadAddress,
                "'\(url.absoluteString)' is no address of a store; it must begin with http://, https:// or file://.")
        }
        let inFolder = absolute.appending(path: "catalogue.json")
        if absolute.path.lowercased().hasSuffix(".json"), !absolute.hasDirectoryPath { return [absolute] }
        return absolute.hasDirectoryPath || absolute.path.isEmpty ? [inFolder] : [inFolder, absolute]
    }

    // MARK: The shards

    private func catalogue(
        from kept: CatalogueCache.Kept, fetching: Bool
    ) async throws -> (catalogue: Catalogue, shards: [CatalogueIndex.Shard]) {
        let (url, limits) = (kept.state.url, limits)
        let document = try await parsing.run { try CatalogueDocument.parse(kept.document, url: url, limits: limits) }
        let lists: [ProductList]
        let index: CatalogueIndex?
        switch document {
        case .products(let list): (lists, index) = ([list], nil)
        case .index(let found): (lists, index) = (try await productLists(of: found.shards, fetching: fetching), found)
        }
        let catalogue = try await parsing.run {
            var all = ProductList()
            for list in lists { all.append(contentsOf: list) }
            guard all.items.count <= limits.products else {
                throw CatalogueError(
                    .catalogueTooLarge,
                    "The catalogue at \(url.absoluteString) lists more than the \(limits.products) products that are"
                        + " taken.")
            }
            return Catalogue(
                format: index == nil ? 1 : 2, name: index?.name, url: url, revision: kept.state.sha256, list: all)
        }
        return (catalogue, index?.shards ?? [])
    }

    private func productLists(of shards: [CatalogueIndex.Shard], fetching: Bool) async throws -> [ProductList] {
        try await withThrowingTaskGroup(of: (Int, ProductList).self) { group in
            var lists = [ProductList](repeating: ProductList(), count: shards.count)
            var waiting = shards.enumerated().makeIterator()
            func startNext() {
                guard let (place, shard) = waiting.next() else { return }
                group.addTask { (place, try await products(of: shard, fetching: fetching)) }
            }
            for _ in 0..<Self.parallelShards { startNext() }
            while let (place, list) = try await group.next() {
                lists[place] = list
                startNext()
            }
            return lists
        }
    }

    private func products(of shard: CatalogueIndex.Shard, fetching: Bool) async throws -> ProductList {
        let limits = limits
        if let data = await cache.shard(shard) {
            // A damaged one is as good as not there, and fetched again.
            if let list = try? await parsing.run({ try CatalogueDocument.parse(data, of: shard, limits: limits) }) {
                return list
            }
        }
        let missing = CatalogueError(
            .catalogueMissing,
            "The catalogue's shard \(shard.url.absoluteString) is not there. Try again later; if it stays so, ask the"
                + " store's publisher.")
        guard fetching else { throw missing }
        switch try await fetcher.fetch(shard.url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: shard.size) {
        case .missing, .notModified: throw missing
        case .tooLarge:
            throw CatalogueError(
                .catalogueHashMismatch,
                "The catalogue's shard \(shard.url.absoluteString) has more bytes than the \(shard.size) that the index"
                    + " says. Try again later; if it stays so, ask the store's publisher.")
        case .document(let data, _, _, _):
            let list = try await parsing.run { try CatalogueDocument.parse(data, of: shard, limits: limits) }
            await cache.keep(data, of: shard)
            return list
        }
    }
}
