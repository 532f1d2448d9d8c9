public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The directory with the trusted metadata of one store, each file under its name without version.
///
/// Files are replaced atomically and durably. They are verified again whenever they are used, except for the root,
/// which is the one that the user trusts or a successor of it.
public struct MetadataDirectory: Sendable {
    private let directory: Directory

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
        try directory.replace(MetadataFileName.encoded(file), with: bytes)
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
