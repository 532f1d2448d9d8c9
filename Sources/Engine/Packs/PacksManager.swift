import FoundationEssentials
import Logging
import StoreDownloads
import StoreEvents
import StoreLibrary
public import StoreModel
import StoreSkins
import StoreStickers
public import StoreSystem

/// The part of the engine that manages installed packs: lists, uninstallation, rollback, holds and repair.
public actor PacksManager {
    let library: Library
    let lister: PackLister
    let installer: Installer
    let history: OperationHistory
    let publisher: StatePublisher
    let log: Logger
    private let skins: SkinsManager
    private let stickers: StickersManager
    private let trash: TrashCollector
    private let settings: SettingsManager
    /// The damage of installed packs that was last published as an event, by product identifier.
    var publishedDamage: [String: [PackDamage]] = [:]

    init(
        installer: Installer, skins: SkinsManager, stickers: StickersManager, trash: TrashCollector,
        publisher: StatePublisher, log: Logger
    ) {
        self.installer = installer
        library = installer.library
        lister = installer.packs
        history = installer.history
        settings = installer.settings
        self.skins = skins
        self.stickers = stickers
        self.trash = trash
        self.publisher = publisher
        self.log = log
    }

    private nonisolated var downloads: DownloadsManager { installer.downloads }
    nonisolated var kinds: ContentKinds { installer.kinds }

    // MARK: Lists

    /// Returns a snapshot of the installed packs, from which lists of several kinds or languages can be made.
    ///
    /// - Throws: a file error.
    public nonisolated func listing() async throws -> PackListing { try await lister.listing() }

    /// Returns the installed packs, in the order of their names.
    ///
    /// - Parameters:
    ///   - kind: the kind of the packs; `nil` is all.
    ///   - updatableOnly: whether to return only packs of which their store has a newer version.
    ///   - unneededOnly: whether to return only packs that were installed for other products, and that nothing needs any
    ///     more.
    ///   - languages: the languages of the names, the best first.
    public nonisolated func list(
        kind: ProductKind? = nil, updatableOnly: Bool = false, unneededOnly: Bool = false, languages: [String] = []
    ) async throws -> [InstalledPack] {
        try await lister.listing().packs(
            kind: kind, updatableOnly: updatableOnly, unneededOnly: unneededOnly, languages: languages)
    }

    /// Returns the description of the installed pack of one product.
    ///
    /// - Parameter languages: the languages of the pack's name, the best first.
    /// - Throws: `pack.not-installed`.
    public nonisolated func pack(_ identifier: String, languages: [String] = []) async throws -> InstalledPack {
        try await lister.pack(identifier, languages: languages)
    }

    /// Opens the directory of one version of an installed pack; it stays that version when the pack is updated.
    ///
    /// - Parameter operation: the operation that installed the version; `nil` is the installed version.
    /// - Throws: `pack.not-installed`; `pack.replaced` if the version is neither installed nor the previous version.
    public nonisolated func directory(
        of identifier: String, operation: OperationID? = nil
    ) async throws -> Directory {
        guard let operation else { return try await library.directory(of: identifier) }
        return try await library.directory(of: identifier, by: operation)
    }

    /// Returns the products whose installed packs have a previous version that ``rollBack(_:)`` restores.
    ///
    /// - Throws: a file error.
    public nonisolated func restorable() async throws -> Set<String> { try await library.restorable() }

    // MARK: Uninstallation

    /// Uninstalls a product: removes its installed pack and the previous version of it.
    ///
    /// If the pack's directory is missing, only the previous version is removed, and the uninstallation is recorded.
    ///
    /// - Parameters:
    ///   - successor: the identifier of the skin to apply instead, if the pack is the skin in use.
    ///   - agreed: the identifiers of the steps of the plan that the user agreed to: nothing else is removed, such as
    ///     another version of the pack. `nil` removes the pack whatever its version is.
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.needed`, `conflict.in-use`, `conflict.busy`,
    ///   `conflict.plan-changed`; `skin.…` if the successor can't be applied.
    public func uninstall(
        _ identifier: String, using successor: String? = nil, agreed: Set<String>? = nil
    ) async throws -> OperationRecord {
        let pack: LibraryPack
        do {
            pack = try await requireRemovable(identifier)
        } catch let error as StoreError where error.code == .packMissing {
            guard let missing = await lister.missingPack(identifier) else { throw error }
            return try await forget(missing)
        }
        try Self.require(agreed, toRemove: pack)
        if try await requireReplaceable(pack, by: successor), let successor {
            // Checked before the skin is changed, so that nothing changes where the pack can't be removed.
            try await kinds[pack.kind]?.willRemove(identifier)
            try await skins.use(successor, locking: installer.locks)
        }
        let record = try await perform(.uninstall, on: pack) { [library] _ in
            // Checked again now that no download that needs the pack can begin. In this order: a download that ends between the
            // two checks has installed its pack before the second.
            try await self.requireNoRunningDependent(on: identifier)
            try await self.requireNoDependent(on: identifier)
            // Another request may have put the pack in use; from here on, none can.
            _ = try await self.requireReplaceable(pack, by: nil)
            // The pack may have been updated in the meantime.
            if let pack = try await library.pack(of: identifier) { try Self.require(agreed, toRemove: pack) }
            return try await library.remove(identifier)
        }
        publishedDamage[identifier] = nil
        await kinds[pack.kind]?.didRemove(identifier)
        if pack.kind == .sticker {
            do {
                try await stickers.didRemove(identifier)
            } catch {
                // They are not shown any more, and are forgotten when they are the oldest.
                log.warning("could not forget the recent stickers of '\(identifier)': \(ErrorReport(error).message)")
            }
        }
        await publisher.publish(.pack(identifier))
        // Last: to delete many files takes the time of what would follow.
        trash.empty()
        return record
    }

    /// Checks that a pack can be removed, as far as other packs and operations are concerned.
    ///
    /// - Parameter others: the packs that are removed before it, so that they need not be considered.
    /// - Returns: the pack.
    /// - Throws: `pack.not-installed`, `conflict.needed`, `conflict.busy`.
    func requireRemovable(_ identifier: String, after others: Set<String> = []) async throws -> LibraryPack {
        if await downloads.running(identifier) != nil {
            throw StoreError(.installationInProgress, ["product": identifier])
        }
        let pack = try await lister.libraryPack(identifier)
        try await requireNoDependent(on: identifier, after: others)
        try await requireNoRunningDependent(on: identifier)
        try installer.locks.requireFree(identifier)
        return pack
    }

    /// Checks that no installed pack needs a product.
    ///
    /// - Parameter others: the packs that are removed before it, so that they need not be considered.
    /// - Throws: `conflict.needed`.
    private func requireNoDependent(on identifier: String, after others: Set<String> = []) async throws {
        let dependents = try await dependents(on: identifier).filter { !others.contains($0.productIdentifier) }
        guard dependents.isEmpty else {
            throw StoreError(
                .packHasDependents,
                ["product": identifier, "dependents": .list(dependents.map { "'\($0.productIdentifier)'" })])
        }
    }

    /// Checks that a pack to be removed is not in use, or is a skin that another one can replace.
    ///
    /// - Returns: whether the pack is the skin in use.
    /// - Throws: `conflict.in-use`; `skin.…` if the successor can't be applied.
    func requireReplaceable(_ pack: LibraryPack, by successor: String?) async throws -> Bool {
        let identifier = pack.productIdentifier
        guard await kinds[pack.kind]?.isInUse(identifier) == true else { return false }
        guard pack.kind == .skin, let successor else {
            let template: ErrorTemplate =
                switch pack.kind {
                case .skin: .skinIsInUse
                case .emoji: .emojiSetIsInUse
                default: .packIsInUse
                }
            throw StoreError(template, ["product": identifier])
        }
        guard try await !skins.resolved(successor).chain.contains(where: { $0.identifier == identifier }) else {
            throw StoreError(.successorInherits, ["product": identifier, "successor": successor])
        }
        return true
    }

    /// Returns the dependencies of a removed pack that nothing needs or uses any more, and that were not installed by name.
    ///
    /// - Parameter dependencies: the dependencies of the pack, as ``dependencies(of:)`` returned them before. What they
    ///   need in turn is returned, too.
    public nonisolated func unneeded(of dependencies: [String]) async throws -> [String] {
        if dependencies.isEmpty { return [] }
        return try await lister.listing().unneeded.among(dependencies)
    }

    /// Returns the identifiers of a product's dependencies in its pack's receipt; none if it is not installed.
    public nonisolated func dependencies(of identifier: String) async throws -> [String] {
        try await library.pack(of: identifier)?.origin?.dependencies ?? []
    }

    private nonisolated func requireNoRunningDependent(on identifier: String) async throws {
        let running = await downloads.running(needing: identifier)
        guard !running.isEmpty else { return }
        throw StoreError(
            .packHasRunningDependents, ["product": identifier, "dependents": .list(running.map { "'\($0)'" })])
    }

    /// Returns the installed packs that depend on a pack, except those that the pack itself depends on.
    ///
    /// Without the exception, two packs that depend on each other could never be removed.
    func dependents(on identifier: String) async throws -> [LibraryPack] {
        let packs = try await library.all()
        let dependents = packs.filter { $0.origin?.dependencies.contains(identifier) == true }
        // Most packs have none; then it does not matter what they need.
        if dependents.isEmpty { return [] }
        let needed = UnneededPacks.closure(of: [identifier], in: Dictionary(grouping: packs, by: \.productIdentifier))
        return dependents.filter { !needed.contains($0.productIdentifier) }
    }

    // MARK: Rollback and hold

    /// Restores the previous version of an installed pack and holds it: later updates skip it.
    ///
    /// - Throws: `pack.not-installed`, `pack.no-previous`, `conflict.by-hand`, `conflict.busy`.
    public func rollBack(_ identifier: String) async throws -> OperationRecord {
        if await downloads.running(identifier) != nil {
            let isInstalled = try await library.pack(of: identifier) != nil
            throw StoreError(isInstalled ? .updateInProgress : .installationInProgress, ["product": identifier])
        }
        let pack = try await lister.libraryPack(identifier)
        publishedDamage[identifier] = nil
        let record = try await perform(.rollback, on: pack) { [library] operation in
            try await library.rollBack(identifier, operation: operation)
        }
        await kinds[pack.kind]?.didInstall(identifier)
        await publisher.publish(.pack(identifier, after: .updated))
        return record
    }

    /// Sets whether an installed pack is held, that is, skipped by updates that do not name it.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.busy`.
    public nonisolated func setHeld(_ identifier: String, _ held: Bool) async throws -> InstalledPack {
        try installer.locks.requireFree(identifier)
        _ = try await library.setHeld(identifier, held)
        await publisher.publish(.pack(identifier))
        return try await pack(identifier)
    }

    /// Carries out and records an operation on an installed pack, while no other can begin on the product.
    private nonisolated func perform(
        _ action: OperationAction, on pack: LibraryPack,
        _ work: @Sendable (OperationID) async throws -> LibraryPack
    ) async throws -> OperationRecord {
        try await perform(action, on: pack.productIdentifier, store: pack.origin?.store, version: pack.version) {
            try await work($0).version
        }
    }

    /// Carries out and records an operation on a product, while no other can begin on it.
    ///
    /// - Parameter check: throws an error where the operation is not to begin, and so not to be recorded.
    private nonisolated func perform(
        _ action: OperationAction, on identifier: String, store: String?, version: Version?,
        requiring check: @Sendable () async throws -> Void = {},
        _ work: @Sendable (OperationID) async throws -> Version?
    ) async throws -> OperationRecord {
        try await installer.locks.exclusively(identifier) {
            // Checked again: a download may have begun before the lock was acquired, and none can begin from here on.
            if await downloads.running(identifier) != nil { throw ProductLocks.installing(identifier) }
            try await check()
            let now = installer.clock.date()
            let record = OperationRecord(
                operation: OperationID(at: now), action: action, productIdentifier: identifier,
                store: store, version: version, startedAt: now)
            return try await history.record(record, work)
        }
    }

    /// Records the uninstallation of a pack whose directory is missing, and removes its previous version.
    private func forget(_ missing: MissingPack) async throws -> OperationRecord {
        let identifier = missing.productIdentifier
        defer { lister.missing.historyDidChange() }
        let record = try await perform(
            .uninstall, on: identifier, store: missing.store, version: missing.version,
            requiring: { try await self.requireMissing(missing) },
            { [library] _ in
                await library.removePrevious(of: identifier)
                return missing.version
            })
        trash.empty()
        return record
    }

    /// Checks that a pack, which was found to be missing before, has not been removed or installed since.
    ///
    /// - Throws: `pack.not-installed`, `conflict.busy`; `conflict.by-hand` if the pack's directory exists and can't be
    ///   read at the moment.
    private nonisolated func requireMissing(_ missing: MissingPack) async throws {
        let identifier = missing.productIdentifier
        // What was found before may be older than an uninstallation that has just ended.
        lister.missing.historyDidChange()
        guard await lister.missingPack(identifier) == missing else {
            _ = try await lister.libraryPack(identifier)
            throw ProductLocks.busy(identifier)
        }
        try await library.requireNoDirectory(of: identifier)
    }

    // MARK: Installation

    /// Carries out what has to follow the installation of a pack before the pack's download ends.
    ///
    /// Published damage of the pack is forgotten, the trash is emptied, and the pack's kind is notified. Previous
    /// versions are removed if the settings keep none.
    func didInstall(_ pack: LibraryPack, by action: OperationAction) async {
        publishedDamage[pack.productIdentifier] = nil
        if settings.current.libraryKeepPrevious == .zero { await library.expirePrevious(olderThan: 0) }
        // A replaced version takes space.
        if action == .install { trash.emptyAfterInstalls() } else { trash.empty() }
        await kinds[pack.kind]?.didInstall(pack.productIdentifier)
    }
}
