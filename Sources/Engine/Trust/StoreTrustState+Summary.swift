import StoreModel

extension StoreSignature {
    /// Creates the description of a store's signature from the record of its last verification.
    ///
    /// The result is `nil` for a store without a root, which a list of stores that was edited may have.
    init?(_ record: StoreTrustState.Record) {
        if record.fingerprint.isEmpty { return nil }
        self.init(
            fingerprint: record.fingerprint, rootVersion: record.rootVersion, verifiedAt: record.verifiedAt,
            expires: record.expires, warnings: record.warnings)
    }
}
