import FoundationEssentials
import StoreCatalogue
import StoreDownloads
import StoreLibrary
public import StoreModel
import StoreTransfers

/// What became of one product that an update was asked for.
public struct UpdateOutcome: Sendable {
    public let productIdentifier: String
    /// `nil` where nothing had to be done, or nothing could.
    public let operation: OperationID?
    public let error: ErrorReport?
}

extension StoreManager {
    /// The newer versions that there are, those too that an update without a name leaves alone, with the reason; and
    /// what to know of stores that could not be asked.
    public func availableUpdates() async throws -> (
        updates: [AvailableUpdate], warnings: [String], error: ErrorReport?
    ) {
        let (candidates, known) = try await updateCandidates(nil)
        let updates = candidates.compactMap { candidate -> AvailableUpdate? in
            guard candidate.offer != nil || candidate.heldBack != nil else { return nil }
            return AvailableUpdate(
                productIdentifier: candidate.pack.productIdentifier, store: candidate.store,
                installed: candidate.pack.version, available: candidate.offer?.item.version,
                heldBack: candidate.heldBack, permissions: candidate.missing)
        }
        await tellNews(candidates, updates)
        let concerned = Set(candidates.map(\.store))
        let asked = known.filter { concerned.contains($0.store.definition.name) }
        return (updates, asked.compactMap(warning), asked.compactMap(\.error).first)
    }

    /// Tells observers of the new versions among all there are of which they were not told.
    private func tellNews(_ candidates: [Candidate], _ updates: [AvailableUpdate]) async {
        let versions = candidates.map { candidate in
            (
                productIdentifier: candidate.pack.productIdentifier,
                mark: candidate.offer.map { $0.mark(for: candidate.pack) }
            )
        }
        do {
            try await updateNews.tell(versions) { news in
                events.publish(.updates(updates.filter { news.contains($0.productIdentifier) }))
            }
        } catch {
            log.warning("It could not be noted which new versions observers were told of. \(error)")
        }
    }

    // MARK: By itself

    /// How long it is until new versions are to be looked for again.
    ///
    /// - Parameter interval: how often that is to be done.
    public func timeToNextUpdateCheck(every interval: Duration) async -> Duration {
        guard let checked = await updateNews.checkedAt else { return .zero }
        let past = Duration.seconds(clock.date().timeIntervalSince(checked))
        // One in the future was before the clock was put back.
        return past < .zero ? interval : max(.zero, interval - past)
    }

    /// Looks for new versions and tells observers of those that are news. What keeps it from that is logged, and is tried
    /// again the next time.
    public func checkForUpdates() async {
        do {
            try await updateNews.noteCheck(at: clock.date())
        } catch {
            log.warning("It could not be noted that new versions were looked for. \(error)")
        }
        do {
            let found = try await availableUpdates()
            for warning in found.warnings { log.warning("\(warning)") }
        } catch is CancellationError {
        } catch {
            log.warning("New versions could not be looked for. \(ErrorReport(error).message)")
        }
    }

    /// Begins to bring packs to the version that their stores have now.
    ///
    /// - Parameters:
    ///   - identifiers: which; `nil` is all that are not held and ask for no more than they may do now.
    ///   - consent: what somebody allowed that the new versions, and what they need, may do.
    /// - Returns: for those named, one each, in that order; else one for each that is brought up to date or can't be.
    public func update(
        _ identifiers: [String]?, consent: Set<Permission> = []
    ) async throws -> [UpdateOutcome] {
        var outcomes: [UpdateOutcome] = []
        var named = identifiers
        if let identifiers {
            for identifier in identifiers {
                do {
                    try await requireUpdatable(identifier)
                } catch {
                    outcomes.append(
                        UpdateOutcome(productIdentifier: identifier, operation: nil, error: ErrorReport(error)))
                }
            }
            named = identifiers.filter { id in !outcomes.contains { $0.productIdentifier == id } }
        }
        for candidate in try await updateCandidates(named).candidates {
            let identifier = candidate.pack.productIdentifier
            if let error = candidate.error {
                outcomes.append(UpdateOutcome(productIdentifier: identifier, operation: nil, error: error))
            } else if let offer = candidate.offer, named != nil || candidate.heldBack == nil {
                outcomes.append(await begin(identifier, offer, consent: consent))
            } else if named != nil {
                outcomes.append(UpdateOutcome(productIdentifier: identifier, operation: nil, error: nil))
            }
        }
        // What came from a file of this machine has no store that could have something newer.
        for identifier in named ?? [] where !outcomes.contains(where: { $0.productIdentifier == identifier }) {
            outcomes.append(UpdateOutcome(productIdentifier: identifier, operation: nil, error: nil))
        }
        guard let identifiers else { return outcomes }
        let places = Dictionary(identifiers.enumerated().map { ($1, $0) }) { first, _ in first }
        return outcomes.sorted { places[$0.productIdentifier, default: 0] < places[$1.productIdentifier, default: 0] }
    }

