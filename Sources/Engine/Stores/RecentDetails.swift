import StoreModel

/// The details documents of the products that were described last, for the requests for their images that follow.
///
/// In a store whose catalogue has no previews, each of a product's previews would otherwise need its details document
/// again. Requests that arrive together, such as those of a page with all previews, share one fetch.
actor RecentDetails {
    /// The product, in the revision of the catalogue in which it was described.
    struct Key: Hashable, Sendable {
        let store: String
        let productIdentifier: String
        let catalogue: SHA256Digest

        init(_ offer: ProductOffer) {
            (store, productIdentifier) = (offer.store, offer.item.productIdentifier)
            catalogue = offer.catalogue.revision
        }
    }

    /// The maximum number of documents, which front-ends request one after another.
    private static let capacity = 8
    /// The maximum number of products whose store has no details document for them; they need little memory.
    private static let absentCapacity = 1_000
    /// The documents, the most recent last.
    private var documents: [(key: Key, details: ProductDetails)] = []
    /// The products for which the store had no details document.
    private var absent: Set<Key> = []
    /// The fetches in progress.
    let fetches = SharedFetches<Key, ProductDetails?>()

    /// Fetches the details of a product, or waits for the fetch that is in progress, and keeps the result.
    ///
    /// - Parameters:
    ///   - usingKept: whether to return the result of an earlier fetch if it was kept.
    ///   - fetch: fetches the details; the result is `nil` if the store has none.
    /// - Throws: the errors of `fetch`, which are not kept; `CancellationError`.
    func details(
        for key: Key, usingKept: Bool, _ fetch: @escaping @Sendable () async throws -> ProductDetails?
    ) async throws -> ProductDetails? {
        if usingKept, let kept = kept(key) { return kept }
        return try await fetches.value(for: key) { [self] in
            // Another fetch may have ended just before this one began.
            if usingKept, let kept = await kept(key) { return kept }
            let details = try await fetch()
            await keep(details, for: key)
            return details
        }
    }

    /// Returns the kept details of a product, or `.some(nil)` if its store had none; `nil` if nothing is kept.
    private func kept(_ key: Key) -> ProductDetails?? {
        if let found = documents.last(where: { $0.key == key }) { return .some(found.details) }
        return absent.contains(key) ? .some(nil) : nil
    }

    private func keep(_ details: ProductDetails?, for key: Key) {
        documents.removeAll { $0.key == key }
        absent.remove(key)
        if let details {
            documents.append((key, details))
            documents.removeFirst(max(0, documents.count - Self.capacity))
        } else {
            if absent.count >= Self.absentCapacity { absent = [] }
            absent.insert(key)
        }
    }
}
