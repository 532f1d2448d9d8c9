import FoundationEssentials
public import StoreModel
import StoreSystem

extension Library {
    /// Returns the place for a product's pack, in which an operation prepares it with ``PackPlacement/stage()``.
    ///
    /// - Parameters:
    ///   - consent: the permissions that the user grants, in addition to those of the installed version.
    ///   - keepingReplaced: whether the installed version becomes the previous version; `false` for a repair, which may
    ///     also replace a pack whose receipt is damaged.
    /// - Throws: `kind.unknown`; `content.bad-information` if the identifier is empty; `conflict.by-hand` if an
    ///   unmanaged pack (placed by hand) is in the way; `conflict.kind-changed` if the installed version has another
    ///   kind.
    public func placement(
        of productIdentifier: String, kind: ProductKind, by operation: OperationID, consent: Set<Permission> = [],
        keepingReplaced: Bool = true
    ) async throws -> PackPlacement {
        let target = try kinds.folder(for: productIdentifier, kind: kind)
        // Installed packs of other kinds are known; what was placed by hand elsewhere is not in the way.
        let present = packs.packs(of: productIdentifier, directories: kinds.folders(for: productIdentifier))
            .first { $0.origin != nil }
        try await checkPlace(
            target, productIdentifier: productIdentifier, present: present, isRepair: !keepingReplaced)
        return PackPlacement(
            folders: folders, operation: operation, productIdentifier: productIdentifier,
            kind: try kinds.require(kind, of: productIdentifier), targetFolder: target,
            installed: packs[target]?.pack, consent: consent, keepsReplaced: keepingReplaced)
    }

    /// Returns whether packs of a kind can be checked while their files are in memory; see ``MemoryCheckableKind``.
    public nonisolated func canCheckInMemory(_ kind: ProductKind) -> Bool { kinds[kind] is any MemoryCheckableKind }

    /// Checks, before a download, that a product may be installed and that the user granted its permissions.
    ///
    /// - Parameters:
    ///   - asked: the permissions that the product's store or information file states.
    ///   - consent: the permissions that the user grants, in addition to those of the installed version; `nil` does not
    ///     check the permissions.
    ///   - present: the pack in the product's directory now, as ``packInPlace(of:)`` returned it.
    ///   - isRepair: whether a pack with a damaged receipt may be replaced.
    /// - Throws: `kind.unknown`; `content.bad-information` if the identifier is empty; `conflict.kind-changed` if the
    ///   installed version has another kind; `conflict.by-hand` if an unmanaged pack (placed by hand) is in the way;
    ///   `consent.needed`.
    public func requireInstallable(
        _ productIdentifier: String, kind: ProductKind, permissions asked: [Permission], consent: Set<Permission>?,
        present: LibraryPack?, isRepair: Bool
    ) async throws {
        try await checkPlace(
            kinds.folder(for: productIdentifier, kind: kind), productIdentifier: productIdentifier, present: present,
            isRepair: isRepair)
        guard let consent else { return }
        let missing = missingPermissions(asked: asked, of: productIdentifier, kind: kind).subtracting(consent)
        guard missing.isEmpty else { throw StoreError.consentMissing(for: productIdentifier, kind: kind, missing) }
    }

    private func checkPlace(
        _ target: String, productIdentifier: String, present: LibraryPack?, isRepair: Bool
    ) async throws {
        if let present, present.origin != nil, present.folder != target {
            throw StoreError(
                .productKindChanged, ["product": productIdentifier, "kind": present.kind.rawValue])
        }
        // A pack that is being committed is on the disk before it is known here.
        if try folders.packs.status(of: target) != nil,
            !mayReplace(try await entry(in: target), isRepair: isRepair)
        {
            throw obstacle(at: target)
        }
    }

    /// Checks that there is no file or directory where a pack of a product would be.
    ///
    /// - Throws: `file.permission` for a directory that can't be read; `conflict.by-hand`.
    public func requireNoDirectory(of productIdentifier: String) throws {
        for target in kinds.folders(for: productIdentifier) where try folders.packs.status(of: target) != nil {
            throw obstacle(at: target)
        }
    }

