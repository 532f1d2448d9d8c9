import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTrust

/// A source of a store's catalogue: signed, or accepted without a signature.
protocol CatalogueProviding: Sendable {
    /// Returns the catalogue as last fetched, without network access; `nil` if the cache lacks a document of it.
    func cached() async -> Catalogue?
    /// Fetches what has changed in the catalogue, and returns the current one.
    ///
    /// - Parameter previous: the catalogue that the caller has, which is not parsed again if it is unchanged.
    func refresh(previous: Catalogue?) async throws -> CatalogueSource.Refreshed
}

extension CatalogueSource: CatalogueProviding {}

/// A source of the catalogue of a signed store, which verifies the metadata before it fetches a document of the catalogue.
///
/// The catalogue's top document, and that of each publisher, is a file that signed metadata lists with length and hash;
/// the documents that these refer to are verified by the hashes in them. Where the store's timestamp is unchanged, a
/// refresh costs one conditional request.
struct SignedCatalogueSource: CatalogueProviding {
    let store: String
    let location: StoreLocation
    let state: StoreTrustState
    /// The store's directory in the cache.
    let cache: Directory
    let documents: any DocumentFetching
    let limits: CatalogueLimits
    let clock: TimeSource
    private let trustLimits = TrustLimits()

    /// The name of the top document of a catalogue.
    static let index = "catalogue.json"
    /// The time for which the server is not asked for a newer root while the timestamp is unchanged.
    ///
    /// Nothing new is accepted then, so that a root that was replaced can wait that long.
    private static let rootsCheckedEvery: TimeInterval = 86_400

    init(
        store: String, url: URL, state: StoreTrustState, cache: Directory, documents: any DocumentFetching,
        limits: CatalogueLimits, clock: TimeSource
    ) {
        self.store = store
        location = StoreLocation(url)
        self.state = state
        self.cache = cache
        self.documents = documents
        self.limits = limits
        self.clock = clock
    }

    // MARK: The cached catalogue

    func cached() async -> Catalogue? {
        let record = state.record
        if record.publishers.isEmpty {
            guard let digest = record.document else { return nil }
            return await part(.own, digest: digest).cached()?.signed
        }
        guard let publishers = state.publishers else { return nil }
        var parts = CatalogueParts(limits: limits)
        if let digest = record.document {
            guard let own = await part(.own, digest: digest).cached() else { return nil }
            guard (try? parts.append(own, accept: publishers.checkOwn)) != nil else { return nil }
        }
        for (name, digest) in record.publishers.sorted(by: { $0.key < $1.key }) {
            // Without a part, the catalogue is incomplete, and is fetched again.
            guard let catalogue = await part(.publisher(name), digest: digest).cached() else { return nil }
            guard (try? append(catalogue, of: name, to: &parts, publishers)) != nil else { return nil }
        }
        return parts.catalogue?.signed
    }

    /// Returns the source of a part whose top document was accepted before.
    private func part(_ part: SignedCataloguePart, digest: SHA256Digest) -> CatalogueSource {
        CatalogueSource(
            url: location.url(part.path) ?? URL(filePath: "/"), cache: CatalogueCache(path: part.cachePath(in: cache)),
            fetcher: documents, limits: limits,
            check: { data in
                guard SHA256Digest(of: data) == digest else {
                    throw StoreError(.trustHashDiffers, ["file": part.path, "algorithm": "sha256"])
                }
            })
    }

    // MARK: Refreshing

    func refresh(previous: Catalogue?) async throws -> CatalogueSource.Refreshed {
        try await state.updates.run { [self] in
            let now = clock.date()
            let start = state.time(now)
            do {
                return try await refresh(previous, at: start)
            } catch let error as StoreError where error.isTrustFailure {
                var cause = error
                if error.code == .trustExpired, start > now {
                    let (now, seen) = (now.representable, start.representable)
                    cause = StoreError(
                        .trustClockBehind,
                        ["now": "\(now.formatted(.iso8601))", "seen": "\(seen.formatted(.iso8601))"], cause: error)
                }
                throw StoreError(.storeVerification, ["store": store], cause: cause)
            }
        }
    }

