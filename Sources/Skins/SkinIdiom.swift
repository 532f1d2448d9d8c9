/// A type of device for which a skin may have variants: files whose names end with `~` and the idiom.
public struct SkinIdiom: Sendable, Hashable, CustomStringConvertible {
    /// The idiom's name in file names: `phone`, `tablet` or `desktop`.
    public let name: String
    private init(_ name: String) { self.name = name }
    public var description: String { name }

    /// The idiom for phones.
    public static let phone = SkinIdiom("phone")
    /// The idiom for tablets.
    public static let tablet = SkinIdiom("tablet")
    /// The idiom for desktop computers.
    public static let desktop = SkinIdiom("desktop")
    /// All device idioms that skins can have variants for.
    public static let all: [SkinIdiom] = [.phone, .tablet, .desktop]

    /// Parses an idiom's name in a file name; `nil` for unknown names.
    ///
    /// `iPhone` and `iPad` are accepted as well.
    public init?(named name: some StringProtocol) {
        switch name.lowercased() {
        case "phone", "iphone": self = .phone
        case "tablet", "ipad": self = .tablet
        case "desktop": self = .desktop
        default: return nil
        }
    }
}
