/// A difference between a file of an installed pack and the pack's receipt, which lists all files with their hashes.
public struct PackDamage: Sendable, Hashable, Codable {
    /// The type of difference between a file of an installed pack and the pack's receipt.
    public enum Kind: String, Sendable, Codable {
        case missing, changed, added
        /// A file of the installed pack was replaced with a link, a directory or a special file.
        case replaced
        /// A file of the installed pack can't be read, because of its permissions or a disk error.
        case unreadable
        /// A file of the installed pack is executable, writable by others, or belongs to another user.
        case permissions
    }
    /// The path of the damaged file, relative to the pack's directory; `.` is that directory.
    ///
    /// If the path is `.receipt.json`, nothing else could be verified.
    public var path: String
    public var damage: Kind

    /// The damage of a pack whose directory is missing: the only one that is reported of it.
    public static let missingDirectory = PackDamage(path: ".", damage: .missing)

    public init(path: String, damage: Kind) {
        self.path = path
        self.damage = damage
    }
}
