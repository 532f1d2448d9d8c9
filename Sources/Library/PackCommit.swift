import Files
import StoreModel

/// Puts prepared packs into their places: one wait for the disk for all of them, then one rename each, which is the
/// commit.
struct PackCommit {
    let folders: LibraryFolders

    struct Prepared: Sendable {
        let staged: StagedPack
        let receipt: Receipt
        /// Whether an installed version is to be replaced.
        let replacing: Bool
    }

    /// One result for each, in order.
    func perform(_ batch: [Prepared]) -> [Result<LibraryEntry, any Error>] {
        // What is renamed must be whole on the disk before, or a power cut leaves a committed pack of empty files.
        do {
            try folders.staging.syncFileSystem()
        } catch {
            return batch.map { _ in .failure(error) }
        }
        let results = batch.map { prepared in Result { try place(prepared) } }
        do {
            try folders.packs.sync()
        } catch {
            // The renames were done; whether they are durable is not known, which a restart will tell.
            return batch.map { _ in .failure(error) }
        }
        for prepared in batch { settle(prepared) }
        return results
    }

    private func place(_ prepared: Prepared) throws -> LibraryEntry {
        let (staged, target) = (prepared.staged, prepared.staged.targetFolder)
        if prepared.replacing {
            if try !staged.parent.exchange(StagedPack.folder, with: folders.packs, target) {
                try folders.packs.rename(target, to: staged.parent, as: StagedPack.setAside)
                try staged.parent.rename(StagedPack.folder, to: folders.packs, as: target)
            }
        } else if try !staged.parent.renameIfFree(StagedPack.folder, to: folders.packs, as: target) {
            throw LibraryError(
                .packByHand,
                "'\(folders.packs.path(of: target))' is there already and was not installed by this program. "
                    + "Move it away, then install '\(prepared.receipt.productIdentifier)' again.")
        }
        let status = try folders.packs.status(of: target + "/" + Receipt.fileName)
        return LibraryEntry(
            pack: LibraryPack(folder: target, receipt: prepared.receipt),
            stamp: status.map(LibraryEntry.Stamp.init))
    }

    /// Keeps the version before and clears the operation's folder. A failure here loses nothing: the pack is
    /// committed, and recovery does the rest at the next start.
    private func settle(_ prepared: Prepared) {
        let staged = prepared.staged
        let previous = PreviousVersions(folders: folders)
        if prepared.replacing, StagedPack.keepsReplaced(staged.parent) {
            for name in [StagedPack.setAside, StagedPack.folder] {
                // Only one of the two is there: how the pack was replaced decides which.
                try? previous.keep(name, in: staged.parent, as: staged.targetFolder)
            }
        }
        try? folders.staging.removeTree(staged.operation.rawValue)
    }
}
