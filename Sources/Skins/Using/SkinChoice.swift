import FoundationEssentials
import StoreModel
import StoreSystem

/// The user's choice of a skin, as it is saved in a file across restarts.
struct SkinChoice: Codable, Hashable {
    /// The identifier of the skin that the user chose; `nil` for the default skin.
    var skin: String?
    /// The identifiers of the chosen skin and its ancestors when it was last loaded.
    ///
    /// If the skin can't be read any more, the ancestors are used as fallbacks.
    var chain: [String]

    static let none = SkinChoice(skin: nil, chain: [])
    private static let sizeLimit = 1 << 20

    /// Reads the user's choice of a skin from a file; the default skin if the file is missing or invalid.
    static func read(_ path: String) -> SkinChoice {
        guard let data = try? OpenFile.open(path).readAll(limit: sizeLimit),
            let choice = try? JSON.decode(SkinChoice.self, from: data)
        else { return .none }
        return choice
    }

    /// Writes the user's choice of a skin to the file at a path, which is replaced.
    func write(_ path: String) throws {
        let slash = path.lastIndex(of: "/")
        let directory = try Directory.create(slash.map { String(path[..<$0]) } ?? ".")
        try directory.replace(slash.map { String(path[path.index(after: $0)...]) } ?? path, with: try JSON.encode(self))
    }
}
