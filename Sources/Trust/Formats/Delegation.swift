import StoreModel

/// A delegation of a part of a role's files to another role, with the keys that are trusted for that role.
public struct Delegation: Sendable {
    /// The name of the delegated role.
    public let role: String
    /// The keys that are trusted for the delegated role when it is reached through this delegation.
    public let keys: RoleKeys
    /// Whether later delegations don't count for the paths of this one.
    public let isTerminating: Bool
    /// The paths that are delegated.
    public let paths: Paths
    /// The beginning of the identifiers of the products that the delegated role may offer, if it is a publisher's.
    ///
    /// It is as the metadata states it: ``PublisherTable`` checks it.
    public let identifierPrefix: String?

    /// The member of a delegation that has ``identifierPrefix``; the specification does not define it.
    static let identifierPrefixMember = "x-identifier-prefix"

    /// The paths of a delegation.
    public enum Paths: Sendable {
        /// The paths that match one of several patterns.
        case patterns([PathPattern])
        /// The paths whose SHA-256 in hexadecimal digits begins with one of several prefixes.
        case hashPrefixes([String])
    }

    /// The name of the delegated role's metadata file without version.
    public var file: String { role + ".json" }

    /// Creates a delegation, of which nothing is checked until metadata with it is parsed.
    ///
    /// - Parameter role: the name of the delegated role, which can't be that of a top-level role.
    public init(
        role: String, keys: RoleKeys, isTerminating: Bool, paths: Paths, identifierPrefix: String? = nil
    ) {
        self.role = role
        self.keys = keys
        self.isTerminating = isTerminating
        self.paths = paths
        self.identifierPrefix = identifierPrefix
    }

    init(from value: MetadataValue) throws(StoreError) {
        let name = try value.member("name")
        role = try name.string()
        // The files of a role of that name would be those of the top-level role.
        guard !role.isEmpty, TopLevelRole(rawValue: role) == nil else {
            throw name.invalid("is not the name of a delegated role")
        }
        keys = try RoleKeys(from: value)
        // An example of the specification lacks the member.
        isTerminating = try value.optional("terminating")?.bool() ?? false
        identifierPrefix = try value.optional(Self.identifierPrefixMember)?.string()
        switch (try value.optional("paths"), try value.optional("path_hash_prefixes")) {
        case (let patterns?, nil): paths = .patterns(try patterns.strings().map(PathPattern.init))
        case (nil, let prefixes?): paths = .hashPrefixes(try prefixes.strings().map { $0.lowercased() })
        default: throw value.invalid("has not exactly one of 'paths' and 'path_hash_prefixes'")
        }
    }

    /// The description of the delegation in metadata; members that this program does not know are not kept.
    var description: CanonicalJSON {
        var members: [String: CanonicalJSON] = [
            "name": .string(role), "keyids": .array(keys.keyIDs.map { .string($0) }),
            "threshold": .integer(String(keys.threshold)), "terminating": .bool(isTerminating),
        ]
        switch paths {
        case .patterns(let patterns): members["paths"] = .array(patterns.map { .string($0.text) })
        case .hashPrefixes(let prefixes): members["path_hash_prefixes"] = .array(prefixes.map { .string($0) })
        }
        if let identifierPrefix { members[Self.identifierPrefixMember] = .string(identifierPrefix) }
        return .object(members)
    }

    /// Returns whether the delegation is about a path.
    public func covers(_ path: String) -> Bool {
        switch paths {
        case .patterns(let patterns): return patterns.contains { $0.matches(path) }
        case .hashPrefixes(let prefixes):
            let digest = SHA256Digest(of: path.utf8).hex
            return prefixes.contains { digest.hasPrefix($0) }
        }
    }
}
