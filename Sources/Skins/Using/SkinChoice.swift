import FoundationEssentials
import StoreModel
import StoreSystem

/// Which skin was chosen, as it is kept over restarts.
struct SkinChoice: Codable, Hashable {
    /// `nil` is the default.
    var skin: String?
    /// What it was made of when it was loaded last, itself first: what to fall back to when it can't be read any more.
    var chain: [String]

    static let none = SkinChoice(skin: nil, chain: [])
    private static let sizeLimit = 1 << 20

    /// What a file says; the default where there is none, or nothing that can be read.
    static func read(_ path: String) -> SkinChoice {
        guard let data = try? OpenFile.open(path).readAll(limit: sizeLimit),
            let choice = try? JSON.decode(SkinChoice.self, from: data)
        else { return .none }
        return choice
    }

    func write(_ path: String) throws {
        let slash = path.lastIndex(of: "/")
        let folder = try Directory.create(slash.map { String(path[..<$0]) } ?? ".")
        try folder.replace(slash.map { String(path[path.index(after: $0)...]) } ?? path, with: try JSON.encode(self))
    }
}
