import FoundationEssentials
public import StoreModel
import StoreSystem

extension Library {
    /// Uninstalls a pack: moves it to the trash in one atomic step, and its previous version in a second one.
    ///
    /// If the previous version can't be moved, this is tried again later, and the call succeeds. ``emptyTrash()`` frees
    /// the space of both.
    ///
    /// - Returns: the pack as it was installed.
    /// - Throws: `pack.not-installed`; `conflict.by-hand` if the pack is unmanaged (placed by hand); what
    ///   ``ContentKind/willRemove(_:)`` throws; another `StoreError`, after which the pack is still installed.
    public func remove(_ productIdentifier: String) async throws -> LibraryPack {
        let pack = try await installed(productIdentifier)
        try await kinds[pack.kind]?.willRemove(productIdentifier)
        let folders = folders
        try await disk.run {
            try folders.requireInPlace()
            guard try folders.packs.status(of: pack.folder)?.kind == .folder else {
                throw StoreError.swapped(folders.packs.path(of: pack.folder))
            }
            let discarded = try Trash(folder: folders.trash).discard(pack.folder, in: folders.packs)
            do {
                try folders.packs.sync()
            } catch {
                // The caller learns that it failed, so the pack has to be there for certain.
                try? folders.trash.rename(discarded, to: folders.packs, as: pack.folder)
                throw error
            }
        }
        packs[pack.folder] = nil
        if await !removePrevious(pack.folder) { leftovers.append(.previous(folder: pack.folder)) }
        return pack
    }

    /// Restores the previous version of an installed pack, and holds it: later updates skip it.
    ///
    /// The two versions are exchanged. The replaced one stays open for its readers, but a second rollback does not bring
    /// it back: an update does.
    ///
    /// - Parameter operation: the operation that the restored version's receipt names from then on.
    /// - Returns: the restored version.
    /// - Throws: `pack.not-installed`; `pack.no-previous` if there is no previous version with a valid receipt, or if the
    ///   installed version was rolled back to; `conflict.by-hand` if the pack is unmanaged (placed by hand); another
    ///   `StoreError`, after which the newer version is still installed, at the latest when the library is read the next
    ///   time.
    public func rollBack(_ productIdentifier: String, operation: OperationID) async throws -> LibraryPack {
        let pack = try await installed(productIdentifier)
        if !leftovers.isEmpty { await removeLeftovers() }
        let placed: LibraryEntry
        do {
            placed = try await exchangeVersions(of: pack, operation: operation)
        } catch {
            // A disk that refuses every change also refuses to move back the version that was set aside.
            await discard(operation)
            throw error
        }
        packs[pack.folder] = placed
        return placed.pack
    }

    private func exchangeVersions(of pack: LibraryPack, operation: OperationID) async throws -> LibraryEntry {
        let folders = folders
        let productIdentifier = pack.productIdentifier
        return try await disk.run {
            try folders.requireInPlace()
            guard let (found, previous) = try Receipt.find(pack.folder, in: folders.previous) else {
                throw StoreError(.noPreviousVersion, ["product": productIdentifier])
            }
            let current = try Receipt.find(pack.folder, in: folders.packs)?.receipt
            if let rolledBackFrom = current?.rolledBackFrom, rolledBackFrom == found.operation {
                throw StoreError(.rolledBackAlready, ["product": productIdentifier])
            }
            var receipt = found
            // As the receipt says now: what the library knew may be older than a request for the pack by name.
            let asDependency = current?.choices.asDependency ?? pack.origin?.asDependency ?? false
            receipt.choices = Receipt.Choices(held: true, asDependency: asDependency)
            receipt.operation = operation
            receipt.rolledBackFrom = pack.origin?.operation
            try receipt.replace(in: previous, through: folders.staging)
            let versions = PreviousVersions(folders: folders)
            guard try folders.previous.holds(previous, as: pack.folder) else {
                throw StoreError.swapped(folders.previous.path(of: pack.folder))
            }
            try versions.exchange(pack.folder, operation: operation)
            do {
                // Something else may have been put in its place after the check.
                guard try folders.packs.holds(previous, as: pack.folder) else {
                    throw StoreError.swapped(folders.previous.path(of: pack.folder))
                }
                try folders.packs.sync()
            } catch {
                // The caller learns that it failed, so the old version has to be there for certain.
                try? versions.exchange(pack.folder, operation: operation)
                throw error
            }
            return LibraryEntry(placed: pack.folder, receipt: receipt, in: previous)
        }
    }

    /// Sets or clears an installed pack's hold, which excludes the pack from updates that do not name it.
    ///
    /// - Returns: the pack with the new value.
    /// - Throws: `pack.not-installed`; `conflict.by-hand` if the pack is unmanaged (placed by hand);
    ///   `pack.damaged-receipt` and `pack.newer` if its receipt can't be changed.
    public func setHeld(_ productIdentifier: String, _ held: Bool) async throws -> LibraryPack {
        try await change(productIdentifier) { $0.held = held }
    }

    /// Records that the user asked for an installed pack by name, which was installed only for another product before.
    ///
    /// - Throws: `pack.not-installed`; `conflict.by-hand` if the pack is unmanaged (placed by hand);
    ///   `pack.damaged-receipt` and `pack.newer` if its receipt can't be changed.
    public func setRequested(_ productIdentifier: String) async throws {
        _ = try await change(productIdentifier) { $0.asDependency = false }
    }

    /// Changes what the user chose for an installed pack, in the pack's receipt; an unchanged receipt is not written.
    private func change(
        _ productIdentifier: String, _ body: @escaping @Sendable (inout Receipt.Choices) -> Void
    ) async throws -> LibraryPack {
        let pack = try await installed(productIdentifier)
        if let known = pack.origin?.choices {
            var changed = known
            body(&changed)
            if changed == known { return pack }
        }
        let folders = folders
        let changed = try await disk.run {
            try folders.requireInPlace()
            let directory = try folders.open(pack)
            var receipt = try Receipt.ofInstalled(pack.productIdentifier, in: directory)
            body(&receipt.choices)
            try receipt.replace(in: directory, through: folders.staging)
            return LibraryEntry(placed: pack.folder, receipt: receipt, in: directory)
        }
        // It may have been removed or replaced meanwhile: a pack that is known and not there would be in the way of the next.
        if packs[pack.folder]?.pack.origin?.operation == pack.origin?.operation { packs[pack.folder] = changed }
        return changed.pack
    }
}
