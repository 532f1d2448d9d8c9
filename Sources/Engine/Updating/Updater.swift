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
    private let addresses: StoreAddresses
    private let transfers: any Transferring
    private let announced: AnnouncedUpdates
    private let events: EventBus
    private let log: Logger

    init(
        installer: Installer, addresses: StoreAddresses, transfers: any Transferring, announced: AnnouncedUpdates,
        events: EventBus, log: Logger
    ) {
        self.installer = installer
        self.addresses = addresses
        self.transfers = transfers
        self.announced = announced
        self.events = events
        self.log = log
    }

    private nonisolated var finder: UpdateFinder {
        UpdateFinder(installer: installer, addresses: addresses, transfers: transfers)
    }

    // MARK: Available updates

    /// Finds the newer versions of installed packs, and publishes an event with those not published before.
    ///
    /// - Returns: all newer versions, held ones included with the reason; warnings about stores that did not respond;
    ///   and the error of the first of those stores.
    public func available() async throws -> (updates: [AvailableUpdate], warnings: [String], error: ErrorReport?) {
        let (candidates, known) = try await finder.candidates()
        let updates = candidates.compactMap { candidate -> AvailableUpdate? in
            guard candidate.offer != nil || candidate.heldBack != nil else { return nil }
            return AvailableUpdate(
                productIdentifier: candidate.pack.productIdentifier, store: candidate.store,
                installed: candidate.pack.version, available: candidate.offer?.item.version,
                heldBack: candidate.heldBack, permissions: candidate.missing)
        }
        await publish(candidates, updates)
        return (updates, known.compactMap(\.warning), known.compactMap(\.error).first)
    }

    /// Publishes an event with the newer versions of installed packs that were not published before.
    private func publish(_ candidates: [UpdateCandidate], _ updates: [AvailableUpdate]) async {
        let versions = candidates.map { candidate in
            (productIdentifier: candidate.pack.productIdentifier, version: candidate.offeredVersion)
        }
        do {
            try await announced.announce(versions) { [events] new in
                events.publish(.updates(updates.filter { new.contains($0.productIdentifier) }))
            }
        } catch {
            log.warning("could not record which updates were announced: \(error)")
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
    /// Failures are logged.
    public func check() async {
        do {
            try await announced.recordCheck(at: installer.clock.date())
        } catch {
            log.warning("could not record the time of the update check: \(error)")
        }
        do {
            for warning in try await available().warnings { log.warning("\(warning)") }
        } catch is CancellationError {
        } catch {
            log.warning("could not check for updates: \(ErrorReport(error).message)")
        }
    }

    // MARK: Updating

    /// Begins to update installed packs to the versions that their stores offer.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs; `nil` is all that are not held and need no further
    ///     permissions.
    ///   - consent: the permissions that the user grants the new versions and their dependencies.
    /// - Returns: the outcome for each of `identifiers`, in that order; for `nil`, the outcome for each pack that is
    ///   updated or could not be updated.
    public nonisolated func update(
        _ identifiers: [String]?, consent: Set<Permission> = []
    ) async throws -> [UpdateOutcome] {
        var outcomes: [String: UpdateOutcome] = [:]
        for identifier in identifiers ?? [] {
            do {
                try await finder.requireUpdatable(identifier)
            } catch {
                outcomes[identifier] = UpdateOutcome(identifier, error: ErrorReport(error))
            }
        }
        let named = identifiers.map { Set($0).subtracting(outcomes.keys) }
        var order: [String] = []
        for candidate in try await finder.candidates(named).candidates {
            let identifier = candidate.pack.productIdentifier
            order.append(identifier)
            if let error = candidate.error {
                outcomes[identifier] = UpdateOutcome(identifier, error: error)
            } else if let offer = candidate.offer, named != nil || candidate.heldBack == nil {
                outcomes[identifier] = await begin(candidate.pack, offer, consent: consent)
            }
        }
        // A named pack that has no newer version is up to date, which is no error.
        guard let identifiers else { return order.compactMap { outcomes[$0] } }
        return identifiers.map { outcomes[$0] ?? UpdateOutcome($0) }
    }

    private nonisolated func begin(
        _ pack: LibraryPack, _ offer: ProductOffer, consent: Set<Permission>
    ) async -> UpdateOutcome {
        do {
            let status = ProductStatus(productIdentifier: pack.productIdentifier, download: nil, pack: pack)
            let requests = try await installer.requests(.update, offer, status: status, consent: consent)
            return UpdateOutcome(pack.productIdentifier, operation: try await installer.begin(requests)?.operation)
        } catch {
            return UpdateOutcome(pack.productIdentifier, error: ErrorReport(error))
        }
    }
}
