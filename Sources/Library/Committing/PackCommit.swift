import StoreModel
import StoreSystem

/// A commit of prepared packs, with two syncs for the whole group and one atomic rename for each pack.
///
/// The rename that puts a pack into the packs directory is its commit. The file system is synced before the renames,
/// and the packs directory after them. If the file system can't exchange two directories, a replacement takes two
/// renames, with a sync between them.
struct PackCommit {
    let folders: LibraryDirectories

    /// A prepared pack of the group to commit, with the version that it replaces.
    struct Member: Sendable {
        let pack: PreparedPack
        /// The installed version to be replaced, as known when the commit is requested; `nil` for a new pack.
        let replacing: LibraryEntry?

        var staging: StagingDirectory { pack.staging }
        var receipt: Receipt { pack.receipt }
    }

    /// Commits the prepared packs, and returns one result for each, in order.
    ///
    /// A pack whose result is an error is not committed: the version that was installed before is in place. If a sync
    /// fails, all results are its error.
    func perform(_ batch: [Member]) -> [Result<LibraryEntry, any Error>] {
        // A pack must be on the disk before its rename, or a power cut leaves a committed pack of empty files.
        do {
            try folders.requireInPlace()
            try folders.staging.syncFileSystem()
        } catch {
            return batch.map { _ in .failure(error) }
        }
        let placements = batch.map { member in Result { try place(member) } }
        do {
            try folders.packs.sync()
        } catch {
            for case (let member, .success(let placement)) in zip(batch, placements) {
                undo(member, isExchange: placement.isExchange)
            }
            return placements.map { placement in placement.flatMap { _ in .failure(error) } }
        }
        let results = placements.map { placement in placement.map { $0.entry } }
        // The caller discards what was not committed; it never becomes a previous version.
        finish(zip(batch, results).compactMap { member, result in (try? result.get()).map { _ in member } })
        return results
    }

    /// Puts a prepared pack into its place.
    ///
    /// - Returns: the pack, and whether it was exchanged with the version that it replaces, in one step.
    private func place(_ member: Member) throws -> (entry: LibraryEntry, isExchange: Bool) {
        let (staging, target) = (member.staging, member.staging.targetFolder)
        var receipt = member.receipt
        var isExchange = false
        try requireInPlace(staging)
        if let replaced = member.replacing {
            // A link would become the previous version.
            guard try folders.packs.status(of: target)?.kind == .folder else {
                throw StoreError.swapped(folders.packs.path(of: target))
            }
            receipt.choices = try choices(member, replacing: replaced)
            if receipt.choices != member.receipt.choices {
                try receipt.replace(in: staging.directory, through: folders.staging)
            }
            isExchange = try staging.parent.exchange(StagingDirectory.folder, with: folders.packs, target)
            if !isExchange {
                try folders.packs.rename(target, to: staging.parent, as: StagingDirectory.setAside)
                do {
                    // A power cut must not leave the second rename without the first: the old version would be lost.
                    try staging.parent.sync()
                    try folders.packs.sync()
                    try staging.parent.rename(StagingDirectory.folder, to: folders.packs, as: target)
                } catch {
                    try? staging.parent.rename(StagingDirectory.setAside, to: folders.packs, as: target)
                    throw error
                }
            }
        } else {
            // Left by an uninstall that could not remove it.
            try PreviousVersions(folders: folders).remove(target)
            guard try staging.parent.renameIfFree(StagingDirectory.folder, to: folders.packs, as: target) else {
                throw packInTheWay(member)
            }
        }
        do {
            guard try folders.packs.holds(staging.directory, as: target) else {
                // It was swapped between the check and the rename.
                throw StoreError.swapped(folders.packs.path(of: target))
            }
        } catch {
            undo(member, isExchange: isExchange)
            throw error
        }
        return (LibraryEntry(placed: target, receipt: receipt, in: staging.directory), isExchange)
    }

