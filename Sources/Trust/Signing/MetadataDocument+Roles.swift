public import FoundationEssentials
import StoreModel

/// The keys of the top-level roles and their thresholds, as a publisher changes them for a new root.
public struct RootContent: Sendable, Hashable {
    /// The keys of each role, in their order.
    public var keys: [TopLevelRole: [PublicKey]]
    /// The number of keys of each role that have to sign; 1 where none is stated.
    public var thresholds: [TopLevelRole: Int] = [:]

    /// Creates the content of a root from the keys of its roles.
    public init(keys: [TopLevelRole: [PublicKey]]) { self.keys = keys }

    /// Creates the content of a root that exists.
    public init(_ root: Root) {
        keys = [:]
        for role in TopLevelRole.allCases {
            let trusted = root.keys(of: role)
            keys[role] = trusted.keyIDs.compactMap { root.keys[$0] }
            thresholds[role] = trusted.threshold
        }
    }

    /// Returns the number of keys of a role that have to sign.
    public func threshold(of role: TopLevelRole) -> Int { thresholds[role] ?? 1 }
}

extension MetadataDocument {
    /// Creates an unsigned root, whose repository has consistent snapshots.
    public static func root(version: Int, expires: Date, _ content: RootContent) -> MetadataDocument {
        var keys: [String: CanonicalJSON] = [:]
        var roles: [String: CanonicalJSON] = [:]
        for role in TopLevelRole.allCases {
            let trusted = content.keys[role] ?? []
            for key in trusted { keys[key.identifier] = key.description }
            roles[role.rawValue] = .object([
                "keyids": .array(trusted.map { .string($0.identifier) }),
                "threshold": .integer(String(content.threshold(of: role))),
            ])
        }
        return MetadataDocument(
            .root, version: version, expires: expires,
            ["consistent_snapshot": .bool(true), "keys": .object(keys), "roles": .object(roles)])
    }

    /// Creates unsigned metadata of the top-level targets or of a delegated role, which lists files by path.
    ///
    /// - Parameters:
    ///   - delegations: the roles that the role delegates to; the first of them has priority.
    ///   - keys: the keys of the delegated roles by identifier; those that no delegation names are left out.
    public static func targets(
        version: Int, expires: Date, files: [String: Data], delegations: [Delegation] = [],
        keys: [String: PublicKey] = [:]
    ) -> MetadataDocument {
        var members = ["targets": CanonicalJSON.object(files.mapValues { .object(contentMembers($0)) })]
        if !delegations.isEmpty {
            let named = Set(delegations.flatMap(\.keys.keyIDs))
            members["delegations"] = .object([
                "keys": .object(keys.filter { named.contains($0.key) }.mapValues(\.description)),
                "roles": .array(delegations.map(\.description)),
            ])
        }
        return MetadataDocument(.targets, version: version, expires: expires, members)
    }

    /// Creates an unsigned snapshot, which lists the targets metadata.
    ///
    /// - Parameters:
    ///   - delegated: the metadata of the delegated roles.
    ///   - previous: the snapshot before this one. What it lists and the new one would not, such as the metadata of a
    ///     publisher who was revoked, is listed as before: clients refuse a snapshot that no longer lists a file.
    public static func snapshot(
        version: Int, expires: Date, targets: SignedMetadata<Targets>, delegated: [SignedMetadata<Targets>] = [],
        after previous: Snapshot? = nil
    ) -> MetadataDocument {
        var files = previous?.files.mapValues(\.description) ?? [:]
        for role in delegated { files[role.file] = listed(version: role.signed.version, role.bytes) }
        files[TopLevelRole.targets.file] = listed(version: targets.signed.version, targets.bytes)
        return MetadataDocument(.snapshot, version: version, expires: expires, ["meta": .object(files)])
    }

    /// Creates an unsigned timestamp, which lists the snapshot.
    public static func timestamp(
        version: Int, expires: Date, snapshot: SignedMetadata<Snapshot>
    ) -> MetadataDocument {
        MetadataDocument(
            .timestamp, version: version, expires: expires,
            [
                "meta": .object([
                    TopLevelRole.snapshot.file: listed(version: snapshot.signed.version, snapshot.bytes)
                ])
            ])
    }

    private static func listed(version: Int, _ bytes: Data) -> CanonicalJSON {
        var members = contentMembers(bytes)
        members["version"] = .integer(String(version))
        return .object(members)
    }

    /// Returns the members that describe the content of a listed file: length and hashes.
    private static func contentMembers(_ bytes: Data) -> [String: CanonicalJSON] {
        [
            "length": .integer(String(bytes.count)),
            "hashes": .object(["sha256": .string(SHA256Digest(of: bytes).hex)]),
        ]
    }
}
