import FoundationEssentials
public import StoreModel
import StoreSystem

extension Library {
    /// Makes an empty folder in staging for a pack.
    ///
    /// - Parameter keepingReplaced: whether the version that is installed now becomes the version before.
    /// - Throws: ``LibraryError`` where the kind is unknown, `conflict.by-hand` where a folder that was put there by
    ///   hand is in the way, `conflict.kind-changed` where the installed version has another kind.
    public func stage(
        _ operation: OperationID, productIdentifier: String, kind: ProductKind, keepingReplaced: Bool = true
    ) async throws -> StagedPack {
        let target = try kinds.folder(for: productIdentifier, kind: kind)
        let present = try await packInPlace(of: productIdentifier)
        try checkPlace(
            target, productIdentifier: productIdentifier, present: present, isRepair: !keepingReplaced)
        let folders = folders
        return try await preparing.run {
            try folders.requireInPlace()
            try folders.staging.removeTree(operation.rawValue)
            return try StagedPack(
                operation: operation, targetFolder: target, staging: folders.staging, keepingReplaced: keepingReplaced)
        }
    }

    /// Checks, before anything is fetched, that a product can take its place in the library and that the user consented
    /// to its permissions.
    ///
    /// - Parameters:
    ///   - asked: the permissions that its store or information file states.
    ///   - consent: the permissions that the user grants, beside those of the installed version.
    ///   - present: the pack in the product's directory now, as ``packInPlace(of:)`` returned it.
    ///   - isRepair: whether a pack with a damaged receipt may be replaced.
    /// - Throws: `kind.unknown`, `conflict.kind-changed`, `conflict.by-hand`, `consent.needed`.
    public func requireInstallable(
        _ productIdentifier: String, kind: ProductKind, permissions asked: [Permission], consent: Set<Permission>,
        present: LibraryPack?, isRepair: Bool
    ) throws {
        try checkPlace(
            kinds.folder(for: productIdentifier, kind: kind), productIdentifier: productIdentifier, present: present,
            isRepair: isRepair)
        try requireConsent(toAsked: asked, of: productIdentifier, kind: kind, consent: consent)
    }

    private func checkPlace(
        _ target: String, productIdentifier: String, present: LibraryPack?, isRepair: Bool
    ) throws {
        if let present, present.origin != nil, present.folder != target {
            throw LibraryError(
                .kindChanged,
                "'\(productIdentifier)' is installed as \(present.kind), and its store now says that it is something "
                    + "else. Uninstall it first.")
        }
        if try folders.packs.status(of: target) != nil, !mayReplace(packs[target], isRepair: isRepair) {
            throw LibraryError(
                .packByHand,
                "'\(folders.packs.path(of: target))' is there already and was not installed by this program. "
                    + "Move it away, then try again.")
        }
    }

    /// Only what was installed. A pack whose receipt is damaged looks like one that somebody put there, so that only a
    /// repair, which knows from elsewhere that it was installed, takes its place.
    private func mayReplace(_ present: LibraryEntry?, isRepair: Bool) -> Bool {
        guard let pack = present?.pack else { return false }
        return pack.origin != nil || (pack.receiptIsDamaged && isRepair)
    }

    /// Checks what was unpacked by the rules of its kind, and that somebody consented to all that it may do.
    ///
    /// - Parameter consent: beside what the version that is installed may do already.
    /// - Returns: what the pack may do.
    /// - Throws: `content.…`, `consent.needed`.
    public func check(
        _ staged: StagedPack, of productIdentifier: String, kind: ProductKind, consent: Set<Permission>
    ) async throws -> Set<Permission> {
        guard let known = kinds[kind] else { return [] }
        let asked = try await checking.run {
            try known.check(staged.directory)
            return known.permissions(asked: try PackInformation.read(from: staged.directory).permissions ?? [])
        }
        try requireConsent(to: asked, of: productIdentifier, kind: kind, consent: consent)
        return asked
    }

    /// Whether somebody consented to all that a product says it may do.
    ///
    /// - Parameters:
    ///   - asked: what its store or information file says that it asks for.
    ///   - consent: beside what the version that is installed may do already.
    /// - Throws: `consent.needed`.
    public func requireConsent(
        toAsked asked: [Permission], of productIdentifier: String, kind: ProductKind, consent: Set<Permission>
    ) throws {
        guard let known = kinds[kind] else { return }
        try requireConsent(
            to: known.permissions(asked: asked), of: productIdentifier, kind: kind, consent: consent)
    }

    private func requireConsent(
        to asked: Set<Permission>, of productIdentifier: String, kind: ProductKind, consent: Set<Permission>
    ) throws {
        let missing = asked.subtracting(consent).subtracting(granted(productIdentifier, kind: kind))
        guard missing.isEmpty else { throw LibraryError.consentNeeded(for: productIdentifier, kind: kind, missing) }
    }

    /// What the installed version of a product may do.
    private func granted(_ productIdentifier: String, kind: ProductKind) -> [Permission] {
        guard let folder = try? kinds.folder(for: productIdentifier, kind: kind) else { return [] }
        return packs[folder]?.pack.origin?.permissions ?? []
    }

    /// Puts a prepared pack in its place in one step, together with others that are ready at the same time. The
    /// version that it replaces is kept for a rollback, and its hold with it.
    ///
    /// - Throws: `conflict.by-hand`, or what the disk says; the library is then as it was before.
    public func commit(_ staged: StagedPack, receipt: Receipt) async throws -> LibraryPack {
        let present = packs[staged.targetFolder]
        var receipt = receipt
        if let origin = present?.pack.origin { receipt.held = origin.held }
        let prepared = PackCommit.Prepared(
            staged: staged, receipt: receipt,
            replacing: mayReplace(present, isRepair: !StagedPack.keepsReplaced(staged.parent)) ? present : nil)
        let written = receipt
        try await preparing.run { try staged.write(written) }
        return try await placed(prepared).pack
    }

    /// The first that comes does the work of all who wait, again and again until nobody does.
    private func placed(_ prepared: PackCommit.Prepared) async throws -> LibraryEntry {
        if isCommitting {
            return try await withCheckedThrowingContinuation { waiting.append((prepared, $0)) }
        }
        isCommitting = true
        let own = await perform([prepared])[0]
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            let results = await perform(batch.map(\.0))
            for ((_, continuation), result) in zip(batch, results) { continuation.resume(with: result) }
        }
        isCommitting = false
        return try own.get()
    }

    private func perform(_ batch: [PackCommit.Prepared]) async -> [Result<LibraryEntry, any Error>] {
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
