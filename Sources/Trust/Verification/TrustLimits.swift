/// The limits on what a store can make a client fetch while it updates the store's metadata.
public struct TrustLimits: Sendable {
    /// The maximum number of new roots that are fetched in one update.
    public var roots: Int
    /// The maximum length of a root in bytes.
    public var rootLength: Int
    /// The maximum length of a timestamp in bytes.
    public var timestampLength: Int
    /// The maximum length of a snapshot in bytes.
    public var snapshotLength: Int
    /// The maximum length of the targets metadata of one role in bytes.
    public var targetsLength: Int
    /// The maximum number of delegated roles that are searched for a file.
    public var delegations: Int

    /// Creates limits; the defaults are those of python-tuf, and for roots the number in the specification's section 5.3.3.
    public init(
        roots: Int = 1024, rootLength: Int = 512_000, timestampLength: Int = 16_384, snapshotLength: Int = 2_000_000,
        targetsLength: Int = 5_000_000, delegations: Int = 32
    ) {
        self.roots = roots
        self.rootLength = rootLength
        self.timestampLength = timestampLength
        self.snapshotLength = snapshotLength
        self.targetsLength = targetsLength
        self.delegations = delegations
    }
}
