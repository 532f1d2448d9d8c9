import Files
import StoreModel

/// Puts prepared packs into their places: one wait for the disk for all of them, then one rename each, which is the
/// commit.
struct PackCommit {
    let folders: LibraryFolders

    struct Prepared: Sendable {
        let staged: StagedPack
        let receipt: Receipt
        /// The installed version that is to be replaced, as it was known when the receipt was written.
        let replacing: LibraryEntry?
    }

    /// One result for each, in order.
    func perform(_ batch: [Prepared]) -> [Result<LibraryEntry, any Error>] {
        // What is renamed must be whole on the disk before, or a power cut leaves a committed pack of empty files.
        do {
            try folders.requireInPlace()
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
        for (prepared, result) in zip(batch, results) {
            // What did not take its place is the caller's to discard, and never a version before.
            if case .success = result { settle(prepared) }
        }
        return results
    }

    private func place(_ prepared: Prepared) throws -> LibraryEntry {
        let (staged, target) = (prepared.staged, prepared.staged.targetFolder)
        var receipt = prepared.receipt
        try requireInPlace(staged)
        if let replaced = prepared.replacing {
            // A link would become the version before.
            guard try folders.packs.status(of: target)?.kind == .folder else {
                throw LibraryError.swapped(folders.packs.path(of: target))
            }
            receipt.held = try held(prepared, replacing: replaced)
            if receipt.held != prepared.receipt.held {
                try receipt.replace(in: staged.directory, through: folders.staging)
            }
            if try !staged.parent.exchange(StagedPack.folder, with: folders.packs, target) {
                try folders.packs.rename(target, to: staged.parent, as: StagedPack.setAside)
                do {
                    try staged.parent.rename(StagedPack.folder, to: folders.packs, as: target)
                } catch {
                    try? staged.parent.rename(StagedPack.setAside, to: folders.packs, as: target)
                    throw error
                }
            }
        } else if try !staged.parent.renameIfFree(StagedPack.folder, to: folders.packs, as: target) {
            throw byHand(prepared)
        }
        guard folders.packs.holds(staged.directory, as: target) else {
            undo(prepared)
            throw LibraryError.swapped(folders.packs.path(of: target))
        }
        let status = try folders.packs.status(of: target + "/" + Receipt.fileName)
        return LibraryEntry(
            pack: LibraryPack(folder: target, receipt: receipt), stamp: status.map(LibraryEntry.Stamp.init))
    }

    /// A rename goes by names: what they stand for now must be what was prepared.
    private func requireInPlace(_ staged: StagedPack) throws(LibraryError) {
        let operation = staged.operation.rawValue
        guard folders.staging.holds(staged.parent, as: operation) else {
            throw .swapped(folders.staging.path(of: operation))
        }
        guard staged.parent.holds(staged.directory, as: StagedPack.folder) else {
            throw .swapped(staged.parent.path(of: StagedPack.folder))
        }
    }

    /// Takes back a rename that moved something else than what was prepared: it was swapped between the look and the
    /// rename.
    private func undo(_ prepared: Prepared) {
        let (staged, target) = (prepared.staged, prepared.staged.targetFolder)
        if prepared.replacing == nil {
            try? folders.packs.rename(target, to: staged.parent, as: StagedPack.folder)
        } else if let exchanged = try? staged.parent.exchange(StagedPack.folder, with: folders.packs, target),
            !exchanged
        {
            try? folders.packs.rename(target, to: staged.parent, as: StagedPack.folder)
            try? staged.parent.rename(StagedPack.setAside, to: folders.packs, as: target)
        }
    }

    /// Whether the version that is to be replaced is held: it may have come to be so, or no longer, while the new one
    /// was on its way. Where somebody put another folder in its place meanwhile, that is not replaced.
    private func held(_ prepared: Prepared, replacing replaced: LibraryEntry) throws -> Bool {
        let target = prepared.staged.targetFolder
        let status = try folders.packs.status(of: target + "/" + Receipt.fileName)
        if let status, LibraryEntry.Stamp(status) == replaced.stamp { return prepared.receipt.held }
        let present = try? Receipt.read(from: folders.packs.openDirectory(target))
        // A receipt that can't be read is damaged; no receipt, or that of another product, is somebody else's.
        guard status != nil, present.map({ $0.productIdentifier == prepared.receipt.productIdentifier }) ?? true else {
            throw byHand(prepared)
        }
        return present?.held ?? prepared.receipt.held
    }

    private func byHand(_ prepared: Prepared) -> LibraryError {
        LibraryError(
            .packByHand,
            "'\(folders.packs.path(of: prepared.staged.targetFolder))' is there already and was not installed by this "
                + "program. Move it away, then install '\(prepared.receipt.productIdentifier)' again.")
    }

    /// Keeps the version before and clears the operation's folder. A failure here costs the version before at most:
    /// the pack is committed.
    private func settle(_ prepared: Prepared) {
        let staged = prepared.staged
        let previous = PreviousVersions(folders: folders)
        if prepared.replacing != nil, StagedPack.keepsReplaced(staged.parent) {
            for name in [StagedPack.setAside, StagedPack.folder] {
                // Only one of the two is there: how the pack was replaced decides which.
                try? previous.keep(name, in: staged.parent, as: staged.targetFolder)
            }
        }
        try? folders.staging.removeTree(staged.operation.rawValue)
    }
}
