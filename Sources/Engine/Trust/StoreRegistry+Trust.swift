import FoundationEssentials
public import StoreModel
import StoreTrust

extension StoreRegistry {
    /// Returns the roles, keys and publishers of one store, and its last verification, without contacting the store.
    ///
    /// - Throws: `store.unknown`.
    public func trust(in name: String) async throws -> StoreTrustReport {
        let store = try added(name)
        let summary = await store.summary()
        let limits = StoreTrustVerdict.Limits(settings.current)
        let verdict = await store.verdict()
        let stored = store.trust.map { StoredTrust($0) }
        return StoreTrustReport(
            store: name, signed: !store.configuration.unsigned, signatureAvailable: summary.signatureAvailable,
            signature: summary.signature, age: verdict?.age.map { Int($0.seconds) },
            warnAfter: Int(limits.warn.seconds), refuseAfter: Int(limits.refuse.seconds), refusal: verdict?.refusal,
            roles: stored?.roles ?? [], publishers: stored?.publishers ?? [])
    }
}

/// The roles and publishers that the trusted metadata of a store names, as reports have them.
private struct StoredTrust {
    var roles: [StoreTrustReport.Role] = []
    var publishers: [StoreTrustReport.Publisher] = []

    init(_ state: StoreTrustState) {
        let root: SignedMetadata<Root>? = Self.metadata(.root, of: state)
        guard let root else { return }
        let timestamp: SignedMetadata<Timestamp>? = Self.metadata(.timestamp, of: state)
        let snapshot: SignedMetadata<Snapshot>? = Self.metadata(.snapshot, of: state)
        let targets: SignedMetadata<Targets>? = Self.metadata(.targets, of: state)
        for role in TopLevelRole.allCases {
            let signed: (any MetadataRole)? =
                switch role {
                case .root: root.signed
                case .timestamp: timestamp?.signed
                case .snapshot: snapshot?.signed
                case .targets: targets?.signed
                }
            let keys = root.signed.keys(of: role)
            roles.append(
                StoreTrustReport.Role(
                    role: role.rawValue, version: signed?.version, expires: signed?.expires, threshold: keys.threshold,
                    keys: Self.keys(keys, root.signed.keys)))
        }
        guard let targets, let table = try? PublisherTable(targets.signed) else { return }
        publishers = table.publishers.map { publisher in
            StoreTrustReport.Publisher(
                name: publisher.name, identifierPrefix: publisher.identifierPrefix,
                threshold: publisher.keys.threshold, keys: Self.keys(publisher.keys, targets.signed.keys))
        }
    }

    private static func metadata<Role: MetadataRole>(
        _ role: TopLevelRole, of state: StoreTrustState
    ) -> SignedMetadata<Role>? {
        guard let bytes = try? state.metadata.content(of: role.file, limit: TrustLimits().targetsLength) else {
            return nil
        }
        return try? SignedMetadata<Role>(parsing: bytes, file: role.file)
    }

    private static func keys(_ role: RoleKeys, _ keys: [String: PublicKey]) -> [StoreTrustReport.Key] {
        role.keyIDs.compactMap { identifier in
            keys[identifier].map {
                StoreTrustReport.Key(id: identifier, scheme: $0.scheme, publicKey: $0.value)
            }
        }
    }
}
