public import FoundationEssentials
public import StoreModel
public import StoreSystem
import Synchronization

/// The directory with the trusted metadata of one store, each file under its name without version.
///
/// Files are replaced atomically and durably. They are verified again whenever they are used, except for the root,
/// which is the one that the user trusts or a successor of it.
public final class MetadataDirectory: Sendable {
    private let directory: Directory
    /// The names of the files that were read or stored since the last ``removeUnused()``.
    private let used = Mutex<Set<String>>([])

    /// Uses a directory for the metadata of a store.
    public init(_ directory: Directory) { self.directory = directory }

    /// Makes a root the trusted one, whose fingerprint the user has checked or whose origin the user trusts.
    ///
    /// - Throws: `trust.malformed`, `trust.unsupported` or `trust.signature` if the root is not valid by itself; an error
    ///   of the disk.
    public func initialize(root: Data) throws {
        _ = try MetadataUpdate(root: root, at: .distantPast)
        try store(root, as: TopLevelRole.root.file)
    }

    /// Returns the stored metadata file, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - file: the name of the file without version, such as `root.json`.
    ///   - limit: the maximum length in bytes; a longer file counts as missing, because it was not stored with it.
    public func content(of file: String, limit: Int) throws(StoreError) -> Data? {
        let name = MetadataFileName.encoded(file)
        guard let status = try directory.status(of: name), status.kind == .file, status.size <= limit else {
            return nil
        }
        used.withLock { _ = $0.insert(name) }
        return try directory.read(name, limit: limit)
    }

    /// Returns the trusted root.
    ///
    /// - Throws: `trust.no-root`.
    func root(limits: TrustLimits) throws(StoreError) -> Data {
        let file = TopLevelRole.root.file
        guard let root = try content(of: file, limit: limits.rootLength) else {
            throw StoreError(.trustRootMissing, ["path": .path(directory.path)])
        }
        return root
    }

    /// Stores a verified metadata file in place of the previous one.
    func store(_ bytes: Data, as file: String) throws {
        let name = MetadataFileName.encoded(file)
        used.withLock { _ = $0.insert(name) }
        try directory.replace(name, with: bytes)
    }

    /// Removes the metadata of delegated roles that was neither read nor stored since the last call.
    ///
    /// It has to be called after the metadata of every role that is still delegated was read. Without it, a store that
    /// delegates to ever new roles could fill the disk.
    ///
    /// - Throws: an error of the disk.
    public func removeUnused() throws(StoreError) {
        let kept = used.withLock { used in
            defer { used = [] }
            return used.union(TopLevelRole.allCases.map { MetadataFileName.encoded($0.file) })
        }
        for entry in try directory.entries()
        where entry.kind == .file && entry.name.hasSuffix(".json") && !kept.contains(entry.name) {
            try directory.remove(entry.name)
        }
    }

    /// Makes the changes that a step of an update returns.
    func apply(_ changes: [MetadataUpdate.Change]) throws {
        for change in changes {
            switch change {
            case .store(let role, let bytes): try store(bytes, as: role.file)
            case .delete(let role): try delete(role.file)
            }
        }
    }

    private func delete(_ file: String) throws(StoreError) {
        do { try directory.remove(file) } catch let error where error.isMissing {}
    }

    /// The path of the directory, for messages.
    var path: String { directory.path }
}
