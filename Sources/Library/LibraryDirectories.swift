import StoreModel
import StoreSystem

/// The open directories of the library: for packs, previous versions, packs in preparation and the trash.
///
/// All are on one file system, so that packs move between them by rename.
struct LibraryDirectories: Sendable {
    /// The data directory, which contains the other directories of the library.
    let data: Directory
    /// The directory of the packs, both installed ones and unmanaged ones, which were placed by hand.
    let packs: Directory
    /// The directory with the previous version of each pack that has one, kept for rollback.
    ///
    /// The names are those of the packs' directories.
    let previous: Directory
    /// The directory in which packs are prepared, with a subdirectory for each running operation.
    ///
    /// The subdirectories are named by the operations' identifiers.
    let staging: Directory
    /// The trash: the directory into which removed packs and other trees are moved, until they are deleted.
    let trash: Directory

    /// Opens the directories of the library, and creates those that are missing.
    ///
    /// - Parameter path: the path of the home's data directory, which contains the others.
    /// - Throws: `home.unusable` if they can't be created or opened.
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

    /// Opens the directory of a known pack of the library, which may have been removed since it was listed.
    ///
    /// - Throws: `pack.not-installed` if it was removed; another `StoreError` if it can't be opened.
    func open(_ pack: LibraryPack) throws -> Directory {
        do {
            return try packs.openDirectory(pack.folder)
        } catch {
            guard error.code == .fileMissing else { throw error }
            throw StoreError(.packNotInstalled, ["product": pack.productIdentifier])
        }
    }

    /// Checks that this program installed a pack, that is, that the pack was not placed by hand.
    ///
    /// - Throws: `conflict.by-hand` if the pack has no receipt (description of an installation).
    func requireManaged(_ pack: LibraryPack) throws(StoreError) {
        guard pack.origin == nil else { return }
        throw StoreError(.packNotManaged, ["path": .path(packs.path(of: pack.folder))])
    }

    /// Checks before a change of the library that each open directory is still the one at its path.
    ///
    /// A change in a directory that was moved away would not be visible in the home.
    ///
    /// - Throws: `home.swapped`.
    func requireInPlace() throws(StoreError) {
        guard try data.isInPlace else { throw .swapped(data.path) }
        for (name, folder) in [("packs", packs), ("previous", previous), ("staging", staging), ("trash", trash)] {
            guard try data.holds(folder, as: name) else { throw .swapped(data.path(of: name)) }
        }
    }
}

extension StoreError {
    /// Returns the error `home.swapped`: the directory at a path is no longer the one that was opened there.
    static func swapped(_ path: String) -> StoreError { StoreError(.directorySwapped, ["path": .path(path)]) }
}
