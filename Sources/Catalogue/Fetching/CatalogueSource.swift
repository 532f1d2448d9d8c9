public import FoundationEssentials
import StoreModel
import StoreSystem

/// A source of one store's catalogue: the store's URL, the cache of fetched documents, and the fetcher.
public struct CatalogueSource: Sendable {
    /// The URL of the store whose catalogue this is, as the user added it.
    public let url: URL
    private let cache: CatalogueCache
    private let fetcher: any DocumentFetching
    private let limits: CatalogueLimits
    /// Checks the catalogue's top document; `nil` accepts any.
    private let check: Check?
    /// The queue for parsing catalogues: a large one takes a second, which must not block Swift's concurrency pool.
    private let parsing = BlockingWork(label: "catalogue-parsing")

    /// The maximum number of concurrent requests for shards, the parts of a catalogue.
    ///
    /// The fetcher decides on the number of connections.
    private static let parallelShards = 16

    /// The type of a function that checks the bytes of a catalogue's top document, and throws if they are others than
    /// those that were signed.
    public typealias Check = @Sendable (Data) throws -> Void

    /// Creates a source of a store's catalogue.
    ///
    /// - Parameters:
    ///   - url: the URL of the catalogue document, or of the directory with `catalogue.json`.
    ///   - cache: the cache of this store's catalogue.
    ///   - fetcher: fetches documents from URLs.
    ///   - limits: the limits of the catalogue.
    ///   - check: checks the catalogue's top document before it is parsed. A cached document that passes is current and
    ///     is not requested again; one that fails counts as missing. `nil` asks the server whether the cached one is
    ///     current.
    public init(
        url: URL, cache: CatalogueCache, fetcher: any DocumentFetching, limits: CatalogueLimits = .standard,
        check: Check? = nil
    ) {
        self.url = url
        self.cache = cache
        self.fetcher = fetcher
        self.limits = limits
        self.check = check
    }

    /// The result of refreshing a store's catalogue.
    public struct Refreshed: Sendable {
        /// The store's catalogue after the refresh.
        public let catalogue: Catalogue
        /// Whether the refreshed catalogue differs from the previous one; `true` for the first.
        public let changed: Bool

        /// Creates the result of a refresh.
        public init(catalogue: Catalogue, changed: Bool) {
            self.catalogue = catalogue
            self.changed = changed
        }
    }

    /// Returns the catalogue as last fetched, without network access; `nil` if the cache lacks a document of it.
    public func cached() async -> Catalogue? {
        guard let cached = await cachedDocument() else { return nil }
        return try? await catalogue(from: cached, fetching: false).catalogue
    }

    /// Fetches the documents of the catalogue that have changed, and returns the current catalogue.
    ///
    /// An unchanged catalogue costs one conditional request. A changed one costs the top document and the shards
    /// (documents that list products) that are not cached. A refresh that fails leaves the cache unchanged.
    ///
    /// - Parameter previous: the catalogue that the caller has, which is not parsed again if it is unchanged.
    /// - Throws: `StoreError` with a code of the module, an error of the fetcher, or `CancellationError`.
    public func refresh(previous: Catalogue? = nil) async throws -> Refreshed {
        let cached = await cachedDocument()
        let current = try await currentDocument(cached: cached)
        if let previous, previous.revision == current.state.sha256, previous.url == current.state.url {
            // The next request is conditional on what the server says now: an earlier entity tag may come back with
            // another content.
            if let cached, cached.state.sha256 == current.state.sha256 {
                if cached.state != current.state { await cache.store(current.state) }
            } else {
                // The cache was deleted meanwhile. Without the document in it, no request would be conditional.
                await cache.store(current, shards: nil)
            }
            return Refreshed(catalogue: previous, changed: false)
        }
        let (catalogue, shards) = try await catalogue(from: current, fetching: true)
        await cache.store(current, shards: shards)
        let changed =
            previous != nil || cached?.state.sha256 != current.state.sha256 || cached?.state.url != current.state.url
        return Refreshed(catalogue: catalogue, changed: changed)
    }

    // MARK: The document

    /// Returns the cached top document; `nil` if there is none that passes the check.
    private func cachedDocument() async -> CatalogueCache.Document? {
        guard let cached = await cache.load() else { return nil }
        if let check, (try? check(cached.data)) == nil { return nil }
        return cached
    }

    private func currentDocument(cached: CatalogueCache.Document?) async throws -> CatalogueCache.Document {
        if check != nil, let cached { return cached }
        var addresses = try documentAddresses()
        // The URL that worked last time comes first, so that an unchanged catalogue costs one request.
        if let known = cached?.state.requestURL, let index = addresses.firstIndex(of: known) {
            addresses.swapAt(0, index)
        }
        for address in addresses {
            let known = cached.flatMap { $0.state.requestURL == address ? $0 : nil }
            let fetched = try await fetcher.fetch(
                address, ifNoneMatch: known?.state.etag, ifModifiedSince: known?.state.lastModified,
                sizeLimit: limits.documentSize)
            switch fetched {
            case .notModified:
                if let known { return known }
                throw StoreError(.catalogueUnexpectedNotModified, ["url": address])
            case .missing: continue
            case .tooLarge:
                throw StoreError(
                    .catalogueDocumentTooLarge,
                    ["document": "catalogue '\(address.withoutSecrets)'", "limit": .bytes(limits.documentSize)])
            case .document(let data, let etag, let lastModified, let url):
                try check?(data)
                let state = CatalogueCache.State(
                    requestURL: address, url: url, etag: etag, lastModified: lastModified,
                    sha256: SHA256Digest(of: data))
                return CatalogueCache.Document(state: state, data: data)
            }
        }
        throw StoreError(.catalogueNotFound, ["urls": .list(addresses)])
    }

