import StoreModel

/// Delegations to many roles of the same keys, over which the paths of files are distributed by their hash (TAP 15).
///
/// python-tuf calls them succinct roles.
public struct HashBins: Sendable {
    /// The keys that are trusted for each of the roles.
    public let keys: RoleKeys
    /// The number of bits of a path's SHA-256 that determine the role, from 1 to 32.
    public let bitLength: Int
    /// The beginning of the roles' names.
    public let namePrefix: String

    init(from value: MetadataValue) throws(StoreError) {
        keys = try RoleKeys(from: value)
        let bits = try value.member("bit_length")
        bitLength = try bits.integer(from: 1)
        guard bitLength <= 32 else { throw bits.invalid("is greater than 32") }
        namePrefix = try value.member("name_prefix").string()
    }

    /// Returns the delegation to the role that is trusted for a path.
    func delegation(of path: String) -> Delegation {
        let bin = SHA256Digest(of: path.utf8).bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } >> (32 - bitLength)
        // As many digits as the number of the last bin has.
        let width = String((1 << bitLength) - 1, radix: 16).count
        let digits = String(bin, radix: 16)
        let name = "\(namePrefix)-" + String(repeating: "0", count: width - digits.count) + digits
        return Delegation(role: name, keys: keys, isTerminating: true, paths: .patterns([]))
    }
}