    /// Throws why a pack that was named can't be updated at all.
    private func requireUpdatable(_ identifier: String) async throws {
        try requireIdle(identifier)
        let pack = try await libraryPack(identifier)
        guard let origin = pack.origin else {
            throw LibraryError(
                .packByHand, "'\(library.path(of: pack))' was put there by hand: no store knows it.")
        }
        let isUsed = stores.contains { $0.definition.name == origin.store }
        guard isUsed || origin.store == StoreConfiguration.localFiles else {
            throw EngineError(
                .storeUnknown,
                "'\(identifier)' came from the store '\(origin.store)', which is not used any more. "
                    + "Add that again, or uninstall the pack and take it from another.")
        }
    }

    private func begin(_ identifier: String, _ offer: Offer, consent: Set<Permission>) async -> UpdateOutcome {
        do {
            var operation: OperationID?
            // What the new version needs and the old one did not comes first.
            for request in try await requests(.update, offer, consent: consent) {
                if let installation = try await start(request) { operation = installation.operation }
            }
            return UpdateOutcome(productIdentifier: identifier, operation: operation, error: nil)
        } catch {
            return UpdateOutcome(productIdentifier: identifier, operation: nil, error: ErrorReport(error))
        }
    }

    // MARK: Looking

    /// An installed pack, and what its store has of it now.
    private struct Candidate {
        let pack: LibraryPack
        let store: String
        /// A newer version.
        var offer: Offer?
        /// Why an update without a name leaves it alone.
        var heldBack: String?
        /// What the newer version may do beyond what somebody consented to.
        var missing: [Permission] = []
        /// Why it can't be known whether there is a newer version.
        var error: ErrorReport?
    }

    private func updateCandidates(
        _ identifiers: [String]?
    ) async throws -> (candidates: [Candidate], known: [Known]) {
        let wanted = identifiers.map(Set.init)
        let packs = try await library.all().filter { pack in
            pack.origin != nil && pack.origin?.store != StoreConfiguration.localFiles
                && wanted?.contains(pack.productIdentifier) ?? true
        }
        let origins = Set(packs.compactMap(\.origin?.store))
        let known = await refresh(
            stores.filter { origins.contains($0.definition.name) }, ifOlderThan: settings.updatesRefreshAfter)
        let byName = Dictionary(uniqueKeysWithValues: known.map { ($0.store.definition.name, $0) })
        var candidates: [Candidate] = []
        for pack in packs {
            guard let origin = pack.origin else { continue }
            candidates.append(await candidate(pack, origin: origin, known: byName[origin.store]))
        }
        return (candidates, known)
    }

    private func candidate(_ pack: LibraryPack, origin: LibraryPack.Origin, known: Known?) async -> Candidate {
        var candidate = Candidate(pack: pack, store: origin.store)
        guard let known else {
            candidate.heldBack = "its store '\(origin.store)' is not used any more"
            return candidate
        }
        if let error = known.error {
            candidate.error = error
            return candidate
        }
        guard let catalogue = known.catalogue, let item = catalogue[pack.productIdentifier], !item.withdrawn else {
            candidate.heldBack = "withdrawn from its store"
            return candidate
        }
        guard await isNewer(item, than: pack) else { return candidate }
        candidate.offer = Offer(store: known.store, catalogue: catalogue, item: item)
        do {
            try await library.requireConsent(
                toAsked: item.permissions, of: pack.productIdentifier, kind: item.kind, consent: [])
        } catch {
            candidate.missing = ErrorReport(error).permissions
            candidate.heldBack = "asks for more: " + candidate.missing.words
        }
        if origin.held { candidate.heldBack = "held" }
        // Nobody is there to let it go on where updates run by themselves.
        if await downloads.running(pack.productIdentifier)?.activity == .paused {
            candidate.heldBack = "its update is paused"
        }
        return candidate
    }

    /// Where a store has no versions, hashes or new addresses, only the server's entity tag shows that a file changed.
    private func isNewer(_ item: ProductItem, than pack: LibraryPack) async -> Bool {
        if UpdateRule.isNewer(item, than: pack) { return true }
        guard item.version == nil, item.defect == nil, let resource = item.resource,
            let etag = pack.origin?.archive.etag
        else { return false }
        let request = TransferRequest(resource.url, method: "HEAD", timeouts: TransferTimeouts(settings))
        guard let response = try? await transfers.fetch(request).response, response.status == 200,
            let present = response.etag
        else { return false }
        return present != etag
    }
}
