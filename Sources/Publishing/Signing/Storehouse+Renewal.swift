public import FoundationEssentials
import StoreModel
import StoreTrust

extension Storehouse {
    /// The result of renewing the metadata of a signed store.
    public struct Renewal: Sendable, Hashable {
        /// The metadata files that were signed anew; empty if none expires soon.
        public var renewed: [SignedFile]
        /// The metadata of offline keys and publishers that will expire within a quarter of its lifetime, with the date.
        public var expiring: [Expiry]
        /// The dates on which the published metadata files expire.
        public var expiries: [Expiry]
    }

    /// Signs timestamp and snapshot anew where less than half of their lifetime is left, and publishes them.
    ///
    /// The catalogue stays as it was last published.
    ///
    /// - Throws: `key.not-signed`; `key.missing-signatures` if the keys of timestamp or snapshot are not at hand.
    public func renew(keys: KeyRing, at time: Date) throws -> Renewal {
        try locked {
            let archive = try archive()
            let signed = try publishRenewed(archive, keys, at: time)
            if let missing = signed.waiting.first { throw missing.error(storePath: path) }
            let expiries = signed.expiries
            let expiring = expiries.filter { expiry in
                ![.snapshot, .timestamp].contains(expiry.role)
                    && expiry.date < time + archive.lifetime(of: expiry.role) / 4
            }
            return Renewal(renewed: signed.renewed, expiring: expiring, expiries: expiries)
        }
    }
}
