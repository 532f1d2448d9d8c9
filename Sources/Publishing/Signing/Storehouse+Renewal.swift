public import FoundationEssentials
import StoreModel
public import StoreTrust

extension Storehouse {
    /// The result of renewing the metadata of a signed store.
    public struct Renewal: Sendable, Hashable {
        /// The metadata files that were signed anew; empty if none expires soon.
        public var renewed: [SignedFile]
        /// The metadata of offline keys that will expire within a quarter of its lifetime, with the date.
        public var expiring: [Expiring]

        /// Metadata that expires soon.
        public struct Expiring: Sendable, Hashable {
            /// The role that the metadata belongs to.
            public var role: TopLevelRole
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
            var signer = MetadataSigner(archive, keys: keys, at: time, storePath: path)
            let signed = try signer.renew()
            let publicDirectory = try PublicDirectory(path: publicPath)
            if try !publicDirectory.serves(signed) {
                // The index is served under its hash since its publication.
                let previous = publicDirectory.servedMetadata()
                try publicDirectory.prepare(signed, index: nil)
                try publicDirectory.reveal(signed)
                try publicDirectory.sweepMetadata(keeping: signed, previous)
            }
            if let missing = signed.waiting.first { throw missing.error(storePath: path) }
            var expiring: [Renewal.Expiring] = []
            for (role, date) in [
                (TopLevelRole.root, signed.root.signed.expires), (.targets, signed.targets.signed.expires),
            ]
            where date < time + archive.lifetime(of: role) / 4 {
                expiring.append(Renewal.Expiring(role: role, date: date))
            }
            return Renewal(renewed: signed.renewed, expiring: expiring)
        }
    }
}
