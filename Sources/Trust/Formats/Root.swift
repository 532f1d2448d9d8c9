public import FoundationEssentials
public import StoreModel

/// A top-level role: one of the four that the root metadata names keys for.
public enum TopLevelRole: String, Sendable, CaseIterable {
    case root, timestamp, snapshot, targets

    /// The name of the role's metadata file without version, such as `root.json`.
    public var file: String { rawValue + ".json" }
}

/// The signed part of `root.json`: the keys of the top-level roles (section 4.3).
public struct Root: MetadataRole {
    public static let type = "root"
    public let version: Int
    public let expires: Date
    /// Whether the names of files contain a version or a hash, so that no file changes while clients read it.
    public let hasConsistentSnapshots: Bool
    /// The public keys by identifier.
    public let keys: [String: PublicKey]
    private let roles: [TopLevelRole: RoleKeys]

    public init(version: Int, expires: Date, from signed: MetadataMembers) throws(StoreError) {
        let value = signed.value
        self.version = version
        self.expires = expires
        hasConsistentSnapshots = try value.optional("consistent_snapshot")?.bool() ?? false
        keys = try RoleKeys.keys(try value.member("keys"))
        let members = try value.member("roles")
        var roles: [TopLevelRole: RoleKeys] = [:]
        for role in TopLevelRole.allCases { roles[role] = try RoleKeys(from: try members.member(role.rawValue)) }
        self.roles = roles
    }

    /// Returns the keys that are trusted for a top-level role, and their threshold.
    public func keys(of role: TopLevelRole) -> RoleKeys { roles[role] ?? RoleKeys(keyIDs: [], threshold: 1) }

    /// Returns whether another root takes the trust from a key of a role that this root trusts for it.
    func hasKey(of role: TopLevelRole, revokedBy other: Root) -> Bool {
        let kept = Set(other.keys(of: role).keyIDs.compactMap { other.keys[$0] })
        return !Set(keys(of: role).keyIDs.compactMap { keys[$0] }).isSubset(of: kept)
    }
}

extension SignedMetadata where Role == Root {
    /// Checks that a threshold of its own root keys have signed the root (section 5.3.4).
    ///
    /// - Throws: `trust.signature`.
    public func verifySelfSigned() throws(StoreError) { try verify(by: signed.keys(of: .root), of: signed.keys) }
}
