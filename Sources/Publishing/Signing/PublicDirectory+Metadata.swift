import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTrust

/// The signed metadata in the directory that is served.
///
/// Clients read `timestamp.json` first and last verify the index, so files are written in the opposite order; those whose
/// names contain a version or a hash never change.
extension PublicDirectory {
    /// The path of the index under which clients of a signed store fetch it.
    static func indexName(_ sha256: SHA256Digest) -> String { "\(sha256.hex).\(StoreLayout.index)" }

    private func metadataDirectory() throws -> Directory {
        try directory.createDirectory(StoreLayout.metadata, mode: 0o755)
    }

    /// Writes what the new timestamp will refer to: the index by its hash, targets metadata and snapshot.
    ///
    /// - Parameter index: the index; `nil` if it stays as it was last published.
    func prepare(_ signed: MetadataSigner.Signed, index: Data?) throws {
        let metadata = try metadataDirectory()
        if let index { try write(index, as: Self.indexName(SHA256Digest(of: index)), to: directory) }
        for targets in signed.publishers + [signed.targets] {
            try write(targets.bytes, as: Self.name(targets), to: metadata)
        }
        try write(signed.snapshot.bytes, as: Self.name(signed.snapshot), to: metadata)
    }

    /// Writes new roots and then the timestamp, which makes the publication visible to clients of the signed store.
    func reveal(_ signed: MetadataSigner.Signed) throws {
        let metadata = try metadataDirectory()
        for root in signed.roots { try write(root.bytes, as: Self.name(root), to: metadata) }
        try replaceServed(TopLevelRole.root.file, in: metadata, with: signed.root.bytes)
        try replaceServed(TopLevelRole.timestamp.file, in: metadata, with: signed.timestamp.bytes)
    }

    /// Returns whether clients can fetch the index that targets metadata lists.
    func servesIndex(of targets: SignedMetadata<Targets>) throws -> Bool {
        guard let sha256 = targets.signed.file(StoreLayout.index)?.hashes.sha256 else { return false }
        return try directory.status(of: Self.indexName(sha256)) != nil
    }

    /// Returns whether clients already get this metadata.
    func serves(_ signed: MetadataSigner.Signed) throws -> Bool {
        guard try directory.status(of: StoreLayout.metadata) != nil else { return false }
        let metadata = try metadataDirectory()
        func has(_ bytes: Data, _ name: String) throws -> Bool {
            try metadata.status(of: name) != nil && metadata.read(name) == bytes
        }
        return try has(signed.timestamp.bytes, TopLevelRole.timestamp.file)
            && has(signed.root.bytes, TopLevelRole.root.file) && has(signed.snapshot.bytes, Self.name(signed.snapshot))
            && (signed.publishers + [signed.targets]).allSatisfy { try has($0.bytes, Self.name($0)) }
    }

    /// Removes versions of the metadata, and of the index by hash, that no client reads any more.
    ///
    /// All roots stay, and what the previous timestamp refers to.
    ///
    /// - Parameter previous: the versions that were served before.
    func sweepMetadata(keeping signed: MetadataSigner.Signed, _ previous: ServedMetadata) throws {
        let metadata = try metadataDirectory()
        let kept = previous.names.union(
            (signed.publishers + [signed.targets]).map(Self.name) + [Self.name(signed.snapshot)])
        for entry in try metadata.entries() where !kept.contains(entry.name) && Self.isVersion(entry.name) {
            try metadata.remove(entry.name)
        }
        var indexes = previous.indexes
        if let sha256 = signed.targets.signed.file(StoreLayout.index)?.hashes.sha256 {
            indexes.insert(Self.indexName(sha256))
        }
        for entry in try directory.entries()
        where StoreLayout.isObjectName(entry.name) && entry.name.hasSuffix("." + StoreLayout.index)
            && !indexes.contains(entry.name)
        {
            try directory.remove(entry.name)
        }
    }

    static func name<Role>(_ metadata: SignedMetadata<Role>) -> String {
        "\(metadata.signed.version).\(metadata.file)"
    }

    /// Returns whether a file is a version of the metadata of any role but root, such as `3.targets.json`.
    private static func isVersion(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && Int(parts[0]) != nil && parts[2] == "json" && parts[1] != TopLevelRole.root.rawValue
    }

    func write(_ data: Data, as name: String, to directory: Directory) throws {
        if try directory.status(of: name) != nil, try directory.read(name) == data { return }
        try directory.replace(name, with: data, mode: 0o644)
    }

    /// The metadata files and indexes that the served timestamp refers to.
    struct ServedMetadata {
        var names: Set<String> = []
        var indexes: Set<String> = []
        var targets: SignedMetadata<Targets>?
    }

    /// Returns what the served timestamp refers to; nothing if there is none, or what is served is damaged.
    func servedMetadata() -> ServedMetadata {
        var served = ServedMetadata()
        func content(_ name: String) -> Data? { try? directory.read("\(StoreLayout.metadata)/\(name)") }
        guard let bytes = content(TopLevelRole.timestamp.file),
            let timestamp = try? SignedMetadata<Timestamp>(parsing: bytes, file: TopLevelRole.timestamp.file)
        else { return served }
        let snapshotName = "\(timestamp.signed.snapshot.version).\(TopLevelRole.snapshot.file)"
        served.names.insert(snapshotName)
        guard let bytes = content(snapshotName),
            let snapshot = try? SignedMetadata<Snapshot>(parsing: bytes, file: TopLevelRole.snapshot.file),
            let listed = snapshot.signed.files[TopLevelRole.targets.file]
        else { return served }
        let targetsName = "\(listed.version).\(TopLevelRole.targets.file)"
        // Those of publishers who were removed are not there any more.
        for (file, listed) in snapshot.signed.files { served.names.insert("\(listed.version).\(file)") }
        guard let bytes = content(targetsName),
            let targets = try? SignedMetadata<Targets>(parsing: bytes, file: TopLevelRole.targets.file),
            let sha256 = targets.signed.file(StoreLayout.index)?.hashes.sha256
        else { return served }
        served.targets = targets
        served.indexes.insert(Self.indexName(sha256))
        return served
    }
}
