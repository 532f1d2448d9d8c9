import StoreLibrary
import StoreModel
import StoreSystem

/// The folders of a home beside the library's own.
struct HomeDirectories {
    let data: Directory
    let config: Directory
    let partial: Directory
    let archives: Directory
    let catalogues: Directory

    /// - Throws: `home.unusable` where one can't be made or written.
    init(_ places: HomePaths) throws(LibraryError) {
        do {
            // These as the user has them, links included; what lies in them is the program's own, and no link is followed.
            data = try Directory.create(places.data)
            config = try Directory.create(places.config)
            let cache = try Directory.create(places.cache)
            partial = try cache.createDirectory("partial")
            archives = try cache.createDirectory("archives")
            catalogues = try cache.createDirectory("catalogues")
            // Made here, because SQLite would let others read it where the folder lets them in.
            _ = try data.openOrCreateFile("library.sqlite", mode: 0o600)
        } catch {
            throw LibraryError(.homeUnusable, "The home can't be used. \(error.message)")
        }
    }
}
