import FoundationEssentials
import StoreModel
import StoreSystem

/// The files that clients will fetch, each once, named by its hash; private until they are published.
///
/// What is made waits beside them until ``commit()`` has it on the disk: a file that has its name is whole, also
/// after a power cut, and need not be looked into again.
final class ObjectFolder {
    private let directory: Directory
    /// Files that are being made. Whatever is left in it belongs to a run that was interrupted.
    private let incoming: Directory
    private var pending: [StoredFile] = []

    /// - Parameter root: the store's folder, whose lock is held.
    init(in root: Directory) throws {
        directory = try root.createDirectory(StoreLayout.objects)
        try directory.removeTree(StoreLayout.incoming)
        try directory.makeDirectory(StoreLayout.incoming)
        incoming = try directory.openDirectory(StoreLayout.incoming)
        for folder in StoreLayout.Folder.allCases { _ = try directory.createDirectory(folder.rawValue) }
    }

    /// Whether it is there and committed.
    func has(_ file: StoredFile) throws -> Bool {
        let status = try folder(of: file).status(of: file.name)
        return status?.kind == .file && status?.size == file.size
    }

    /// Makes a file, of which the hash is known only when it is complete.
    func make(
        _ folder: StoreLayout.Folder, suffix: String, _ body: (OpenFile) throws -> Void
    ) throws -> StoredFile {
        let name = "new"
        try incoming.removeTree(name)
        let open = try incoming.createFile(name)
        try body(open)
        let (size, sha256) = try open.sizeAndDigest()
        let file = StoredFile(folder: folder, suffix: suffix, size: size, sha256: sha256)
        if try has(file) {
            try incoming.remove(name)
        } else {
            try incoming.rename(name, to: incoming, as: file.name, replacing: true)
            pending.append(file)
        }
        return file
    }

    func put(_ data: Data, in folder: StoreLayout.Folder) throws -> StoredFile {
        let file = StoredFile(folder: folder, data: data)
        return try has(file) ? file : make(folder, suffix: "json") { try $0.write(data) }
    }

    /// Gives everything that was made its name.
    func commit() throws {
        guard !pending.isEmpty else { return }
        try directory.syncFileSystem()
        for file in pending where try incoming.status(of: file.name) != nil {
            try incoming.rename(file.name, to: folder(of: file), as: file.name, replacing: true)
        }
        pending = []
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

    func folder(of file: StoredFile) throws -> Directory { try directory.openDirectory(file.folder) }
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
