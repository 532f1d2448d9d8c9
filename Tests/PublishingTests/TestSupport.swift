import FoundationEssentials
import StoreCatalogue
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSystem
import StoreTestSupport

/// A temporary directory with a publisher's store and pack directories.
final class Workshop: Sendable {
    private let folder: TemporaryFolder
    var path: String { folder.path }
    let time = Date(timeIntervalSince1970: 1_700_000_000)

    init(kinds: ContentKinds = ContentKinds([])) throws {
        folder = try TemporaryFolder()
        _ = try Storehouse.create(at: storePath)
    }

    var storePath: String { path + "/store" }
    var publicPath: String { storePath + "/public" }

    func store(kinds: ContentKinds = ContentKinds([])) throws -> Storehouse {
        try Storehouse(path: storePath, kinds: kinds)
    }

    /// Writes the files of a pack to a new directory, and returns its path.
    @discardableResult
    func pack(_ name: String, _ files: [String: String]) throws -> String {
        try pack(name, data: files.mapValues { Data($0.utf8) })
    }

    /// Writes the files of a pack to a new directory, and returns its path.
    func pack(_ name: String, data files: [String: Data]) throws -> String {
        try folder.directory.removeTree(name)
        let directory = try folder.directory.createDirectory(name)
        for (path, data) in files { try directory.put(path, data) }
        return path + "/" + name
    }

    @discardableResult
    func add(_ folder: String, _ options: AddOptions = AddOptions()) throws -> Storehouse.Added {
        try store().add([folder], options: options, time: time)[0].result.get()
    }

    /// Returns the content of all files beneath a directory by path.
    func files(beneath folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        func walk(_ directory: Directory, _ prefix: String) throws {
            for entry in try directory.entries() {
                if entry.kind == .folder {
                    try walk(directory.openDirectory(entry.name), prefix + entry.name + "/")
                } else {
                    files[prefix + entry.name] = try directory.read(entry.name)
                }
            }
        }
        try walk(Directory.open(folder), "")
        return files
    }

    func published() throws -> [String: Data] { try files(beneath: publicPath) }

    /// Returns the published catalogue as a client parses it.
    func catalogue() async throws -> Catalogue {
        let cache = CatalogueCache(directory: try folder.directory.createDirectory("cache"))
        let url = URL(filePath: publicPath, directoryHint: .isDirectory)
        return try await CatalogueSource(url: url, cache: cache, fetcher: FileFetcher()).refresh().catalogue
    }
}

/// Fetches documents from local files.
struct FileFetcher: DocumentFetching {
    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument {
        do {
            let data = try OpenFile.open(url.path).readAll(limit: 1 << 30)
            return data.count > sizeLimit ? .tooLarge : .document(data, etag: nil, lastModified: nil, url: url)
        } catch  where error.code == .fileMissing {
            return .missing
        }
    }
}
