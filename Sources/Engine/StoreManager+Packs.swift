import FoundationEssentials
import StoreCatalogue
import StoreDownloads
import StoreLibrary
public import StoreModel
public import StoreSystem

extension StoreManager {
    // MARK: What is installed

    /// What is installed, in the order of names.
    public func packs(
        kind: ProductKind? = nil, updatableOnly: Bool = false, languages: [String] = []
    ) async throws -> [InstalledPack] {
        try await packSurvey().packs(kind: kind, updatableOnly: updatableOnly, languages: languages)
    }

    /// - Throws: `pack.not-installed`.
    public func pack(_ identifier: String, languages: [String] = []) async throws -> InstalledPack {
        let pack = try await libraryPack(identifier)
        return installedPack(
            pack, facts: await productFacts(), catalogues: await cachedCatalogues(), languages: languages)
    }

    func libraryPack(_ identifier: String) async throws -> LibraryPack {
        guard let pack = try await library.pack(of: identifier) else {
            throw LibraryError(.packMissing, "'\(identifier)' is not installed.")
        }
        return pack
    }

    func cachedCatalogues() async -> [String: Catalogue] {
        var catalogues: [String: Catalogue] = [:]
        for store in stores { catalogues[store.definition.name] = await store.cached() }
        return catalogues
    }

    nonisolated func installedPack(
        _ pack: LibraryPack, facts: ProductStates, catalogues: [String: Catalogue], languages: [String]
    ) -> InstalledPack {
        InstalledPack(
            pack, at: library.path(of: pack), facts: facts, catalogues: catalogues, languages: languages)
    }

    /// The open folder of a pack, which stays one version for as long as it is held.
    ///
    /// - Parameter operation: which version, by the operation that brought it; the one that is installed now, unless given.
    /// - Throws: `pack.not-installed`; `pack.replaced` where that version is no longer here.
    public func packDirectory(_ identifier: String, of operation: OperationID? = nil) async throws -> Directory {
        guard let operation else { return try await library.directory(of: identifier) }
        return try await library.directory(of: identifier, by: operation)
    }

    // MARK: Changing

    /// Takes a pack away, and the version before with it.
    ///
    /// - Parameter successor: of a skin in use: the skin that is used from then on, and before it goes.
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.needed`, `conflict.in-use`, `conflict.busy`;
    ///   `skin.…` where the successor can't be used.
    public func uninstall(_ identifier: String, using successor: String? = nil) async throws -> OperationRecord {
        if let running = await downloads.running(identifier) {
            throw EngineError(
                .productBusy,
                "'\(identifier)' is being installed (operation \(running.operation)). "
                    + "Cancel that with 'storectl cancel' or wait for it.")
        }
        let pack = try await libraryPack(identifier)
        let dependents = try await dependents(on: identifier)
        guard dependents.isEmpty else {
            let names = dependents.map { "'\($0.productIdentifier)'" }.joined(separator: ", ")
            throw EngineError(.packNeeded, "'\(identifier)' is needed by \(names). Uninstall that first.")
        }
        try await requireNotComing(identifier)
        try requireIdle(identifier)
        try await requireNotInUse(pack, else: successor)
        let record = try await perform(.uninstall, on: pack) { [library] _ in
            // Asked again where nothing more can begin that needs it.
            try await self.requireNotComing(identifier)
            return try await library.remove(identifier)
        }
        toldDamages[identifier] = nil
        emptyTrash()
        await kinds[pack.kind]?.didRemove(identifier)
        events.publish(
            .pack(PackChange(productIdentifier: identifier, kind: pack.kind, change: .removed, version: pack.version)))
        return record
    }

    /// A skin in use goes only where another takes its place, which then does.
    private func requireNotInUse(_ pack: LibraryPack, else successor: String?) async throws {
        let identifier = pack.productIdentifier
        guard await kinds[pack.kind]?.isInUse(identifier) == true else { return }
        guard pack.kind == .skin, let successor else {
            throw EngineError(
                .packInUse,
                "'\(identifier)' is in use. Choose another first"
                    + (pack.kind == .skin ? ", or name it: 'storectl uninstall \(identifier) --use SKIN'." : "."))
        }
        guard try await !skins.resolved(successor).chain.contains(where: { $0.identifier == identifier }) else {
            throw EngineError(
                .packInUse, "'\(successor)' can't take the place of '\(identifier)', from which it inherits.")
        }
        // Nothing changes where it can't go after all.
        try await kinds[pack.kind]?.willRemove(identifier)
        try await skins.use(successor)
    }

    /// Of what a pack needed, all that came from a store and that nothing needs or uses any more. Asked after it is gone.
    ///
    /// - Parameter dependencies: what it needed.
    public func unneeded(of dependencies: [String]) async throws -> [String] {
        var unneeded: [String] = []
        for dependency in dependencies {
            guard let pack = try await library.pack(of: dependency), pack.origin != nil,
                try await dependents(on: dependency).isEmpty,
                await kinds[pack.kind]?.isInUse(dependency) != true
            else { continue }
            unneeded.append(dependency)
        }
        return unneeded
    }

    /// What a pack needs, as its receipt says; empty where it is not installed.
    public func dependencies(of identifier: String) async throws -> [String] {
        try await library.pack(of: identifier)?.origin?.dependencies ?? []
    }

    /// What is being installed may need a pack, too.
    private func requireNotComing(_ identifier: String) async throws {
        let coming = await downloads.running(needing: identifier)
        guard !coming.isEmpty else { return }
        let names = coming.map { "'\($0)'" }.joined(separator: ", ")
        throw EngineError(
            .packNeeded,
            "'\(identifier)' is needed by \(names), which is being installed. Cancel that or wait for it.")
    }

    /// The packs that need a pack, but for those that it needs itself: of two that need each other, neither could ever
    /// be removed.
    private func dependents(on identifier: String) async throws -> [LibraryPack] {
        let packs = try await library.all()
        var needed: Set<String> = []
        var rest = [identifier]
        while let next = rest.popLast() {
            for pack in packs where pack.productIdentifier == next {
                rest += (pack.origin?.dependencies ?? []).filter { needed.insert($0).inserted }
            }
        }
        return packs.filter {
            $0.origin?.dependencies.contains(identifier) == true && !needed.contains($0.productIdentifier)
        }
    }

    /// Goes back to the version before, which is then held.
    ///
    /// - Throws: `pack.not-installed`, `pack.no-previous`, `conflict.by-hand`, `conflict.busy`.
    public func rollBack(_ identifier: String) async throws -> OperationRecord {
        if await downloads.running(identifier) != nil {
            throw EngineError(.productBusy, "'\(identifier)' is being updated. Cancel that or wait for it.")
        }
        let pack = try await libraryPack(identifier)
        toldDamages[identifier] = nil
        let record = try await perform(.rollback, on: pack) { [library] operation in
            try await library.rollBack(identifier, operation: operation)
        }
        await kinds[pack.kind]?.didInstall(identifier)
        events.publish(
            .pack(PackChange(productIdentifier: identifier, kind: pack.kind, change: .updated, version: record.version))
        )
        return record
    }

    /// Keeps a pack from updates that do not name it, or no longer.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.busy`.
    public func setHeld(_ identifier: String, _ held: Bool) async throws -> InstalledPack {
        try requireIdle(identifier)
        _ = try await library.setHeld(identifier, held)
        return try await pack(identifier)
    }

