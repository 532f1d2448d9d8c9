import StoreCatalogue
import StoreDownloads
import StoreLibrary
import StoreModel
import StoreTransfers

/// An installed pack that may be updated, with the newer version that its store offers.
struct UpdateCandidate {
    let pack: LibraryPack
    let store: String
    /// The store's offer of the newer version of the pack; `nil` if there is none.
    var offer: ProductOffer?
    /// The reason, as text, why an update that does not name the pack skips it; `nil` if it is updated.
    var heldBack: String?
    /// The permissions of the pack's newer version that the user has not consented to.
    var missing: [Permission] = []
    /// The error because of which the catalogue of the pack's store could not be read; `nil` if there was none.
    var error: ErrorReport?

    /// The newer version in the form that clients receive, including versions that are held back.
    var update: AvailableUpdate {
        AvailableUpdate(
            productIdentifier: pack.productIdentifier, store: store, installed: pack.version,
            available: offer?.item.version, heldBack: heldBack, permissions: missing)
    }

    /// Text that differs between any two versions that the store offers; `nil` if there is no newer version.
    ///
    /// It is the version, or else, if the store has no versions, text that identifies the archive.
    var offeredVersion: String? {
        guard let item = offer?.item else { return nil }
        if let version = item.version { return version.text }
        let parts = [
            item.resource?.url.absoluteString, item.resource?.size.map(String.init), pack.origin?.archive.etag,
        ]
        return parts.map { $0 ?? "" }.joined(separator: " ")
    }
}

/// A finder of updates: it compares installed packs with the catalogues of the stores they came from.
struct UpdateFinder: Sendable {
    let installer: Installer
    let credentials: StoreCredentials
    let addresses: StoreAddresses
    let transfers: any Transferring
    /// The limit of requests for entity tags that run at once.
    let entityTagRequests: ConcurrencyLimit

    /// What a comparison of installed packs with their stores' catalogues found.
    struct Findings {
        /// The compared packs, except those whose store is known to offer exactly the installed version, in the library's order.
        var candidates: [UpdateCandidate]
        /// The catalogues of the compared packs' stores.
        var known: [StoreRegistry.KnownCatalogue]
        /// All packs of the library, of which those from stores were compared.
        var packs: [LibraryPack]
    }

