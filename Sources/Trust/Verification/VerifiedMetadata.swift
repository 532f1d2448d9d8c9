public import FoundationEssentials
import StoreModel

/// The verified top-level metadata of a store: all of one state of the store, and not expired at the update's start.
public struct VerifiedMetadata: Sendable {
    /// The trusted root.
    public let root: SignedMetadata<Root>
    /// The verified timestamp.
    public let timestamp: SignedMetadata<Timestamp>
    /// The verified snapshot.
    public let snapshot: SignedMetadata<Snapshot>
    /// The verified top-level targets.
    public let targets: SignedMetadata<Targets>
    /// The time at which the update began, against which expiry is checked.
    public let start: Date

    /// The first date on which one of the top-level metadata files expires.
    public var expires: Date {
        min(root.signed.expires, timestamp.signed.expires, snapshot.signed.expires, targets.signed.expires)
    }

    /// Returns the request for the metadata of a delegated role.
    ///
    /// - Throws: `trust.mix-and-match` if the snapshot does not list the role.
    func request(for delegation: Delegation, limits: TrustLimits) throws(StoreError) -> MetadataRequest {
        let listed = try Self.listed(delegation.file, in: snapshot)
        return MetadataRequest(
            file: delegation.file, version: root.signed.hasConsistentSnapshots ? listed.version : nil,
            limit: min(listed.length ?? limits.targetsLength, limits.targetsLength))
    }

    static func listed(_ file: String, in snapshot: SignedMetadata<Snapshot>) throws(StoreError) -> ListedMetadata {
        guard let listed = snapshot.signed.files[file] else {
            throw StoreError(.trustNotListed, ["file": .untrusted(file), "lister": .untrusted(snapshot.file)])
        }
        return listed
    }

    /// Parses targets metadata and verifies it against the snapshot and the role that delegates to it.
    ///
    /// The order is that of section 5.6: hashes, signatures, version, expiry.
    static func verified(
        _ bytes: Data, file: String, by role: RoleKeys, of keys: [String: PublicKey],
        in snapshot: SignedMetadata<Snapshot>, at start: Date
    ) throws(StoreError) -> SignedMetadata<Targets> {
        let listed = try listed(file, in: snapshot)
        try listed.check(bytes, file: file)
        let targets = try SignedMetadata<Targets>(parsing: bytes, file: file)
        try targets.verify(by: role, of: keys)
        try targets.checkVersion(listed.version, lister: snapshot.file)
        try targets.checkExpiry(at: start)
        return targets
    }
}

extension SignedMetadata {
    /// Checks that the metadata has the version that other metadata lists.
    ///
    /// - Throws: `trust.mix-and-match`.
    func checkVersion(_ expected: Int, lister: String) throws(StoreError) {
        guard signed.version == expected else {
            throw StoreError(
                .trustVersionDiffers,
                [
                    "file": .untrusted(file), "found": signed.version, "lister": .untrusted(lister),
                    "expected": expected,
                ])
        }
    }

    /// Checks that the metadata is not older than metadata that was trusted before.
    ///
    /// - Throws: `trust.rollback`.
    func checkRollback(from trusted: Self) throws(StoreError) {
        guard signed.version >= trusted.signed.version else {
            throw StoreError(
                .trustOlder,
                ["file": .untrusted(file), "found": signed.version, "trusted": trusted.signed.version])
        }
    }
}
