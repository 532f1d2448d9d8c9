import FoundationEssentials
import StoreModel
import StoreSystem

/// The recovery at the daemon's start, which finishes or undoes operations that were interrupted.
///
/// It relies on what is on the disk alone. A pack is committed by one rename, and its receipt moves with it. So the
/// receipt in the packs directory names the last operation that succeeded, and every other trace of an operation is
/// either what it replaced or what it did not finish.
struct Recovery {
    let folders: LibraryDirectories

    /// Finishes or undoes every operation with a directory in staging, and removes previous versions without a pack.
    func run() throws {
        for entry in try folders.staging.entries() { try finish(entry) }
        try removeOrphanedPrevious()
    }

    /// Finishes or undoes one operation that has ended, and moves its staging directory to the trash.
    ///
    /// The staging directory is the one in which the operation prepared a pack.
    ///
    /// - Returns: whether the operation had a staging directory.
    func run(_ operation: OperationID) throws -> Bool {
        guard let status = try folders.staging.status(of: operation.rawValue) else { return false }
        try finish(Directory.Entry(name: operation.rawValue, kind: status.kind))
        return true
    }

    private func finish(_ entry: Directory.Entry) throws {
        if entry.kind == .folder { try keepReplaced(in: entry) }
        try Trash(folder: folders.trash).discard(entry.name, in: folders.staging)
    }

    private func keepReplaced(in entry: Directory.Entry) throws {
        guard let target = try target(of: entry.name) else { return }
        let staged = try folders.staging.openDirectory(entry.name)
        if try staged.status(of: StagingDirectory.setAside)?.kind == .folder {
            try finishSetAside(staged, target: target)
        } else if try StagingDirectory.keepsReplaced(staged),
            try isReplacedVersion(in: staged, operation: entry.name, target: target)
        {
            try PreviousVersions(folders: folders).keep(StagingDirectory.folder, in: staged, as: target)
        } else {
            return
        }
        // Before the operation's directory is removed, which says what they belong to.
        try folders.packs.sync()
        try folders.previous.sync()
    }

    private func target(of operation: String) throws -> String? {
        let content: Data
        do {
            content = try folders.staging.openDirectory(operation).read(StagingDirectory.target, limit: 4096)
        } catch {
            if error.isInconclusive { throw error }
            return nil
        }
        // One component of a path, as the kinds make it; anything else was not written by this program, or not completely.
        let target = String(decoding: content, as: UTF8.self)
        guard (1...255).contains(target.utf8.count), target != ".", target != "..",
            target.utf8.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "/") })
        else { return nil }
        return target
    }

    /// Finishes or undoes a replacement of a pack that takes two renames.
    ///
    /// Between the two, the packs directory has no pack, and the version that was set aside is moved back. Afterwards
    /// that version becomes the previous version, unless the operation discards it.
    private func finishSetAside(_ staged: Directory, target: String) throws {
        if try folders.packs.status(of: target) == nil {
            try staged.rename(StagingDirectory.setAside, to: folders.packs, as: target)
        } else if try StagingDirectory.keepsReplaced(staged) {
            try PreviousVersions(folders: folders).keep(StagingDirectory.setAside, in: staged, as: target)
        }
    }

    /// Returns whether the operation's staging directory holds the version of the pack that it replaced.
    ///
    /// That is so if the operation committed its pack by an exchange of directories. The receipt of the installed pack
    /// then names the operation, and the receipt in staging another one.
    private func isReplacedVersion(in staged: Directory, operation: String, target: String) throws -> Bool {
        guard let old = try Receipt.find(StagingDirectory.folder, in: staged)?.receipt,
            let new = try Receipt.find(target, in: folders.packs)?.receipt
        else { return false }
        return new.operation.rawValue == operation && old.operation != new.operation
    }

    /// Moves previous versions without an installed pack to the trash.
    ///
    /// An uninstall removes the pack first and its previous version second; this is the second half of an interrupted
    /// one.
    private func removeOrphanedPrevious() throws {
        for entry in try folders.previous.entries() where try folders.packs.status(of: entry.name) == nil {
            try Trash(folder: folders.trash).discard(entry.name, in: folders.previous)
        }
    }
}
