/// A kind of device that a skin may have variants for: files and assets whose names end with `~` and its word.
public struct SkinIdiom: Sendable, Hashable, CustomStringConvertible {
    public let word: String
    private init(_ word: String) { self.word = word }
    public var description: String { word }

    public static let phone = SkinIdiom("phone")
    public static let tablet = SkinIdiom("tablet")
    public static let desktop = SkinIdiom("desktop")
    public static let all: [SkinIdiom] = [.phone, .tablet, .desktop]

    /// The idiom that a file's name says, also by one of the words that were written before; `nil` for all others.
    public init?(named word: some StringProtocol) {
        switch word.lowercased() {
        case "phone", "iphone": self = .phone
        case "tablet", "ipad": self = .tablet
        case "desktop": self = .desktop
        default: return nil
        }
    }
}
