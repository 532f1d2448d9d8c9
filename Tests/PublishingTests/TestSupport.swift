import FoundationEssentials
import StoreCatalogue
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSystem

/// A store and pack folders in a folder that is removed when the test ends.
final class Workshop: Sendable {
    let path: String
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    private let parent: Directory
    private let name: String

    init(kinds: ContentKinds = ContentKinds([])) throws {
        name = "storehouse-test-" + OperationID().rawValue
        path = FileManager.default.temporaryDirectory.path + "/" + name
        parent = try Directory.open(FileManager.default.temporaryDirectory.path)
        try parent.makeDirectory(name)
        _ = try Storehouse.create(at: storePath)
    }

    deinit { try? parent.removeTree(name) }

    var storePath: String { path + "/store" }
    var publicPath: String { storePath + "/public" }

    func store(kinds: ContentKinds = ContentKinds([])) throws -> Storehouse {
        try Storehouse(path: storePath, kinds: kinds)
    }

    /// Makes a pack's folder anew, out of files by their paths.
    @discardableResult
    func pack(_ folder: String, _ files: [String: String]) throws -> String {
        let root = try parent.openDirectory(name)
        try root.removeTree(folder)
        let directory = try root.createDirectory(folder)
        for (path, text) in files {
            if let slash = path.lastIndex(of: "/") {
                _ = try directory.createDirectory(String(path[..<slash]))
            }
            try directory.createFile(path).write(Data(text.utf8))
        }
        return self.path + "/" + folder
    }

    @discardableResult
    func add(_ folder: String, _ options: AddOptions = AddOptions()) throws -> Storehouse.Added {
        try store().add([folder], options: options, time: time)[0].result.get()
    }

    /// All files of a folder, by their paths.
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

    /// What a client sees, fetched from the files as from a server.
    func catalogue() async throws -> Catalogue {
        let root = try parent.openDirectory(name)
        let cache = CatalogueCache(directory: try root.createDirectory("cache"))
        let url = URL(filePath: publicPath, directoryHint: .isDirectory)
        return try await CatalogueSource(url: url, cache: cache, fetcher: FileFetcher()).refresh().catalogue
    }
}

/// Brings documents from local files.
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
