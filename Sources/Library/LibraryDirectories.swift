import StoreModel
import StoreSystem

/// The open directories of a home's data, all on one file system, so that packs move between them by rename.
struct LibraryDirectories: Sendable {
    let data: Directory
    let packs: Directory
    /// The previous version of each pack that has one, under the pack's directory name.
    let previous: Directory
    /// One directory for each running operation, named by its identifier.
    let staging: Directory
    /// Removed trees, until they are deleted.
    let trash: Directory

    /// Opens the directories, and creates those that are missing.
    ///
    /// - Throws: `home.unusable` where they can't be created or written.
    init(data path: String) throws(StoreError) {
        do {
            data = try Directory.create(path)
            packs = try data.createDirectory("packs")
            previous = try data.createDirectory("previous")
            staging = try data.createDirectory("staging")
            trash = try data.createDirectory("trash")
        } catch {
            throw StoreError(.homeNotUsable, cause: error)
        }
    }

    /// Opens the directory of a known pack, which may have been removed meanwhile.
    ///
    /// - Throws: `pack.not-installed`.
    func open(_ pack: LibraryPack) throws -> Directory {
        do {
            return try packs.openDirectory(pack.folder)
        } catch {
            guard error.code == .fileMissing else { throw error }
            throw StoreError(.packNotInstalled, ["product": pack.productIdentifier])
        }
    }

    /// Checks that a pack was installed by this program.
    ///
    /// - Throws: `conflict.by-hand`.
    func requireManaged(_ pack: LibraryPack) throws(StoreError) {
        guard pack.origin == nil else { return }
        throw StoreError(.packNotManaged, ["path": .path(packs.path(of: pack.folder))])
    }

    /// Checks before a change that the open directories are still the ones at their paths.
    ///
    /// A change in a directory that was moved away would not be visible in the home.
    ///
    /// - Throws: `home.swapped`.
    func requireInPlace() throws(StoreError) {
        guard data.isInPlace else { throw .swapped(data.path) }
        for (name, folder) in [("packs", packs), ("previous", previous), ("staging", staging), ("trash", trash)]
        where !data.holds(folder, as: name) {
            throw .swapped(data.path(of: name))
        }
    }
}

extension StoreError {
    /// Returns the error for a directory that is no longer the one that was opened at its path.
    static func swapped(_ path: String) -> StoreError { StoreError(.directorySwapped, ["path": .path(path)]) }
}