    private func refresh(_ previous: Catalogue?, at start: Date) async throws -> CatalogueSource.Refreshed {
        let fetcher = MetadataFetcher(location: location, documents: documents)
        let timestamp = try await currentTimestamp(fetcher, at: start)
        if case .unchanged(let metadata) = timestamp {
            if let previous {
                try state.confirm(at: start)
                return CatalogueSource.Refreshed(catalogue: previous, changed: false)
            }
            // The documents are missing in the cache.
            return try await fetchCatalogue(of: metadata, previous, state.record)
        }
        var record = state.record
        let received = ReceivedTimestamp(timestamp)
        let metadata = try await updater { [trustLimits] request in
            guard request.file == TopLevelRole.timestamp.file else {
                let data = try await fetcher.metadata(request)
                if request.file == TopLevelRole.root.file, data != nil { await received.discard() }
                return data
            }
            if let data = await received.data { return data }
            return await received.set(try await fetcher.timestamp(etag: nil, lastModified: nil, limits: trustLimits))
        }.update(at: start)
        record.rootsCheckedAt = start
        (record.etag, record.lastModified) = await received.validators(of: metadata.timestamp.bytes)
        return try await fetchCatalogue(of: metadata, previous, record)
    }

    private func updater(_ fetch: @escaping MetadataUpdater.Fetch) -> MetadataUpdater {
        MetadataUpdater(in: state.metadata, limits: trustLimits, fetch: fetch)
    }

    /// Asks the server whether the timestamp of the accepted catalogue is still the newest one.
    ///
    /// That is asked alone only where everything is complete and valid otherwise.
    private func currentTimestamp(_ fetcher: MetadataFetcher, at start: Date) async throws -> CurrentTimestamp {
        let record = state.record
        guard let accepted = record.timestamp, let checked = record.rootsCheckedAt,
            start.timeIntervalSince(checked) < Self.rootsCheckedEvery,
            let metadata = try? updater({ _ in nil }).stored(at: start),
            SHA256Digest(of: metadata.timestamp.bytes) == accepted
        else { return .unknown }
        switch try await fetcher.timestamp(
            etag: record.etag, lastModified: record.lastModified, limits: trustLimits)
        {
        case .notModified: return .unchanged(metadata)
        case .document(let data, let etag, let lastModified, _):
            if data == metadata.timestamp.bytes { return .unchanged(metadata) }
            return .fetched(data, etag: etag, lastModified: lastModified)
        case .missing, .tooLarge: return .unknown
        }
    }

    // MARK: The catalogue

    /// Fetches those documents of the catalogue that are not cached, and accepts the catalogue.
    private func fetchCatalogue(
        of metadata: VerifiedMetadata, _ previous: Catalogue?, _ known: StoreTrustState.Record
    ) async throws -> CatalogueSource.Refreshed {
        let publishers = try metadata.publishers()
        var record = known
        record.warnings = []
        var current: Catalogue
        let isComplete: Bool
        if publishers.isEmpty {
            current = try await catalogue(of: .own, in: metadata, publishers, previous: previous)
            isComplete = true
            (record.document, record.publishers) = (current.revision, [:])
        } else {
            (current, isComplete) = try await merged(metadata, publishers, &record)
        }
        record.rootVersion = metadata.root.signed.version
        record.verifiedAt = metadata.start
        record.latestTime = max(metadata.start, record.latestTime ?? metadata.start)
        record.expires = metadata.expires
        record.timestamp = isComplete ? SHA256Digest(of: metadata.timestamp.bytes) : nil
        try state.accept(record, targets: publishers.isEmpty ? nil : metadata.targets.bytes)
        if isComplete { removeUnused(keeping: Set(record.publishers.keys)) }
        current = current.signed
        let isSame = previous.map { $0.revision == current.revision && $0.url == current.url } ?? false
        return CatalogueSource.Refreshed(catalogue: current, changed: !isSame)
    }

    /// Removes the metadata and the cached catalogues of publishers that the store does not have any more.
    ///
    /// What can't be removed does no harm, and is tried again after the next change.
    private func removeUnused(keeping publishers: Set<String>) {
        try? state.metadata.removeUnused()
        guard let parts = try? cache.openDirectory(Publisher.directory), let present = try? parts.entries() else {
            return
        }
        for entry in present where !publishers.contains(entry.name) { try? parts.removeTree(entry.name) }
    }

