import StoreLibrary
import StoreModel
import StoreSystem

/// The open directories of a home: those for data, trust, configuration, partial downloads, archives, catalogues, images,
/// single stickers, thumbnails and imported packs.
///
/// A home is the set of directories that one daemon works on (see ``HomePaths``). The library opens its own
/// directories.
struct HomeDirectories {
    let data: Directory
    /// The directory of the trusted metadata of signed stores, in the data directory.
    let trust: Directory
    let config: Directory
    let partial: Directory
    let archives: Directory
    let catalogues: Directory
    let images: Directory
    let stickers: Directory
    let thumbnails: Directory
    let imports: Directory

    /// Creates the directories of a home that do not exist, and opens all of them.
    ///
    /// - Throws: `home.unusable` if a directory can't be created or written.
    init(_ places: HomePaths) throws(StoreError) {
        do {
            // The user may have made these as symbolic links; below these directories, no link is followed.
            data = try Directory.create(places.data)
            trust = try data.createDirectory("trust")
            config = try Directory.create(places.config)
            let cache = try Directory.create(places.cache)
            partial = try cache.createDirectory("partial")
            archives = try cache.createDirectory("archives")
            catalogues = try cache.createDirectory("catalogues")
            images = try cache.createDirectory("images")
            stickers = try cache.createDirectory("stickers")
            thumbnails = try cache.createDirectory("thumbnails")
            imports = try cache.createDirectory("imports")
        } catch {
            throw StoreError(.homeNotUsable, cause: error)
        }
    }
}