    // MARK: Operations

    /// Notes an operation, does its work, and notes its end.
    private func perform(
        _ action: OperationAction, on pack: LibraryPack,
        _ work: @Sendable (OperationID) async throws -> LibraryPack
    ) async throws -> OperationRecord {
        let identifier = pack.productIdentifier
        try requireIdle(identifier)
        busy.insert(identifier)
        defer { busy.remove(identifier) }
        // Asked again, because a download may have begun since; from here on none can.
        let isRunning = await downloads.running(identifier) != nil
        guard beginning[identifier] == nil, !isRunning else {
            throw EngineError(.productBusy, "'\(identifier)' is being installed. Cancel that or wait for it.")
        }
        var record = OperationRecord(
            operation: OperationID(at: clock.date()), action: action, productIdentifier: pack.productIdentifier,
            store: pack.origin?.store, version: pack.version, startedAt: clock.date())
        let begun = record
        try await database.write { $0.begin(begun, plan: Data()) }
        do {
            record.version = try await work(record.operation).version
            record.end = .finished
        } catch {
            record.end = .failed
            record.error = ErrorReport(error)
            await note(record)
            throw error
        }
        record.endedAt = clock.date()
        await note(record)
        log.info("\(action) ended", metadata: ["product": "\(pack.productIdentifier)"])
        return record
    }

    /// Puts an operation's end on the disk. The library is what counts: it was changed or not, also where that can't be
    /// noted now.
    private func note(_ record: OperationRecord) async {
        guard let end = record.end else { return }
        do {
            try await database.end(record, as: end, at: record.endedAt ?? clock.date(), error: record.error)
        } catch {
            log.error("The end of \(record.operation) could not be noted yet: \(error)")
        }
    }

    /// An uninstall or rollback that a crash interrupted has happened or not, which the library shows.
    ///
    /// - Parameter running: what had no end yet when the daemon ended.
    /// - Returns: those that have happened.
    func settle(interrupted running: [OperationRecord]) async throws -> [OperationRecord] {
        var happened: [OperationRecord] = []
        for record in running where [.uninstall, .rollback].contains(record.action) {
            let pack = try await library.pack(of: record.productIdentifier)
            var settled = record
            switch record.action {
            case .uninstall: settled.end = pack?.origin == nil ? .finished : .failed
            case .rollback: settled.end = pack?.origin?.operation == record.operation ? .finished : .failed
            case .install, .update, .repair: continue
            }
            if settled.end == .failed {
                settled.error = ErrorReport(
                    EngineError(.operationInterrupted, "The daemon ended before it was done, and nothing was changed."))
            }
            settled.endedAt = clock.date()
            await note(settled)
            if settled.end == .finished { happened.append(settled) }
        }
        return happened
    }

    /// - Throws: `operation.unknown`.
    public func operation(_ operation: OperationID) async throws -> OperationRecord {
        guard let record = try await database.operation(operation) else {
            throw EngineError(.operationUnknown, "There was no operation '\(operation)'.")
        }
        return record
    }

    /// What was done, the newest first.
    ///
    /// - Parameters:
    ///   - productIdentifier: only what was done to this product.
    ///   - limit: how many at most.
    ///   - before: only what was begun before this one.
    public func history(
        productIdentifier: String? = nil, limit: Int = 1000, before: OperationID? = nil
    ) async throws -> [OperationRecord] {
        try await database.history(productIdentifier: productIdentifier, limit: limit, before: before)
    }
}
