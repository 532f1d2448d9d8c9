import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem

/// The directory of a publisher's store that is served to clients.
///
/// Clients may read it at any moment. So files are only added under new names, the index is replaced atomically, and
/// files of the previous index stay until the publication after this one.
struct PublicDirectory {
    let directory: Directory

    /// Opens or creates the directory that is served to clients.
    ///
    /// - Parameter path: may be a symbolic link, because a web server's directory may be elsewhere.
    init(path: String) throws {
        directory = try Directory.create(path, mode: 0o755)
    }

    /// Returns the catalogue that clients see now in the public directory.
    ///
    /// The result is `nil` before the first publication, or if the index is damaged, which the next publication
    /// repairs.
    ///
    /// - Throws: for an error of the disk: what clients see would be taken for unused.
    func published() throws -> PublishedCatalogue? {
        guard let data = try read(StoreLayout.index) else { return nil }
        return try catalogue(index: data) { try read($0) }
    }

    /// Returns the paths of all files that clients may be reading.
    ///
    /// An interrupted publication of a signed store may have replaced `catalogue.json` and not the timestamp. Clients that
    /// verify signatures then still read the catalogue that the timestamp leads to.
    ///
    /// - Parameter published: the catalogue of `catalogue.json`.
    func pathsInUse(_ published: PublishedCatalogue?) throws -> Set<String> {
        var paths = published?.paths ?? []
        let known = published.map { Self.indexName(SHA256Digest(of: $0.index)) }
        for name in servedMetadata().indexes where name != known {
            guard let index = try read(name) else { continue }
            paths.formUnion(try catalogue(index: index) { try read($0) }?.paths ?? [])
        }
        return paths
    }

    /// Returns the catalogue that clients would see after a publication.
    func catalogue(of publication: Publication) -> PublishedCatalogue? {
        let documents = Dictionary(publication.documents.map { ($0.file.path, $0.data) }) { first, _ in first }
        return catalogue(index: publication.index) { documents[$0] }
    }

    private func catalogue(
        index data: Data, _ document: (_ path: String) throws -> Data?
    ) rethrows -> PublishedCatalogue? {
        let base = URL(filePath: directory.path).appending(path: StoreLayout.index)
        guard case .index(let index)? = try? CatalogueDocument.parse(data, url: base) else { return nil }
        var published = PublishedCatalogue(index: data)
        for shard in index.shards {
            let file = StoredFile(directory: .catalogue, suffix: "json", size: shard.size, sha256: shard.sha256)
            published.paths.insert(file.path)
            guard let data = try document(file.path), let list = try? CatalogueDocument.parse(data, of: shard)
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

    private func read(_ name: String) throws(StoreError) -> Data? {
        do {
            return try directory.read(name)
        } catch {
            if error.isInconclusive { throw error }
            return nil
        }
    }

    /// Adds a file of the publisher's store to the public directory; returns whether it was not there before.
    func add(_ file: StoredFile, from objects: ObjectStore) throws -> Bool {
        let target = try directory.createDirectory(file.directory, mode: 0o755)
        if let status = try target.status(of: file.name) {
            if status.kind == .file, status.size == file.size { return false }
            try target.removeTree(file.name)
        }
        let source = try objects.directory(of: file)
        do {
            try source.link(file.name, to: target, as: file.name)
        } catch  where [.improperLink, .notPermitted, .tooManyLinks, .notSupported].contains(error.errno) {
            // The hard link failed: the directory is on another file system, or on one without hard links.
            try copy(source.openFile(file.name), to: target, as: file.name)
        }
        return true
    }

    /// Removes files that a publication added before it failed; what can't be removed is removed by the next one.
    func remove(_ files: [StoredFile]) {
        for file in files { try? directory.remove(file.path) }
    }

    /// Copies a file to a directory, synced, before it gets its name.
    func copy(_ source: OpenFile, to target: Directory, as name: String) throws {
        let temporary = name + ".new"
        try target.removeTree(temporary)
        let copy = try target.createFile(temporary)
        var offset = 0
        while true {
            let bytes = try source.read(count: 1 << 20, at: offset)
            if bytes.isEmpty { break }
            try bytes.withUnsafeBytes { try copy.write($0) }
            offset += bytes.count
        }
        // Synced before it gets its final name, because a file with such a name counts as complete.
        try copy.sync()
        try target.rename(temporary, to: target, as: name, replacing: true)
    }

    /// Replaces the catalogue's index in the public directory, which makes the publication visible to clients.
    ///
    /// All files that it refers to are synced before.
    func replaceIndex(with data: Data) throws {
        try directory.syncFileSystem()
        try replaceServed(StoreLayout.index, in: directory, with: data)
    }

    /// Replaces a file whose name stays the same, atomically and durably, so that web servers see that it changed.
    func replaceServed(_ name: String, in directory: Directory, with data: Data) throws {
        let before = try directory.status(of: name)?.modifiedAt
        let temporary = name + ".new"
        try directory.removeTree(temporary)
        let file = try directory.createFile(temporary)
        try file.write(data)
        // Web servers distinguish two versions of a file by length and second. Versions often have equal lengths, so the
        // second must differ; otherwise clients with the previous version would get 'not modified'.
        if let before, Int(try file.status().modifiedAt.timeIntervalSince1970) <= Int(before.timeIntervalSince1970) {
            try file.setModified(before.addingTimeInterval(1))
        }
        try file.sync()
        try directory.rename(temporary, to: directory, as: name, replacing: true)
        try directory.sync()
    }

    /// Removes generated files from the public directory whose paths are not in `paths`; returns their number.
    ///
    /// Files that were not generated by this tool stay.
    func sweep(keeping paths: Set<String>) throws -> Int {
        var removed = 0
        for folder in StoreLayout.ObjectDirectory.allCases where try directory.status(of: folder.rawValue) != nil {
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

/// The catalogue that was last published, as the public directory contains it.
struct PublishedCatalogue {
    let index: Data
    var products: [String: ProductItem] = [:]
    /// The paths, relative to the public directory, of all files that the published index refers to.
    var paths: Set<String> = []

    init(index: Data) { self.index = index }
}
