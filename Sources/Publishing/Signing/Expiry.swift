public import FoundationEssentials
import StoreTrust

extension Storehouse {
    /// A metadata file of a signed store and the date on which it expires.
    public struct Expiry: Sendable, Hashable {
        /// The role that the metadata belongs to.
        public var role: SignedRole
        /// The date on which the metadata expires.
        public var date: Date
    }
}

extension Storehouse.Expiry {
    /// Creates the expiry of a publisher's metadata.
    init(publisher metadata: SignedMetadata<Targets>) {
        self.init(
            role: SignedRole(publisher: String(metadata.file.dropLast(".json".count))), date: metadata.signed.expires)
    }
}
