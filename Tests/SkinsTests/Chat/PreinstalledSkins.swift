import Foundation
import StoreSkins
import StoreSystem
import StoreTestSupport

/// The skins that are installed with the program.
enum PreinstalledSkins {
    static let names = ["light", "dark"]
    static let folder = DocumentedErrorCodes.sources.deletingLastPathComponent().appending(path: "config/packs")

    static func path(_ name: String) -> String { folder.appending(path: "\(name).theme").path }

    static func open(_ name: String) throws -> SkinDirectory {
        try SkinDirectory(try Directory.open(path(name)), origin: .preinstalled)
    }

    static func chain(_ name: String) throws -> [SkinDirectory] {
        try SkinDirectory.chain(of: name) { try names.contains($0) ? open($0) : nil }
    }

    static func read(_ name: String, for idiom: SkinIdiom = .desktop) throws -> ResolvedSkin {
        try SkinReader().read(chain(name), for: idiom).skin
    }

    /// Returns the files in a subdirectory of a skin by name.
    static func files(_ name: String, in subfolder: String) -> [String: Data] {
        let path = path(name) + "/" + subfolder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                FileManager.default.contents(atPath: path + "/" + name).map { (name, $0) }
            })
    }
}
