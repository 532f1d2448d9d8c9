import FoundationEssentials
import StoreModel
import StoreSystem

/// Finishes or undoes whatever was under way when the daemon ended, from what lies on the disk alone.
///
/// A pack is committed by one rename that takes its receipt along. So the receipt in the packs' folder says which
/// operation was the last to succeed, and every other trace of an operation is either what it replaced or what it
/// never finished.
struct Recovery {
    let folders: LibraryDirectories

    func run() throws {
        for entry in try folders.staging.entries() { try settle(entry) }
        try removeOrphanedPrevious()
    }

    /// Finishes or undoes one operation, which no longer runs.
    ///
    /// - Returns: whether it had left anything.
    func run(_ operation: OperationID) throws -> Bool {
        guard let status = try folders.staging.status(of: operation.rawValue) else { return false }
        try settle(Directory.Entry(name: operation.rawValue, kind: status.kind))
        return true
    }

    private func settle(_ entry: Directory.Entry) throws {
        if entry.kind == .folder { try keepReplaced(in: entry) }
        try Trash(folder: folders.trash).discard(entry.name, in: folders.staging)
    }

    private func keepReplaced(in entry: Directory.Entry) throws {
        guard let target = try target(of: entry.name) else { return }
        let staged = try folders.staging.openDirectory(entry.name)
        if try staged.status(of: StagedPack.setAside)?.kind == .folder {
            try settleSetAside(staged, target: target)
        } else if StagedPack.keepsReplaced(staged),
            try isReplacedVersion(in: staged, operation: entry.name, target: target)
        {
            try PreviousVersions(folders: folders).keep(StagedPack.folder, in: staged, as: target)
        } else {
            return
        }
        // Before the operation's folder goes, which says whose they are.
        try folders.packs.sync()
        try folders.previous.sync()
    }

    private func target(of operation: String) throws -> String? {
        let content: Data
        do {
            content = try folders.staging.openDirectory(operation).read(StagedPack.target, limit: 4096)
        } catch {
            if error.isPassing { throw error }
            return nil
        }
        // One part of a path, as the kinds make them; anything else was not written by this program, or not wholly.
        let target = String(decoding: content, as: UTF8.self)
        guard (1...255).contains(target.utf8.count), target != ".", target != "..",
            target.utf8.allSatisfy({ $0 != 0 && $0 != UInt8(ascii: "/") })
        else { return nil }
        return target
    }

    /// Between the two renames that stand in for an exchange, the pack's own place is empty.
    private func settleSetAside(_ staged: Directory, target: String) throws {
        if try folders.packs.status(of: target) == nil {
            try staged.rename(StagedPack.setAside, to: folders.packs, as: target)
        } else if StagedPack.keepsReplaced(staged) {
            try PreviousVersions(folders: folders).keep(StagedPack.setAside, in: staged, as: target)
        }
    }

    /// Whether the exchange took place: then the installed pack's receipt names the operation, and what lies in its
    /// staging folder is the version before.
    private func isReplacedVersion(in staged: Directory, operation: String, target: String) throws -> Bool {
        guard let old = try Receipt.find(StagedPack.folder, in: staged)?.receipt,
            let new = try Receipt.find(target, in: folders.packs)?.receipt
        else { return false }
        return new.operation.rawValue == operation && old.operation != new.operation
    }

    /// An uninstall removes the pack first and its version before second.
    private func removeOrphanedPrevious() throws {
        for entry in try folders.previous.entries() where try folders.packs.status(of: entry.name) == nil {
            try Trash(folder: folders.trash).discard(entry.name, in: folders.previous)
        }
    }
}
