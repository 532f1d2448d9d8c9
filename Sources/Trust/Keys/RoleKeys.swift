import StoreModel

/// The keys that are trusted for a role, and how many of them have to sign.
public struct RoleKeys: Sendable, Hashable {
    /// The identifiers of the trusted keys.
    public let keyIDs: [String]
    /// The number of different keys that have to sign, at least 1.
    public let threshold: Int

    /// Creates the keys of a role from key identifiers and threshold.
    public init(keyIDs: [String], threshold: Int) {
        self.keyIDs = keyIDs
        self.threshold = threshold
    }

    init(from value: MetadataValue) throws(StoreError) {
        let keyIDs = try value.member("keyids")
        self.init(keyIDs: try keyIDs.strings(), threshold: try value.member("threshold").integer(from: 1))
        guard Set(self.keyIDs).count == self.keyIDs.count else { throw keyIDs.invalid("lists a key twice") }
    }

    /// Reads the member `keys` of root or delegating metadata: keys by identifier.
    ///
    /// Identifiers are names only. The specification wants them to be hashes of the keys, which TAP 12 takes back and
    /// no other client checks; what counts is that each key is counted once (see ``PublicKey``).
    static func keys(_ value: MetadataValue) throws(StoreError) -> [String: PublicKey] {
        var keys: [String: PublicKey] = [:]
        for (identifier, key) in try value.object() { keys[identifier] = try PublicKey(from: key) }
        return keys
    }
}
