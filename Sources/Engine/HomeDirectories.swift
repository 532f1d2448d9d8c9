import StoreLibrary
import StoreModel
import StoreSystem

/// The directories of a home except for those of the library.
struct HomeDirectories {
    let data: Directory
    let config: Directory
    let partial: Directory
    let archives: Directory
    let catalogues: Directory

    /// Creates the directories that do not exist, and opens them.
    ///
    /// - Throws: `home.unusable` where a directory can't be created or written.
    init(_ places: HomePaths) throws(StoreError) {
        do {
            // The user may have made these as symbolic links; below them, no link is followed.
            data = try Directory.create(places.data)
            config = try Directory.create(places.config)
            let cache = try Directory.create(places.cache)
            partial = try cache.createDirectory("partial")
            archives = try cache.createDirectory("archives")
            catalogues = try cache.createDirectory("catalogues")
            // Made here, because SQLite would create it readable for others where the directory is.
            _ = try data.openOrCreateFile("library.sqlite", mode: 0o600)
        } catch {
            throw StoreError(.homeNotUsable, cause: error)
        }
    }
}
