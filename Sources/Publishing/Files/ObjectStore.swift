import FoundationEssentials
import StoreModel
import StoreSystem

/// A publisher's directory of private files that are named by the hash of their content.
///
/// Publishing links them into the public directory. New files stay in a separate directory until ``commit()`` has
/// synced them. So a file that has its final name is complete even after a power cut, and need not be verified again.
final class ObjectStore {
    private static let importsName = "imports"

    private let directory: Directory
    /// The directory of the publisher's files that are being created.
    ///
    /// Files left in it belong to an interrupted run.
    private let incoming: Directory
    private var pending: [StoredFile] = []

    /// Opens the directory of files named by their hash, in the directory of a publisher's store.
    ///
    /// - Parameter root: the store's directory, whose lock the caller holds.
    init(in root: Directory) throws {
        directory = try root.createDirectory(StoreLayout.objects)
        try directory.removeTree(StoreLayout.incoming)
        try directory.makeDirectory(StoreLayout.incoming)
        incoming = try directory.openDirectory(StoreLayout.incoming)
        for name in StoreLayout.ObjectDirectory.allCases { _ = try directory.createDirectory(name.rawValue) }
    }

    /// Returns the directory for packs that are imported while others are added, which it creates if it is missing.
    func imports() throws -> Directory { try incoming.createDirectory(Self.importsName) }

    /// Removes the imported packs; what can't be removed now is removed when the directory is opened the next time.
    func removeImports() { try? incoming.removeTree(Self.importsName) }

    /// Returns whether the publisher's store contains a file under its final name.
    func has(_ file: StoredFile) throws -> Bool {
        let status = try directory(of: file).status(of: file.name)
        return status?.kind == .file && status?.size == file.size
    }

    /// Creates a file of the publisher's store that is named by the hash of its content.
    ///
    /// ``commit()`` moves it into `directory`. A file that the store already has is dropped.
    ///
    /// - Parameters:
    ///   - directory: the directory for the file, by the type of content.
    ///   - suffix: the extension of the file's name.
    ///   - body: writes the content.
    func make(
        _ directory: StoreLayout.ObjectDirectory, suffix: String, _ body: (OpenFile) throws -> Void
    ) throws -> StoredFile {
        let name = "new"
        try incoming.removeTree(name)
        let open = try incoming.createFile(name)
        try body(open)
        let (sha256, size) = try FileHasher(chunkSize: 1 << 20).digest(of: open)
        let file = StoredFile(directory: directory, suffix: suffix, size: size, sha256: sha256)
        if try has(file) {
            try incoming.remove(name)
        } else {
            try incoming.rename(name, to: incoming, as: file.name, replacing: true)
            pending.append(file)
        }
        return file
    }

    /// Stores a JSON document as a file of the publisher's store that is named by its hash.
    func put(_ data: Data, in directory: StoreLayout.ObjectDirectory) throws -> StoredFile {
        let file = StoredFile(directory: directory, data: data)
        return try has(file) ? file : make(directory, suffix: "json") { try $0.write(data) }
    }

    /// Syncs the new files of the publisher's store and renames them to their final names.
    func commit() throws {
        guard !pending.isEmpty else { return }
        try directory.syncFileSystem()
        for file in pending where try incoming.status(of: file.name) != nil {
            try incoming.rename(file.name, to: directory(of: file), as: file.name, replacing: true)
        }
        pending = []
    }

    /// Removes all files of the publisher's store whose paths are not in `paths`.
    func sweep(keeping paths: Set<String>) throws {
        for name in StoreLayout.ObjectDirectory.allCases {
            let objects = try directory.openDirectory(name.rawValue)
            for entry in try objects.entries() where !paths.contains("\(name.rawValue)/\(entry.name)") {
                try objects.removeTree(entry.name)
            }
        }
    }

    /// Opens the directory of the publisher's store that contains a file.
    func directory(of file: StoredFile) throws -> Directory { try directory.openDirectory(file.directory) }
}
