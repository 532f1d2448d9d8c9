/// One file of a pack that is not as it was installed.
public struct PackDamage: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable {
        case missing, changed, added
        /// A link, a folder or something else stands where the file was.
        case replaced
        /// It is there and can't be read, because of its permissions or of the disk.
        case unreadable
        /// It may be executed, or be written by others, or it belongs to another user.
        case permissions
    }
    /// Relative to the pack's folder, which is `.` itself; `.receipt.json` is the pack's receipt, without which nothing
    /// else can be told.
    public var path: String
    public var damage: Kind

    public init(path: String, damage: Kind) {
        self.path = path
        self.damage = damage
    }
}
