import StoreModel
import StoreSystem

/// Puts prepared packs into their places: one wait for the disk for all of them, then one rename each, which is the
/// commit.
struct PackCommit {
    let folders: LibraryDirectories

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
            for case (let prepared, .success) in zip(batch, results) { takeBack(prepared) }
            return results.map { result in result.flatMap { _ in .failure(error) } }
        }
        // What did not take its place is the caller's to discard, and never a version before.
        settle(zip(batch, results).compactMap { prepared, result in (try? result.get()).map { _ in prepared } })
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
        } else {
            // Of an uninstall that could not take it along.
            try PreviousVersions(folders: folders).remove(target)
            guard try staged.parent.renameIfFree(StagedPack.folder, to: folders.packs, as: target) else {
                throw byHand(prepared)
            }
        }
        guard folders.packs.holds(staged.directory, as: target) else {
            // It was swapped between the look and the rename.
            takeBack(prepared)
            throw LibraryError.swapped(folders.packs.path(of: target))
        }
        return LibraryEntry(placed: target, receipt: receipt, in: folders.packs)
    }

    /// Undoes what moved something else than what was prepared, or what a failed wait for the disk has put into question:
    /// better the version before for sure than one of the two.
    private func takeBack(_ prepared: Prepared) {
        let (staged, target) = (prepared.staged, prepared.staged.targetFolder)
        if prepared.replacing == nil {
            try? folders.packs.rename(target, to: staged.parent, as: StagedPack.folder)
        } else if (try? staged.parent.status(of: StagedPack.setAside)) == nil {
            _ = try? staged.parent.exchange(StagedPack.folder, with: folders.packs, target)
        } else {
            try? folders.packs.rename(target, to: staged.parent, as: StagedPack.folder)
            try? staged.parent.rename(StagedPack.setAside, to: folders.packs, as: target)
        }
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

    /// Keeps the versions before and clears the operations' folders. A failure here fails nobody: the packs are
    /// committed, and what is left lies where the next start finds it.
    private func settle(_ batch: [Prepared]) {
        let previous = PreviousVersions(folders: folders)
        var settled: [Prepared] = []
        for prepared in batch {
            let staged = prepared.staged
            do {
                if prepared.replacing != nil, StagedPack.keepsReplaced(staged.parent) {
                    // How the pack was replaced decides which of the two is there.
                    let isAside = try staged.parent.status(of: StagedPack.setAside) != nil
                    try previous.keep(
                        isAside ? StagedPack.setAside : StagedPack.folder, in: staged.parent, as: staged.targetFolder)
                }
                settled.append(prepared)
            } catch {
                continue
            }
        }
        // Before the folder goes that says what a version before belongs to.
        if settled.contains(where: { $0.replacing != nil }), (try? folders.previous.sync()) == nil { return }
        // In one step: half removed, it would look like something else to recovery.
        for prepared in settled {
            _ = try? Trash(folder: folders.trash).discard(prepared.staged.operation.rawValue, in: folders.staging)
        }
    }
}
