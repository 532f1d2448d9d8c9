import StoreDownloads
public import StoreModel

extension Installer {
    /// Installs several products and their dependencies; returns when the downloads are recorded and have begun.
    ///
    /// If a product can't be installed, the others are installed nevertheless. All downloads are recorded in one
    /// transaction before the first of them begins.
    ///
    /// - Parameters:
    ///   - identifiers: the identifiers of the products.
    ///   - store: the store of all products; the other parameters are those of
    ///     ``install(_:store:consent:agreed:priority:rateLimit:)-(String,_,_,_,_,_)``.
    /// - Returns: for each of `identifiers`, in that order, the result of its installation, or the error.
    /// - Throws: `CancellationError`, before anything has begun.
    public func install(
        _ identifiers: [String], store: String?, consent: Consent = [], agreed: Set<String>? = nil,
        priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> [Result<Installation, any Error>] {
        var offers: OfferLookup?
        var prepared: [Result<Preparation, any Error>] = []
        var locked: [Set<String>] = []
        defer { for products in locked { locks.unlock(products) } }
        for identifier in identifiers {
            do {
                var preparation = try await prepare(identifier, store: store, consent: consent, offers: &offers)
                while case .begin(let downloads) = preparation {
                    locked.append(try lockProducts(of: downloads.requests, agreed: agreed))
                    if try await haveDependencies(downloads.requests) { break }
                    locks.unlock(locked.removeLast())
                    preparation = try await prepare(identifier, store: store, consent: consent, offers: &offers)
                }
                prepared.append(.success(preparation))
            } catch let error as CancellationError {
                throw error
            } catch {
                prepared.append(.failure(error))
            }
        }
        let downloads = prepared.map { preparation -> Downloads? in
            guard case .success(.begin(let downloads)) = preparation else { return nil }
            return downloads.with(priority: priority, rateLimit: rateLimit)
        }
        var begun = await self.downloads.start(downloads.compactMap { $0?.requests })[...]
        var results: [Result<Installation, any Error>] = []
        for (identifier, (preparation, downloads)) in zip(identifiers, zip(prepared, downloads)) {
            do {
                let installation =
                    if let downloads {
                        try begun.removeFirst().get().map(downloads.describing)
                    } else {
                        try await carryOut(
                            preparation.get(), consent: consent, agreed: agreed, priority: priority,
                            rateLimit: rateLimit)
                    }
                if let installation {
                    results.append(.success(installation))
                } else {
                    // A download of the product ended in the meantime, so that the status is out of date.
                    results.append(
                        .success(
                            try await install(
                                identifier, store: store, consent: consent, agreed: agreed, priority: priority,
                                rateLimit: rateLimit)))
                }
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}
