import Files
import Library
import StoreModel

/// The folders of a home beside the library's own.
struct HomeFolders {
    let config: Directory
    let partial: Directory
    let catalogues: Directory

    /// - Throws: `home.unusable` where one can't be made or written.
    init(_ places: Places) throws(LibraryError) {
        do {
            _ = try Directory.create(places.data)
            config = try Directory.create(places.config)
            partial = try Directory.create(places.partial)
            catalogues = try Directory.create(places.catalogues)
        } catch {
            throw LibraryError(.homeUnusable, "The home can't be used. \(error.message)")
        }
    }
}