    /// Returns the URLs at which the catalogue's top document may be, in the order to try them.
    ///
    /// A path that ends in `.json` is the document, one that ends in a slash is a directory with `catalogue.json`, and
    /// any other path may be either.
    private func documentAddresses() throws(StoreError) -> [URL] {
        guard let absolute = DocumentURL.resolve(url.absoluteString, against: url).url else {
            throw StoreError(.catalogueURLInvalid, ["url": url])
        }
        let inDirectory = absolute.appending(path: "catalogue.json")
        if absolute.path.lowercased().hasSuffix(".json"), !absolute.hasDirectoryPath { return [absolute] }
        return absolute.hasDirectoryPath || absolute.path.isEmpty ? [inDirectory] : [inDirectory, absolute]
    }

    private func document(
        _ cached: CatalogueCache.Document, budget: CatalogueBudget
    ) async throws -> CatalogueDocument {
        let source = CompiledSource(cached.state, limits)
        if let products = try await compiledProducts(from: source, budget: budget) { return .products(products) }
        let document = try await parsing.run {
            try CatalogueDocument.parse(cached.data, url: source.url, budget: budget)
        }
        if case .products(let products) = document { await cache.store(products, from: source) }
        return document
    }

    /// Reads the compiled products of a document; `nil` if they are not cached.
    private func compiledProducts(
        from source: CompiledSource, budget: CatalogueBudget
    ) async throws -> CatalogueProducts? {
        guard let file = await cache.compiled(source) else { return nil }
        return try await parsing.run { try CatalogueProducts.read(file, from: source, budget: budget) }
    }

    // MARK: The shards

    private func catalogue(
        from cached: CatalogueCache.Document, fetching: Bool
    ) async throws -> (catalogue: Catalogue, shards: [CatalogueIndex.Shard]) {
        let (url, budget) = (cached.state.url, CatalogueBudget(limits))
        let lists: [CatalogueProducts]
        let index: CatalogueIndex?
        switch try await document(cached, budget: budget) {
        case .products(let list): (lists, index) = ([list], nil)
        case .index(let found):
            (lists, index) = (try await productLists(of: found.shards, budget: budget, fetching: fetching), found)
        }
        let catalogue = try await parsing.run {
            var all = CatalogueProducts()
            all.reserveCapacity(lists.reduce(0) { $0 + $1.items.count })
            for list in lists { all.append(contentsOf: list) }
            return Catalogue(
                format: index == nil ? 1 : 2, name: index?.name, url: url, revision: cached.state.sha256, list: all,
                memory: budget.memory)
        }
        return (catalogue, index?.shards ?? [])
    }

    /// Reads the shards, several at once as long as they together are no larger than one document may be.
    private func productLists(
        of shards: [CatalogueIndex.Shard], budget: CatalogueBudget, fetching: Bool
    ) async throws -> [CatalogueProducts] {
        try await withThrowingTaskGroup(of: (Int, CatalogueProducts).self) { group in
            var lists = [CatalogueProducts](repeating: CatalogueProducts(), count: shards.count)
            var (started, running, size) = (0, 0, 0)
            while started < shards.count || running > 0 {
                if started < shards.count, running < Self.parallelShards,
                    running == 0 || size + shards[started].size <= limits.documentSize
                {
                    let (index, shard) = (started, shards[started])
                    group.addTask { (index, try await products(of: shard, budget: budget, fetching: fetching)) }
                    (started, running, size) = (started + 1, running + 1, size + shard.size)
                } else if let (index, list) = try await group.next() {
                    lists[index] = list
                    (running, size) = (running - 1, size - shards[index].size)
                }
            }
            return lists
        }
    }

    private func products(
        of shard: CatalogueIndex.Shard, budget: CatalogueBudget, fetching: Bool
    ) async throws -> CatalogueProducts {
        let source = CompiledSource(shard, limits)
        if let products = try await compiledProducts(from: source, budget: budget) { return products }
        if let data = await cache.shard(shard) {
            do {
                let products = try await parsing.run {
                    try CatalogueDocument.parse(data, of: shard, budget: budget)
                }
                await cache.store(products, from: source)
                return products
            } catch let error as StoreError where error.code == .catalogueHashMismatch {
                // A damaged shard counts as missing and is fetched again.
            }
        }
        let document = "catalogue shard '\(shard.url.withoutSecrets)'"
        let missing = StoreError(.catalogueShardMissing, ["document": document])
        guard fetching else { throw missing }
        switch try await fetcher.fetch(shard.url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: shard.size) {
        case .missing, .notModified: throw missing
        case .tooLarge:
            throw StoreError(.shardTooLong, ["document": document, "expected": .bytes(shard.size)])
        case .document(let data, _, _, _):
            let list = try await parsing.run { try CatalogueDocument.parse(data, of: shard, budget: budget) }
            await cache.store(data, of: shard)
            await cache.store(list, from: source)
            return list
        }
    }
}
