/// One file of a pack that is not as it was installed.
public struct PackDamage: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Codable {
        case missing, changed, added
        /// A link, a folder or something else stands where the file was.
        case replaced
    }
    /// Relative to the pack's folder.
    public var path: String
    public var damage: Kind

    public init(path: String, damage: Kind) {
        self.path = path
        self.damage = damage
    }
}