    /// Merges the store's own catalogue with those of its publishers.
    ///
    /// - Returns: the catalogue, and whether no part of it is missing.
    private func merged(
        _ metadata: VerifiedMetadata, _ publishers: PublisherTable, _ record: inout StoreTrustState.Record
    ) async throws -> (Catalogue, isComplete: Bool) {
        var parts = CatalogueParts(limits: limits)
        (record.document, record.publishers) = (nil, [:])
        do {
            let own = try await catalogue(of: .own, in: metadata, publishers, previous: nil)
            try parts.append(own, accept: publishers.checkOwn)
            record.document = own.revision
        } catch let error as StoreError where error.code == .trustUnknownTarget {
            // The store's owner need not have products of their own.
        }
        var isComplete = true
        for (name, result) in try await catalogues(of: publishers, in: metadata) {
            do {
                let catalogue = try result.get()
                try append(catalogue, of: name, to: &parts, publishers)
                record.publishers[name] = catalogue.revision
            } catch {
                isComplete = false
                record.warnings.append(
                    ErrorReport(StoreError(.trustPublisherLeftOut, ["publisher": .untrusted(name)], cause: error))
                        .message)
            }
        }
        record.warnings += parts.refusals
        let empty = Catalogue(
            format: 2, url: location.url(Self.index) ?? URL(filePath: "/"),
            revision: SHA256Digest(of: metadata.targets.bytes), list: CatalogueProducts())
        return (parts.catalogue ?? empty, isComplete)
    }

    private func append(
        _ catalogue: Catalogue, of name: String, to parts: inout CatalogueParts, _ publishers: PublisherTable
    ) throws(StoreError) {
        try parts.append(catalogue) { (identifier) throws(StoreError) in
            try publishers.check(productIdentifier: identifier, from: name)
        }
    }

    /// The number of publishers whose catalogues are fetched at once.
    private static let parallelPublishers = 8

    /// Fetches the catalogues of all publishers; a failure of one does not affect others.
    ///
    /// A publisher of whom no publication was accepted yet is in the store's table, and has no products.
    ///
    /// - Returns: the results, the smallest catalogues first, so that one that exceeds the limits of the whole is left
    ///   out before others are.
    private func catalogues(
        of publishers: PublisherTable, in metadata: VerifiedMetadata
    ) async throws -> [(name: String, result: Result<Catalogue, any Error>)] {
        let results = await withTaskGroup(of: (String, Result<Catalogue, any Error>).self) { group in
            var results: [(name: String, result: Result<Catalogue, any Error>)] = []
            for (number, publisher) in publishers.publishers.filter(metadata.hasMetadata(of:)).enumerated() {
                if number >= Self.parallelPublishers, let one = await group.next() { results.append(one) }
                let name = publisher.name
                group.addTask {
                    do {
                        let part = SignedCataloguePart.publisher(name)
                        return (name, .success(try await catalogue(of: part, in: metadata, publishers, previous: nil)))
                    } catch {
                        return (name, .failure(error))
                    }
                }
            }
            for await one in group { results.append(one) }
            return results
        }
        try Task.checkCancellation()
        return results.sorted { a, b in
            let counts = [a, b].map { (try? $0.result.get().products.count) ?? 0 }
            return (counts[0], a.name) < (counts[1], b.name)
        }
    }

    /// Returns the catalogue of one party, whose top document signed metadata lists.
    private func catalogue(
        of part: SignedCataloguePart, in metadata: VerifiedMetadata, _ publishers: PublisherTable, previous: Catalogue?
    ) async throws -> Catalogue {
        let fetcher = MetadataFetcher(location: location, documents: documents)
        let target = try await updater { try await fetcher.metadata($0) }
            .file(part.path, in: metadata, publishers: publishers)
        let path = target.remotePath(hasConsistentSnapshots: metadata.root.signed.hasConsistentSnapshots)
        guard let url = location.url(path) else {
            throw StoreError(.trustTargetUnknown, ["file": .untrusted(part.path)])
        }
        let source = CatalogueSource(
            url: url, cache: CatalogueCache(path: part.cachePath(in: cache)),
            fetcher: TargetFetcher(documents: documents, target: target, url: url), limits: limits,
            check: { try target.check($0) })
        let catalogue = try await source.refresh(previous: previous).catalogue
        // What the products refer to is verified by hashes, which format 1 does not have.
        guard catalogue.format == 2 else {
            throw StoreError(.trustCatalogueWithoutHashes, ["file": .untrusted(part.path)])
        }
        return catalogue
    }
}

extension Catalogue {
    /// The catalogue as one that was verified with the signatures of its store.
    fileprivate var signed: Catalogue {
        var catalogue = self
        catalogue.isSigned = true
        return catalogue
    }
}
