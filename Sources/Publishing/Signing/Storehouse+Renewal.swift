public import FoundationEssentials
import StoreModel
import StoreTrust

extension Storehouse {
    /// The result of renewing the metadata of a signed store.
    public struct Renewal: Sendable, Hashable {
        /// The metadata files that were signed anew; empty if none expires soon.
        public var renewed: [SignedFile]
        /// The metadata of offline keys and publishers that will expire within a quarter of its lifetime, with the date.
        public var expiring: [Expiring]

        /// Metadata that expires soon.
        public struct Expiring: Sendable, Hashable {
            /// The role that the metadata belongs to.
            public var role: SignedRole
            /// The date on which the metadata expires.
            public var date: Date
        }
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
            var expiring: [Renewal.Expiring] = []
            let files = [(SignedRole.root, signed.root.signed.expires), (.targets, signed.targets.signed.expires)]
            let publishers = signed.publishers.map {
                (SignedRole(publisher: String($0.file.dropLast(".json".count))), $0.signed.expires)
            }
            for (role, date) in files + publishers where date < time + archive.lifetime(of: role) / 4 {
                expiring.append(Renewal.Expiring(role: role, date: date))
            }
            return Renewal(renewed: signed.renewed, expiring: expiring)
        }
    }
}