    /// Finds updates by comparing installed packs with their stores' catalogues.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs; `nil` is all.
    ///   - waiting: how long to wait for each store; one that takes longer is reported as an error of its packs.
    func find(
        _ identifiers: Set<String>? = nil, waiting: StoreRegistry.Waiting = .short
    ) async throws -> Findings {
        let packs = try await installer.library.all()
        let compared = packs.indices.filter { index in
            packs[index].isFromStore && identifiers?.contains(packs[index].productIdentifier) ?? true
        }
        let known = await installer.stores.catalogues(
            of: Set(compared.compactMap { packs[$0].origin?.store }),
            maximumAge: installer.settings.current.updatesRefreshAfter, waiting: waiting)
        let byName = Dictionary(uniqueKeysWithValues: known.map { ($0.store, $0) })
        let catalogues = byName.compactMapValues { $0.error == nil && $0.trust?.refusal == nil ? $0.catalogue : nil }
        // Concurrently, because a store without versions needs one request for each of its packs.
        let candidates = await withTaskGroup(of: (Int, UpdateCandidate).self) { group in
            // Most packs are current, and a task for each would take longer than the comparison.
            for index in compared where !isCurrent(packs[index], in: catalogues) {
                let pack = packs[index]
                guard let origin = pack.origin else { continue }
                group.addTask { (index, await candidate(pack, origin: origin, known: byName[origin.store])) }
            }
            var found: [(Int, UpdateCandidate)] = []
            for await one in group { found.append(one) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return Findings(candidates: candidates, known: known, packs: packs)
    }

    /// Returns whether the store of a pack offers exactly the installed version.
    ///
    /// - Parameter catalogues: the catalogues whose refresh did not fail and whose store is not refused, by the store's name.
    private func isCurrent(_ pack: LibraryPack, in catalogues: [String: Catalogue]) -> Bool {
        guard let version = pack.version, let store = pack.origin?.store, let catalogue = catalogues[store] else {
            return false
        }
        return catalogue.price(of: pack.productIdentifier, at: version) != nil
    }

    private func candidate(
        _ pack: LibraryPack, origin: LibraryPack.Origin, known: StoreRegistry.KnownCatalogue?
    ) async -> UpdateCandidate {
        var candidate = UpdateCandidate(pack: pack, store: origin.store)
        guard let known else {
            candidate.heldBack = EnglishText.filled("its store '{store}' was removed", ["store": origin.store])
            return candidate
        }
        if let error = known.error ?? known.trust?.refusal {
            candidate.error = error
            return candidate
        }
        guard let catalogue = known.catalogue, let item = catalogue[pack.productIdentifier], !item.withdrawn else {
            candidate.heldBack = AvailableUpdate.withdrawn
            return candidate
        }
        let isEntitled: Bool
        do {
            guard try await isNewer(item, than: pack) else { return candidate }
            isEntitled = try await installer.purchases.isEntitled(to: item)
        } catch {
            candidate.error = ErrorReport(error)
            return candidate
        }
        candidate.offer = ProductOffer(store: known.store, catalogue: catalogue, item: item)
        candidate.missing = await installer.library.missingPermissions(
            asked: item.permissions, of: pack.productIdentifier, kind: item.kind
        ).sorted()
        if !candidate.missing.isEmpty {
            candidate.heldBack = EnglishText.filled(
                "requests further permissions: {words}", ["words": candidate.missing.words])
        }
        if origin.held { candidate.heldBack = AvailableUpdate.held }
        // An update that runs by itself has no user who could resume it.
        if await installer.downloads.running(pack.productIdentifier)?.activity == .paused {
            candidate.heldBack = AvailableUpdate.paused
        }
        // Last, because neither naming the pack nor a consent makes such an update possible.
        if !isEntitled {
            candidate.heldBack = EnglishText.filled(
                "costs {price} and was not purchased", ["price": "\(item.productPrice)"])
            candidate.missing = []
        }
        return candidate
    }

    /// Returns whether a store's product is newer than the installed pack.
    ///
    /// If the store has no versions, hashes or new URLs, only the server's entity tag shows that a file changed.
    ///
    /// - Throws: why the server could not be asked for that; `CancellationError`.
    private func isNewer(_ item: ProductItem, than pack: LibraryPack) async throws -> Bool {
        if UpdateRule.isNewer(item, than: pack) { return true }
        guard item.version == nil, item.defect == nil, let resource = item.resource,
            let origin = pack.origin, let etag = origin.archive.etag
        else { return false }
        var request = TransferRequest(
            resource.url, method: "HEAD", timeouts: TransferTimeouts(installer.settings.current))
        request.headers["Authorization"] = credentials.authorization(for: origin.store, at: resource.url)
        request.addresses = addresses.policy(for: origin.store)
        let response = try await entityTagRequests.run { [request] in try await transfers.fetch(request).response }
        // Some servers answer no such request, which says nothing of the file.
        if response.status != 405 && response.status != 501 { try response.requireSuccess() }
        return response.status == 200 && response.etag.map { $0 != etag } ?? false
    }

    /// Checks that an update that names an installed pack can be carried out.
    ///
    /// - Throws: `conflict.busy`, `pack.not-installed`, `conflict.by-hand`; `store.unknown` if its store was removed.
    func requireUpdatable(_ identifier: String) async throws {
        try installer.locks.requireFree(identifier)
        let pack = try await installer.packs.libraryPack(identifier)
        guard let origin = pack.origin else {
            throw StoreError(.packNotManaged, ["path": .path(installer.library.path(of: pack))])
        }
        if origin.store == Receipt.localFiles { return }
        guard await installer.stores.contains(origin.store) else {
            throw StoreError(.storeRemoved, ["product": identifier, "store": origin.store])
        }
    }
}

extension LibraryPack {
    /// Whether the pack came from a store: it was neither placed by hand nor installed from a local file.
    var isFromStore: Bool { origin.map { $0.store != Receipt.localFiles } ?? false }
}