    /// Undoes the rename of a pack whose directory was swapped, or whose rename could not be synced.
    ///
    /// The caller learns that the commit failed, so the old version has to be in place for certain.
    private func undo(_ member: Member, isExchange: Bool) {
        let (staging, target) = (member.staging, member.staging.targetFolder)
        if member.replacing == nil {
            try? folders.packs.rename(target, to: staging.parent, as: StagingDirectory.folder)
        } else if isExchange {
            _ = try? staging.parent.exchange(StagingDirectory.folder, with: folders.packs, target)
        } else {
            try? folders.packs.rename(target, to: staging.parent, as: StagingDirectory.folder)
            try? staging.parent.rename(StagingDirectory.setAside, to: folders.packs, as: target)
        }
    }

    /// Checks that the operation's directory in staging, and the pack in it, are still the prepared ones.
    ///
    /// A rename goes by name, and would move whatever is there.
    ///
    /// - Throws: `home.swapped`.
    private func requireInPlace(_ staging: StagingDirectory) throws(StoreError) {
        let operation = staging.operation.rawValue
        guard try folders.staging.holds(staging.parent, as: operation) else {
            throw .swapped(folders.staging.path(of: operation))
        }
        guard try staging.parent.holds(staging.directory, as: StagingDirectory.folder) else {
            throw .swapped(staging.parent.path(of: StagingDirectory.folder))
        }
    }

    /// Returns what the user chose for the installed version to be replaced, such as its hold, as it is now.
    ///
    /// The user may have changed that since the library read the receipt (the pack's description), so a changed
    /// receipt is read again; if that one can't be read, the known value counts.
    ///
    /// - Throws: `conflict.by-hand` if an unmanaged pack, one placed by hand, has taken the version's place meanwhile.
    private func choices(_ member: Member, replacing replaced: LibraryEntry) throws -> Receipt.Choices {
        let target = member.staging.targetFolder
        let status = try folders.packs.status(of: target + "/" + Receipt.fileName)
        let known = replaced.pack.origin?.choices ?? member.receipt.choices
        if let status, FileIdentity(receipt: status) == replaced.receiptFile { return known }
        let present = try? Receipt.read(from: folders.packs.openDirectory(target))
        // A receipt that can't be read is damaged, and one that was removed is known to be missing; a directory that had no
        // receipt, or has that of another product, is unmanaged.
        guard status != nil || replaced.pack.receiptIsDamaged,
            present.map({ $0.productIdentifier == member.receipt.productIdentifier }) ?? true
        else {
            throw packInTheWay(member)
        }
        return present?.choices ?? known
    }

    private func packInTheWay(_ member: Member) -> StoreError {
        StoreError(.packInTheWay, ["path": .path(folders.packs.path(of: member.staging.targetFolder))])
    }

    /// Keeps the replaced versions for rollback, and moves the operations' staging directories to the trash.
    ///
    /// A replaced version becomes the previous version of its pack, unless its staging directory says that it is not
    /// kept. A failure here is ignored: the packs are committed, and recovery handles the rest at the next start.
    private func finish(_ batch: [Member]) {
        let previous = PreviousVersions(folders: folders)
        var finished: [Member] = []
        for member in batch {
            let staging = member.staging
            do {
                if member.replacing != nil, staging.keepsReplaced {
                    // Which of the two exists depends on how the pack was replaced.
                    let isAside = try staging.parent.status(of: StagingDirectory.setAside) != nil
                    try previous.keep(
                        isAside ? StagingDirectory.setAside : StagingDirectory.folder, in: staging.parent,
                        as: staging.targetFolder)
                }
                finished.append(member)
            } catch {
                continue
            }
        }
        // Before the staging directory is removed, which says what a previous version belongs to.
        if finished.contains(where: { $0.replacing != nil }), (try? folders.previous.sync()) == nil { return }
        // In one step: recovery would misread a directory that is half removed.
        for member in finished {
            let name = member.staging.operation.rawValue
            _ = try? Trash(folder: folders.trash).discard(name, in: folders.staging, as: name)
        }
    }
}
