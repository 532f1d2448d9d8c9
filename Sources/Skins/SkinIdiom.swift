/// A type of device for which a skin may have variants: files whose names end with `~` and the idiom.
public struct SkinIdiom: Sendable, Hashable, CustomStringConvertible {
    /// The name in file names: `phone`, `tablet` or `desktop`.
    public let name: String
    private init(_ name: String) { self.name = name }
    public var description: String { name }

    /// Phones.
    public static let phone = SkinIdiom("phone")
    /// Tablets.
    public static let tablet = SkinIdiom("tablet")
    /// Desktop computers.
    public static let desktop = SkinIdiom("desktop")
    /// All idioms.
    public static let all: [SkinIdiom] = [.phone, .tablet, .desktop]

    /// Parses an idiom's name in a file name; accepts `iPhone` and `iPad` as well.
    ///
    /// `nil` for other names.
    public init?(named name: some StringProtocol) {
        switch name.lowercased() {
        case "phone", "iphone": self = .phone
        case "tablet", "ipad": self = .tablet
        case "desktop": self = .desktop
        default: return nil
        }
    }
}
