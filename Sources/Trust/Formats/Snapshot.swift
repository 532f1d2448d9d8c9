public import FoundationEssentials
public import StoreModel

/// The signed part of `timestamp.json`: the current version of the snapshot (section 4.6).
public struct Timestamp: MetadataRole {
    public static let type = "timestamp"
    public let version: Int
    public let expires: Date
    /// What the timestamp states of `snapshot.json`.
    public let snapshot: ListedMetadata

    public init(version: Int, expires: Date, from signed: MetadataMembers) throws(StoreError) {
        self.version = version
        self.expires = expires
        snapshot = try ListedMetadata(from: try signed.value.member("meta").member(TopLevelRole.snapshot.file))
    }
}

/// The signed part of `snapshot.json`: the current versions of all targets metadata (section 4.4).
public struct Snapshot: MetadataRole {
    public static let type = "snapshot"
    public let version: Int
    public let expires: Date
    /// What the snapshot states of each metadata file, by its name without version, such as `targets.json`.
    public let files: [String: ListedMetadata]

    public init(version: Int, expires: Date, from signed: MetadataMembers) throws(StoreError) {
        self.version = version
        self.expires = expires
        var files: [String: ListedMetadata] = [:]
        for (file, listed) in try signed.value.member("meta").object() {
            files[file] = try ListedMetadata(from: listed)
        }
        self.files = files
    }
}

/// What a timestamp or snapshot states of another metadata file.
public struct ListedMetadata: Sendable {
    /// The version of the metadata file.
    public let version: Int
    /// The length of the metadata file in bytes, if it is stated.
    public let length: Int?
    /// The hashes of the metadata file, if they are stated.
    public let hashes: FileHashes?

    init(from value: MetadataValue) throws(StoreError) {
        version = try value.member("version").integer(from: 1)
        length = try value.optional("length")?.integer(from: 0)
        hashes = try value.optional("hashes").map { value throws(StoreError) in try FileHashes(from: value) }
    }

    /// The description of the metadata file in a timestamp or snapshot.
    var description: CanonicalJSON {
        var members: [String: CanonicalJSON] = ["version": .integer(String(version))]
        if let length { members["length"] = .integer(String(length)) }
        if let hashes { members["hashes"] = .object(hashes.digests.mapValues { .string($0) }) }
        return .object(members)
    }

    /// Checks that a metadata file has the stated length and hashes.
    ///
    /// - Throws: `trust.hash-mismatch`, or `trust.unsupported` if no kind of the hashes is known.
    func check(_ bytes: Data, file: String) throws(StoreError) {
        try FileHashes.check(bytes, length: length, hashes: hashes, file: file)
    }
}
