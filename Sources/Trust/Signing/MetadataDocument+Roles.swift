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

    /// Creates unsigned targets metadata, which lists files by path.
    public static func targets(version: Int, expires: Date, files: [String: Data]) -> MetadataDocument {
        MetadataDocument(
            .targets, version: version, expires: expires,
            ["targets": .object(files.mapValues { .object(contentMembers($0)) })])
    }

    /// Creates an unsigned snapshot, which lists the targets metadata.
    public static func snapshot(
        version: Int, expires: Date, targets: SignedMetadata<Targets>
    ) -> MetadataDocument {
        MetadataDocument(
            .snapshot, version: version, expires: expires,
            ["meta": listed(.targets, version: targets.signed.version, targets.bytes)])
    }

    /// Creates an unsigned timestamp, which lists the snapshot.
    public static func timestamp(
        version: Int, expires: Date, snapshot: SignedMetadata<Snapshot>
    ) -> MetadataDocument {
        MetadataDocument(
            .timestamp, version: version, expires: expires,
            ["meta": listed(.snapshot, version: snapshot.signed.version, snapshot.bytes)])
    }

    private static func listed(_ role: TopLevelRole, version: Int, _ bytes: Data) -> CanonicalJSON {
        var members = contentMembers(bytes)
        members["version"] = .integer(String(version))
        return .object([role.file: .object(members)])
    }

    /// Returns the members that describe the content of a listed file: length and hashes.
    private static func contentMembers(_ bytes: Data) -> [String: CanonicalJSON] {
        [
            "length": .integer(String(bytes.count)),
            "hashes": .object(["sha256": .string(SHA256Digest(of: bytes).hex)]),
        ]
    }
}
