import StoreModel
import StoreSystem

/// The open folders of a home's data, all on one file system, so that everything in it moves by rename.
struct LibraryDirectories: Sendable {
    let data: Directory
    let packs: Directory
    /// The version before of each pack that has one, under the pack's own folder name.
    let previous: Directory
    /// One folder for each running operation, named by it.
    let staging: Directory
    /// Removed trees, until their space is given back.
    let trash: Directory

    /// - Throws: `home.unusable` where the folders can't be made or written.
    init(data path: String) throws(LibraryError) {
        do {
            data = try Directory.create(path)
            packs = try data.createDirectory("packs")
            previous = try data.createDirectory("previous")
            staging = try data.createDirectory("staging")
            trash = try data.createDirectory("trash")
        } catch {
            throw LibraryError(.homeUnusable, "The home can't be used. \(error.message)")
        }
    }

    /// The open folder of a pack that was there when it was looked at, and may have been taken away since.
    ///
    /// - Throws: `pack.not-installed`.
    func open(_ pack: LibraryPack) throws -> Directory {
        do {
            return try packs.openDirectory(pack.folder)
        } catch {
            guard error.code == .fileMissing else { throw error }
            throw LibraryError.missing(pack.productIdentifier)
        }
    }

    /// Held before anything is changed: what is done in folders that are no longer found at their places would be done
    /// for nobody, or for whoever moved them.
    ///
    /// - Throws: `home.swapped`.
    func requireInPlace() throws(LibraryError) {
        guard data.isInPlace else { throw .swapped(data.path) }
        for (name, folder) in [("packs", packs), ("previous", previous), ("staging", staging), ("trash", trash)]
        where !data.holds(folder, as: name) {
            throw .swapped(data.path(of: name))
        }
    }
}

extension LibraryError {
    static func swapped(_ path: String) -> LibraryError {
        LibraryError(
            .homeSwapped,
            "'\(path)' is not the folder any more that it was: something was put in its place, and nothing is done there. "
                + "Put it back, or end the daemon ('storectl daemon stop') so that it looks anew.")
    }
}
