import FoundationEssentials
import StoreSkins
import StoreSystem
import StoreTestSupport

/// A temporary directory of skins.
final class SkinShelf: Sendable {
    let folder: TemporaryFolder
    let preinstalled: Directory
    let purchased: Directory
    var compiledFolder: String { folder.path + "/cache/skins" }
    var choiceFile: String { folder.path + "/data/skin.json" }

    init() throws {
        folder = try TemporaryFolder()
        preinstalled = try folder.directory.createDirectory("preinstalled")
        purchased = try folder.directory.createDirectory("packs")
    }

    var finder: SkinFinder { SkinFinder(purchased: purchased.path, preinstalled: [preinstalled.path]) }

    func settings(defaultSkin: String = "base") -> SkinsManager.Settings {
        SkinsManager.Settings(
            finder: finder, defaultSkin: defaultSkin, compiledDirectory: compiledFolder, choiceFile: choiceFile)
    }

    /// Writes a skin.
    ///
    /// - Parameter files: theme files without their root element, by name, and assets.
    @discardableResult
    func put(
        _ identifier: String, parent: String? = nil, version: String = "1", isPurchased: Bool = false,
        _ files: [String: String] = [:]
    ) throws -> Directory {
        let name = identifier + (isPurchased ? ".purchasedTheme" : ".theme")
        let skin = try (isPurchased ? purchased : preinstalled).createDirectory(name)
        let inherits = parent.map { " parent=\"\($0)\"" } ?? ""
        try skin.put(
            "skin.xml",
            "<skin identifier=\"\(identifier)\" name=\"The \(identifier)\" version=\"\(version)\"\(inherits)/>")
        for (file, content) in files {
            try skin.put(file, file.hasSuffix(".xml") ? "<theme>\n\(content)\n</theme>" : content)
        }
        return skin
    }

    func chain(_ identifier: String) throws -> [SkinDirectory] {
        let found = finder.find()
        return try SkinDirectory.chain(of: identifier) { found.skins[$0] }
    }

    func read(
        _ identifier: String, for idiom: SkinIdiom = .desktop, vocabulary: SkinVocabulary = .standard
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        try SkinReader(vocabulary: vocabulary).read(chain(identifier), for: idiom)
    }
}

extension ResolvedSkin {
    /// Returns the text of the only value of an operation.
    func text(_ identifier: String, _ operation: String) -> String? {
        self[identifier]?[operation]?.parameters.first?.value.text
    }
}

/// Returns an instance element with one operation.
func instance(_ component: String, _ identifier: String, _ operations: String, classes: String? = nil) -> String {
    let named = classes.map { " class=\"\($0)\"" } ?? ""
    return "<\(component) id=\"\(identifier)\"\(named)>\(operations)</\(component)>"
}

func color(_ operation: String, _ hex: String) -> String {
    "<operation name=\"\(operation)\"><param name=\"color\" type=\"color\">\(hex)</param></operation>"
}

func colorReference(_ operation: String, _ name: String) -> String {
    "<operation name=\"\(operation)\"><param name=\"color\" type=\"color\" ref=\"\(name)\"/></operation>"
}

func constant(_ name: String, _ hex: String) -> String {
    "<constant name=\"\(name)\" type=\"color\" format=\"HEX\">\(hex)</constant>"
}
