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
    ///
    /// Removes what an interrupted write left, so it must not be called while the file is being written.
    static func read(_ path: String) -> SkinChoice {
        let (parent, name) = FilePaths.split(path)
        guard let directory = try? Directory.open(parent) else { return .none }
        try? directory.removeReplacement(of: name)
        guard let data = try? directory.read(name, limit: sizeLimit),
            let choice = try? JSON.decode(SkinChoice.self, from: data)
        else { return .none }
        return choice
    }

    /// Writes the user's choice of a skin to the file at a path, which is replaced.
    func write(_ path: String) throws {
        let (parent, name) = FilePaths.split(path)
        try Directory.create(parent).replace(name, with: JSON.encode(self))
    }
}
