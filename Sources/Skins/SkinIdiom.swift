/// A type of device (phone, tablet or desktop) for which a skin may have variants of its files.
///
/// The names of the variants end with `~` and the idiom.
public struct SkinIdiom: Sendable, Hashable, CustomStringConvertible {
    /// The name of the device idiom in file names: `phone`, `tablet` or `desktop`.
    public let name: String
    private init(_ name: String) { self.name = name }
    public var description: String { name }

    /// The device idiom for phones.
    public static let phone = SkinIdiom("phone")
    /// The device idiom for tablets.
    public static let tablet = SkinIdiom("tablet")
    /// The device idiom for desktop computers.
    public static let desktop = SkinIdiom("desktop")
    /// All device idioms that skins can have variants for.
    public static let all: [SkinIdiom] = [.phone, .tablet, .desktop]

    /// Creates a device idiom from its name in a file name; `nil` for unknown names.
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
