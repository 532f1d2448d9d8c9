import Files
import FoundationEssentials
import StoreModel

/// The files that clients will fetch, each once, named by its hash; private until they are published.
struct ObjectFolder {
    let directory: Directory
    /// Files that are being made. Whatever is left in it belongs to a run that was interrupted.
    private let incoming: Directory

    /// - Parameter root: the store's folder, whose lock is held.
    init(in root: Directory) throws {
        directory = try root.createDirectory(StoreLayout.objects)
        try directory.removeTree(StoreLayout.incoming)
        try directory.makeDirectory(StoreLayout.incoming)
        incoming = try directory.openDirectory(StoreLayout.incoming)
        for folder in StoreLayout.Folder.allCases { _ = try directory.createDirectory(folder.rawValue) }
    }

    func has(_ file: StoredFile) throws -> Bool {
        let status = try folder(of: file).status(of: file.name)
        return status?.kind == .file && status?.size == file.size
    }

    /// Makes a file, of which the hash is known only when it is complete.
    func make(
        _ folder: StoreLayout.Folder, suffix: String, _ body: (OpenFile) throws -> Void
    ) throws -> (file: StoredFile, open: OpenFile) {
        let name = "new"
        try incoming.removeTree(name)
        let open = try incoming.createFile(name)
        try body(open)
        let (size, sha256) = try open.sizeAndDigest()
        let file = StoredFile(folder: folder, suffix: suffix, size: size, sha256: sha256)
        try open.sync()
        try incoming.rename(name, to: self.folder(of: file), as: file.name, replacing: true)
        return (file, open)
    }

    func put(_ data: Data, as file: StoredFile) throws {
        guard try !has(file) else { return }
        _ = try make(file.folder, suffix: "json") { try $0.write(data) }
    }

    /// Removes what is not among `paths`.
    func sweep(keeping paths: Set<String>) throws {
        for folder in StoreLayout.Folder.allCases {
            let directory = try directory.openDirectory(folder.rawValue)
            for entry in try directory.entries() where !paths.contains("\(folder.rawValue)/\(entry.name)") {
                try directory.removeTree(entry.name)
            }
        }
    }

    func folder(of file: StoredFile) throws -> Directory { try directory.openDirectory(file.folder.rawValue) }
}

extension StoredFile {
    var folder: StoreLayout.Folder {
        // Paths are made of a folder's word, in this module only; one from a damaged store.json was refused before.
        StoreLayout.Folder(rawValue: String(path.prefix { $0 != "/" })) ?? .archives
    }

    /// The last part of the path.
    var name: String { String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) }
}

extension OpenFile {
    fileprivate func sizeAndDigest() throws -> (Int, SHA256Digest) {
        var hasher = SHA256Hasher()
        var offset = 0
        while true {
            let bytes = try read(count: 1 << 20, at: offset)
            if bytes.isEmpty { return (offset, hasher.finalize()) }
            hasher.update(bytes)
            offset += bytes.count
        }
    }
}
