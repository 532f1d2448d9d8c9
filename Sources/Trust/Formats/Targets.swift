public import FoundationEssentials
public import StoreModel

/// The signed part of `targets.json` or of a delegated role: files, and delegations to other roles (section 4.5).
public struct Targets: MetadataRole {
    public static let type = "targets"
    public let version: Int
    public let expires: Date
    /// The public keys of the roles that this one delegates to, by identifier.
    public let keys: [String: PublicKey]
    /// The roles that this one delegates to; the first of them has priority.
    public let delegations: [Delegation]
    /// The roles among which all paths are distributed, in place of ``delegations``.
    public let bins: HashBins?
    private let files: [String: TargetFile]

    public init(version: Int, expires: Date, from signed: MetadataMembers) throws(StoreError) {
        self.version = version
        self.expires = expires
        var files: [String: TargetFile] = [:]
        for (path, target) in try signed.value.member("targets").object() {
            files[path] = try TargetFile(path: path, from: target)
        }
        self.files = files
        guard let value = try signed.value.optional("delegations") else {
            keys = [:]
            delegations = []
            bins = nil
            return
        }
        keys = try RoleKeys.keys(try value.member("keys"))
        if let roles = try value.optional("succinct_roles"), try value.optional("roles") == nil {
            delegations = []
            bins = try HashBins(from: roles)
            return
        }
        bins = nil
        let roles = try value.member("roles")
        var delegations: [Delegation] = []
        for role in try roles.array() { delegations.append(try Delegation(from: role)) }
        self.delegations = delegations
        // Section 4.5: "The rolename MUST be unique in the delegations object".
        guard Set(delegations.map(\.role)).count == delegations.count else {
            throw roles.invalid("has two roles of the same name")
        }
    }

    /// Returns what the role states of the file with a path, if it lists the file itself.
    public func file(_ path: String) -> TargetFile? {
        // Swift's strings are equal if their characters are; a path is its bytes.
        guard let file = files[path], file.path.utf8.elementsEqual(path.utf8) else { return nil }
        return file
    }

    /// Returns the delegations of a path, the one with priority first.
    public func delegations(of path: String) -> [Delegation] {
        if let bins { return [bins.delegation(of: path)] }
        return delegations.filter { $0.covers(path) }
    }

    /// The files that the role lists itself, in the order of their paths.
    public var allFiles: [TargetFile] {
        files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}

/// What signed metadata states of a file of the store: its length and hashes.
public struct TargetFile: Sendable {
    /// The path of the file, relative to the URL of the store's target files.
    public let path: String
    /// The length of the file in bytes.
    public let length: Int
    /// The hashes of the file.
    public let hashes: FileHashes
    /// What the publisher states beyond that, which has no meaning for the verification.
    public let custom: CanonicalJSON?

    init(path: String, from value: MetadataValue) throws(StoreError) {
        self.path = path
        length = try value.member("length").integer(from: 0)
        hashes = try FileHashes(from: try value.member("hashes"))
        custom = try value.optional("custom")?.json
    }

    /// Checks that the content of the file is the one that was signed.
    ///
    /// - Throws: `trust.hash-mismatch`, or `trust.unsupported` if no kind of the hashes is known.
    public func check(_ content: Data) throws(StoreError) {
        try FileHashes.check(content, length: length, hashes: hashes, file: path)
    }

    /// The error of a file that is longer than signed metadata states.
    public var tooLong: StoreError { StoreError(.trustTooLong, ["file": .untrusted(path), "limit": .bytes(length)]) }

    /// Returns the path on the server: with a hash in the file's name where the store has consistent snapshots.
    public func remotePath(hasConsistentSnapshots: Bool) -> String {
        guard hasConsistentSnapshots else { return path }
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return path[..<slash] + hashes.nameDigest + "." + path[slash...]
    }
}