    /// Returns the error for a file or directory that is in the place of a pack, and that is no known pack.
    private func obstacle(at target: String) -> StoreError {
        do {
            _ = try folders.packs.openDirectory(target).entries()
        } catch  where error.errno == .permissionDenied {
            // It may be an installed pack whose permissions were changed.
            return error
        } catch {}
        return StoreError(.packInTheWay, ["path": .path(folders.packs.path(of: target))])
    }

    /// Returns whether a new version may replace a pack: it may if this program installed the pack.
    ///
    /// A pack with a damaged receipt looks like an unmanaged one, which was placed by hand. Only a repair replaces it,
    /// which knows from the history that it was installed. For `nil`, a directory that is no known pack, the result is
    /// `false`.
    private func mayReplace(_ present: LibraryEntry?, isRepair: Bool) -> Bool {
        guard let pack = present?.pack else { return false }
        return pack.origin != nil || (pack.receiptIsDamaged && isRepair)
    }

    /// Returns the permissions that a product asks for and that the user has not granted to its installed version.
    ///
    /// A kind that this program does not support has no permissions.
    ///
    /// - Parameter asked: the permissions in the product's catalogue entry or information file.
    public func missingPermissions(
        asked: [Permission], of productIdentifier: String, kind: ProductKind
    ) -> Set<Permission> {
        guard let known = kinds[kind] else { return [] }
        let folder = try? kinds.folder(for: productIdentifier, kind: kind)
        let granted = folder.flatMap { packs[$0]?.pack.origin?.permissions } ?? []
        return known.permissions(asked: asked).subtracting(granted)
    }

    /// Commits a prepared pack, that is, installs it, in one atomic step and as part of a group commit.
    ///
    /// The version that it replaces becomes the previous version, unless
    /// ``placement(of:kind:by:consent:keepingReplaced:)`` was told to discard it. What the user chose for
    /// that version, such as its hold, is carried over, also if it was changed after the pack was prepared.
    ///
    /// - Parameter waitingForOthers: whether the commit waits up to half a second for more packs, with which it
    ///   shares the syncs. It ends at once when a pack comes that does not wait.
    /// - Returns: the installed pack.
    /// - Throws: `conflict.by-hand` if an unmanaged pack (placed by hand) has taken the place meanwhile, or another
    ///   `StoreError`; the library is then unchanged.
    public func commit(_ pack: PreparedPack, waitingForOthers: Bool = false) async throws -> LibraryPack {
        let present = packs[pack.staging.targetFolder]
        let isReplaceable = mayReplace(present, isRepair: !pack.staging.keepsReplaced)
        let member = PackCommit.Member(pack: pack, replacing: isReplaceable ? present : nil)
        let entry = try await withCheckedThrowingContinuation { continuation in
            if commits.add(member, mayWait: waitingForOthers, continuation) { Task { await commitAll() } }
        }
        return entry.pack
    }

    /// Commits the packs that wait for others at once, and all later ones, too: before the program ends.
    public func stopWaitingForCommits() { commits.stopWaiting() }

    /// Commits the packs that wait, in groups, until none waits.
    ///
    /// Committing many packs together (group commit) waits for the disk once.
    private func commitAll() async {
        while let timer = commits.timer(clock) {
            await timer.value
            let group = commits.takeGroup()
            let results = await perform(group.map(\.member))
            for (waiting, result) in zip(group, results) { waiting.continuation.resume(with: result) }
        }
    }

    private func perform(_ batch: [PackCommit.Member]) async -> [Result<LibraryEntry, any Error>] {
        let commit = PackCommit(folders: folders)
        let results: [Result<LibraryEntry, any Error>]
        do {
            results = try await disk.run { commit.perform(batch) }
        } catch {
            results = batch.map { _ in .failure(error) }
        }
        for case .success(let placed) in results { packs[placed.pack.folder] = placed }
        return results
    }
}

extension StoreError {
    /// Returns the error `consent.needed`: a product asks for permissions which the user did not grant.
    public static func consentMissing(
        for productIdentifier: String, kind: ProductKind, _ missing: Set<Permission>
    ) -> StoreError {
        let missing = missing.sorted()
        return StoreError(
            .consentMissing,
            [
                "product": productIdentifier, "kind": kind.rawValue, "permissions": .permissions(missing),
                "consent": missing.words,
            ])
    }
}
