import FoundationEssentials
import Logging
import StoreDownloads
import StoreEvents
import StoreLibrary
public import StoreModel
import StoreTransfers

/// The outcome of the request to update one product: an operation, an error, or neither.
public struct UpdateOutcome: Sendable {
    public let productIdentifier: String
    /// The identifier of the update operation that was begun.
    ///
    /// `nil` if the product is up to date or an error occurred.
    public let operation: OperationID?
    /// The reason why no update of the product was begun; `nil` if there was no error.
    public let error: ErrorReport?

    init(_ productIdentifier: String, operation: OperationID? = nil, error: ErrorReport? = nil) {
        self.productIdentifier = productIdentifier
        self.operation = operation
        self.error = error
    }
}

/// The part of the engine that finds newer versions of installed packs, publishes them, and begins updates.
public actor Updater {
    private let installer: Installer
    private let credentials: StoreCredentials
    private let addresses: StoreAddresses
    private let transfers: any Transferring
    /// Fetches the details document of an offered product; `nil` if it has none.
    private let details: @Sendable (ProductOffer) async throws -> ProductDetails?
    private let announced: AnnouncedUpdates
    private let events: EventBus
    private let log: Logger
    /// The limit of requests for entity tags, by which updates from stores without versions are found.
    ///
    /// The limit of connections to each host applies, too.
    let entityTagRequests = ConcurrencyLimit(8)

    init(
        installer: Installer, credentials: StoreCredentials, addresses: StoreAddresses, transfers: any Transferring,
        details: @escaping @Sendable (ProductOffer) async throws -> ProductDetails?, announced: AnnouncedUpdates,
        events: EventBus, log: Logger
    ) {
        self.installer = installer
        self.credentials = credentials
        self.addresses = addresses
        self.transfers = transfers
        self.details = details
        self.announced = announced
        self.events = events
        self.log = log
    }

    private nonisolated var finder: UpdateFinder {
        UpdateFinder(
            installer: installer, credentials: credentials, addresses: addresses, transfers: transfers,
            entityTagRequests: entityTagRequests)
    }

    // MARK: Available updates

    /// Finds the newer versions of installed packs, and publishes an event with those not published before.
    ///
    /// A store that is slow is one of those that did not respond; the fetch of its catalogue goes on.
    ///
    /// - Returns: all newer versions, held ones included with the reason; warnings about stores that did not respond;
    ///   and the error of the first of those stores.
    public func available() async throws -> (updates: [AvailableUpdate], warnings: [String], error: ErrorReport?) {
        let found = try await available(waiting: .short)
        return (found.updates, found.warnings, found.error)
    }

    private func available(
        waiting: StoreRegistry.Waiting
    ) async throws -> (
        updates: [AvailableUpdate], new: [AvailableUpdate], warnings: [String], error: ErrorReport?
    ) {
        let found = try await finder.find(waiting: waiting)
        let updates = found.candidates.compactMap { candidate -> AvailableUpdate? in
            candidate.offer != nil || candidate.heldBack != nil ? candidate.update : nil
        }
        let new = await publish(found, updates)
        let warnings = found.known.flatMap { $0.warnings(usesCache: false) }
        return (
            updates, new, warnings, (found.known.map(\.error) + found.candidates.map(\.error)).compactMap(\.self).first
        )
    }

    /// Publishes an event with the newer versions of installed packs that were not published before.
    ///
    /// - Returns: these newer versions.
    private func publish(_ found: UpdateFinder.Findings, _ updates: [AvailableUpdate]) async -> [AvailableUpdate] {
        let versions = found.candidates.compactMap { candidate in
            candidate.offeredVersion.map { (productIdentifier: candidate.pack.productIdentifier, version: $0) }
        }
        return await announced.announce(versions, installed: found.packs) { [events] new in
            let new = updates.filter { new.contains($0.productIdentifier) }
            events.publish(.updates(new))
            return new
        } unsaved: { [log] error in
            log.warning("could not record which updates were announced: \(ErrorReport(error).message)")
        }
    }

    // MARK: Periodic check

    /// Returns the time until the next periodic check for newer versions of installed packs.
    ///
    /// - Parameter interval: the time between two checks.
    public func timeToNextCheck(every interval: Duration) async -> Duration {
        guard let checked = await announced.checkedAt else { return .zero }
        let past = Duration.seconds(installer.clock.date().timeIntervalSince(checked))
        // A check in the future was made before the clock was set back.
        return past < .zero ? interval : max(.zero, interval - past)
    }

    /// Checks for newer versions of installed packs, and publishes an event with those not published before.
    ///
    /// It runs in the background, and so it waits for slow stores as long as fetching a catalogue may take. Failures are
    /// logged.
    ///
    /// - Returns: the newer versions that were not published before.
    @discardableResult
    public func check() async -> [AvailableUpdate] {
        do {
            try await announced.recordCheck(at: installer.clock.date())
        } catch {
            log.warning("could not record the time of the update check: \(error)")
        }
        do {
            let found = try await available(waiting: .untilEnd)
            for warning in found.warnings { log.warning("\(warning)") }
            return found.new
        } catch is CancellationError {
        } catch {
            log.warning("could not check for updates: \(ErrorReport(error).message)")
        }
        return []
    }

    // MARK: Updating

    /// Begins to update installed packs to the versions that their stores offer.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs; `nil` is all that are not held and need no further
    ///     permissions.
    ///   - consent: the permissions that the user grants the new versions and their dependencies.
    ///   - agreed: the ``StoreModel/ChangePlan/agreement`` of the plan that the user agreed to: nothing else is begun.
    ///     `nil` begins whatever is needed.
    /// - Returns: the outcome for each of `identifiers`, in that order; for `nil`, the outcome for each pack that is
    ///   updated or could not be updated.
    /// - Throws: a file error; `CancellationError`, before anything has begun.
    public nonisolated func update(
        _ identifiers: [String]?, consent: Consent = [], agreed: Set<String>? = nil
    ) async throws -> [UpdateOutcome] {
        let selection = try await select(identifiers)
        var outcomes = selection.failures.mapValues { UpdateOutcome($0.productIdentifier, error: $0.error) }
        var groups: [(identifier: String, requests: [DownloadRequest])] = []
        var locked: [Set<String>] = []
        defer { for products in locked { installer.locks.unlock(products) } }
        for (pack, offer) in selection.due {
            let identifier = pack.productIdentifier
            do {
                var requests = try await requests(pack, offer, consent: consent)
                locked.append(try installer.lockProducts(of: requests, agreed: agreed))
                while try await !installer.haveDependencies(requests) {
                    installer.locks.unlock(locked.removeLast())
                    requests = try await self.requests(pack, offer, consent: consent)
                    locked.append(try installer.lockProducts(of: requests, agreed: agreed))
                }
                guard try await isDue(pack, named: identifiers != nil) else { continue }
                groups.append((identifier, requests))
            } catch let error as CancellationError {
                throw error
            } catch {
                outcomes[identifier] = UpdateOutcome(identifier, error: ErrorReport(error))
            }
        }
        for (group, result) in zip(groups, await installer.downloads.start(groups.map(\.requests))) {
            outcomes[group.identifier] =
                switch result {
                // Without an operation: another request has updated the pack meanwhile.
                case .success(let begun): UpdateOutcome(group.identifier, operation: begun?.operation)
                case .failure(let error): UpdateOutcome(group.identifier, error: ErrorReport(error))
                }
        }
        // A named pack that has no newer version is up to date, which is no error.
        guard let identifiers else { return selection.order.compactMap { outcomes[$0] } }
        return identifiers.map { outcomes[$0] ?? UpdateOutcome($0) }
    }

    /// Returns whether a pack is still the installed one, and is still to be updated.
    ///
    /// It may have been removed, replaced or held while its store's catalogue was fetched.
    ///
    /// - Parameter isNamed: whether the user named the pack, so that it is updated though it is held.
    /// - Throws: `pack.not-installed` if the user named the pack, and it is gone; a file error.
    private nonisolated func isDue(_ pack: LibraryPack, named isNamed: Bool) async throws -> Bool {
        let identifier = pack.productIdentifier
        guard let present = try await installer.library.packInPlace(of: identifier, kind: pack.kind) else {
            if isNamed { throw StoreError(.packNotInstalled, ["product": identifier]) }
            return false
        }
        return present.origin?.operation == pack.origin?.operation && (isNamed || present.origin?.held == false)
    }

    /// Returns what the update of installed packs would change, without changing anything.
    ///
    /// The plan is computed like the update itself, so that both fail for the same reasons, except for permissions that
    /// the user has not granted: these are listed.
    ///
    /// - Parameter identifiers: the product identifiers of the packs; `nil` is all that are not held and need no further
    ///   permissions; the others are then listed as kept back.
    /// - Throws: a file error; `CancellationError`.
    public nonisolated func plan(_ identifiers: [String]?) async throws -> ChangePlan {
        let selection = try await select(identifiers)
        var draft = PlanDraft()
        draft.add(warnings: selection.warnings)
        for identifier in selection.order {
            if let failure = selection.failures[identifier] { draft.add(failure.error, of: identifier) }
        }
        for (pack, offer) in selection.due {
            do {
                draft.add(try await requests(pack, offer, consent: nil))
            } catch let error as CancellationError {
                throw error
            } catch {
                draft.add(ErrorReport(error), of: pack.productIdentifier)
            }
        }
        // At the same time as the sizes, which take as long.
        async let texts = installer.lookUp("changes", selection.due.map(\.offer)) { [details] in
            // The texts are optional in a plan.
            try? await details($0)?.changes
        }
        var plan = try await installer.plan(draft, keptBack: selection.keptBack)
        let changes = Dictionary(zip(selection.due.map(\.pack.productIdentifier), try await texts)) { first, _ in first
        }
        for index in plan.steps.indices {
            plan.steps[index].changes = changes[plan.steps[index].productIdentifier] ?? nil
        }
        return plan
    }

    /// The packs that a request to update concerns, before anything is changed.
    private struct Selection {
        /// The products that can't be updated, or whose pack is not known to be current, in the order of the result.
        var order: [String] = []
        /// The packs to update, with the offers of their newer versions.
        var due: [(pack: LibraryPack, offer: ProductOffer)] = []
        /// The packs that can't be updated, by product identifier.
        var failures: [String: ChangePlan.Failure] = [:]
        /// The newer versions that are left out because the request does not name them.
        var keptBack: [AvailableUpdate] = []
        /// Warnings about stores that did not respond.
        var warnings: [String] = []
    }

    /// Finds the packs that a request to update concerns, and their newer versions.
    private nonisolated func select(_ identifiers: [String]?) async throws -> Selection {
        var selection = Selection()
        func fail(_ identifier: String, _ error: ErrorReport) {
            selection.failures[identifier] = ChangePlan.Failure(productIdentifier: identifier, error: error)
        }
        for identifier in identifiers ?? [] {
            do {
                try await finder.requireUpdatable(identifier)
            } catch {
                selection.order.append(identifier)
                fail(identifier, ErrorReport(error))
            }
        }
        let named = identifiers.map { Set($0).subtracting(selection.failures.keys) }
        let found = try await finder.find(named)
        // Otherwise the packs that were compared afterwards would be those that can't be updated.
        try Task.checkCancellation()
        selection.warnings = found.known.flatMap { $0.warnings(usesCache: false) }
        for candidate in found.candidates {
            let identifier = candidate.pack.productIdentifier
            selection.order.append(identifier)
            if let error = candidate.error {
                fail(identifier, error)
            } else if let offer = candidate.offer {
                if named != nil || candidate.heldBack == nil {
                    selection.due.append((candidate.pack, offer))
                } else {
                    selection.keptBack.append(candidate.update)
                }
            } else if named == nil, candidate.heldBack != nil {
                selection.keptBack.append(candidate.update)
            }
        }
        return selection
    }

    /// Returns the download requests for a newer version of a pack and its missing dependencies.
    ///
    /// - Parameter consent: the permissions that the user grants; `nil` for a plan, which needs no consent.
    private nonisolated func requests(
        _ pack: LibraryPack, _ offer: ProductOffer, consent: Consent?
    ) async throws -> [DownloadRequest] {
        let status = ProductStatus(productIdentifier: pack.productIdentifier, download: nil, pack: pack)
        return try await installer.requests(.update, offer, status: status, consent: consent)
    }
}
