import StoreModel
import StoreSystem

/// The open directories of a home: all on one file system, so that packs move between them by rename.
struct LibraryDirectories: Sendable {
    /// The home's data directory, which contains the others.
    let data: Directory
    /// The directory of the packs, installed and unmanaged.
    let packs: Directory
    /// The directory with the previous version of each pack that has one, under the name of the pack's directory.
    let previous: Directory
    /// The directory with one subdirectory for each running operation, named by the operation's identifier.
    let staging: Directory
    /// The directory into which removed trees are moved, until they are deleted.
    let trash: Directory

    /// Opens the directories of a home, and creates those that are missing.
    ///
    /// - Parameter path: the path of the home's data directory.
    /// - Throws: `home.unusable` where they can't be created or opened.
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

    /// Opens the directory of a known pack, which may have been removed since it was listed.
    ///
    /// - Throws: `pack.not-installed` where it was removed; another `StoreError` where it can't be opened.
    func open(_ pack: LibraryPack) throws -> Directory {
        do {
            return try packs.openDirectory(pack.folder)
        } catch {
            guard error.code == .fileMissing else { throw error }
            throw StoreError(.packNotInstalled, ["product": pack.productIdentifier])
        }
    }

    /// Checks that this program installed a pack, by the receipt that was read of it.
    ///
    /// - Throws: `conflict.by-hand` where the pack is unmanaged.
    func requireManaged(_ pack: LibraryPack) throws(StoreError) {
        guard pack.origin == nil else { return }
        throw StoreError(.packNotManaged, ["path": .path(packs.path(of: pack.folder))])
    }

    /// Checks before a change that each open directory is still the one at its path.
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
    /// Returns the error `home.swapped` for a path at which the directory that was opened there is no longer.
    static func swapped(_ path: String) -> StoreError { StoreError(.directorySwapped, ["path": .path(path)]) }
}
