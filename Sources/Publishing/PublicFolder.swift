import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem

/// What is served. Clients may read it at any moment, so files are only ever added under new names, the index is
/// replaced in one step, and what the index before led to stays until the publication after this one.
struct PublicFolder {
    let directory: Directory

    /// - Parameter path: followed if it is a link: a web server's folder may lie elsewhere.
    init(path: String) throws {
        directory = try Directory.create(path, mode: 0o755)
    }

    /// What clients see now; `nil` before the first publication, or where it can't be read, which publishing cures.
    func published() -> PublishedCatalogue? {
        guard let data = try? directory.read(StoreLayout.index) else { return nil }
        let base = URL(filePath: directory.path).appending(path: StoreLayout.index)
        guard case .index(let index)? = try? CatalogueDocument.parse(data, url: base) else { return nil }
        var published = PublishedCatalogue(index: data)
        for shard in index.shards {
            let file = StoredFile(folder: .catalogue, suffix: "json", size: shard.size, sha256: shard.sha256)
            published.paths.insert(file.path)
            guard let data = try? directory.read(file.path), let list = try? CatalogueDocument.parse(data, of: shard)
            else { continue }
            for item in list.items {
                published.products[item.productIdentifier] = item
                let references = [item.resource, item.entryTable, item.image, item.details, item.sprite]
                for reference in references.compactMap({ $0 }) + item.previews {
                    published.paths.insert(reference.url.pathComponents.suffix(2).joined(separator: "/"))
                }
            }
        }
        return published
    }

    /// Makes an object one that can be fetched.
    ///
    /// - Returns: whether it was not there before.
    func add(_ file: StoredFile, from objects: ObjectFolder) throws -> Bool {
        let folder = try directory.createDirectory(file.folder, mode: 0o755)
        if let status = try folder.status(of: file.name) {
            if status.kind == .file, status.size == file.size { return false }
            try folder.removeTree(file.name)
        }
        let source = try objects.folder(of: file)
        do {
            try source.link(file.name, to: folder, as: file.name)
        } catch  where [.improperLink, .notPermitted, .tooManyLinks, .notSupported].contains(error.errno) {
            // Another file system, or one without hard links.
            try copy(source.openFile(file.name), to: folder, as: file.name)
        }
        return true
    }

    private func copy(_ source: OpenFile, to folder: Directory, as name: String) throws {
        let temporary = name + ".new"
        try folder.removeTree(temporary)
        let copy = try folder.createFile(temporary)
        var offset = 0
        while true {
            let bytes = try source.read(count: 1 << 20, at: offset)
            if bytes.isEmpty { break }
            try bytes.withUnsafeBytes { try copy.write($0) }
            offset += bytes.count
        }
        // Synced before it has its name, as the objects are: a name is taken for a whole file.
        try copy.sync()
        try folder.rename(temporary, to: folder, as: name, replacing: true)
    }

    /// The moment at which all of it becomes visible, when everything that it leads to is on the disk.
    func replaceIndex(with data: Data) throws {
        try directory.syncFileSystem()
        let before = try directory.status(of: StoreLayout.index)?.modifiedAt
        let temporary = StoreLayout.index + ".new"
        try directory.removeTree(temporary)
        let file = try directory.createFile(temporary)
        try file.write(data)
        // Web servers tell two versions of a file apart by length and second. Indexes are often of one length, so the
        // second must differ, or a client that has the one before would be told that nothing changed.
        if let before, Int(try file.status().modifiedAt.timeIntervalSince1970) <= Int(before.timeIntervalSince1970) {
            try file.setModified(before.addingTimeInterval(1))
        }
        try file.sync()
        try directory.rename(temporary, to: directory, as: StoreLayout.index, replacing: true)
        try directory.sync()
    }

    /// Removes the objects that are not among `paths`; what else a publisher put there is left alone.
    ///
    /// - Returns: how many went.
    func sweep(keeping paths: Set<String>) throws -> Int {
        var removed = 0
        for folder in StoreLayout.Folder.allCases where try directory.status(of: folder.rawValue) != nil {
            let objects = try directory.openDirectory(folder.rawValue)
            for entry in try objects.entries()
            where StoreLayout.isObjectName(entry.name) && !paths.contains("\(folder.rawValue)/\(entry.name)") {
                try objects.removeTree(entry.name)
                removed += 1
            }
        }
        return removed
    }
}

/// What the last publication made visible.
struct PublishedCatalogue {
    let index: Data
    var products: [String: ProductItem] = [:]
    /// Everything that it leads to, by place.
    var paths: Set<String> = []

    init(index: Data) { self.index = index }
}
