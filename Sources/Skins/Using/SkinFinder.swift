public import StoreModel
import StoreSystem

/// Finds skins in directories.
public struct SkinFinder: Sendable {
    /// A directory that contains skins.
    public struct Root: Sendable, Hashable {
        public let path: String
        /// The extension of the skins' directories, without the dot.
        public let directoryExtension: String
        public let origin: SkinDirectory.Origin

        /// Creates the description of a directory.
        public init(_ path: String, directoryExtension: String, origin: SkinDirectory.Origin) {
            self.path = path
            self.directoryExtension = directoryExtension
            self.origin = origin
        }
    }

    /// The directories to search, in order of precedence: a skin hides those of the same identifier in later directories.
    public let roots: [Root]

    /// Creates a finder for directories in order of precedence.
    public init(_ roots: [Root]) { self.roots = roots }

    /// Creates a finder that prefers purchased skins, so that a store can update preinstalled ones.
    public init(
        purchased: String, purchasedExtension: String = "purchasedTheme", preinstalled: [String] = [],
        preinstalledExtension: String = "theme"
    ) {
        self.init(
            [Root(purchased, directoryExtension: purchasedExtension, origin: .purchased)]
                + preinstalled.map { Root($0, directoryExtension: preinstalledExtension, origin: .preinstalled) })
    }

    /// The result of a search.
    public struct Found: Sendable {
        /// Skins by identifier.
        public var skins: [String: SkinDirectory] = [:]
        /// Directories with a skin's extension that could not be loaded, by path, with the reason.
        public var unreadable: [String: ErrorReport] = [:]
    }

    /// Searches all directories; missing ones and other applications' skins are ignored. Blocks.
    public func find() -> Found {
        var found = Found()
        for root in roots {
            guard let parent = try? Directory.open(root.path), let entries = try? parent.entries() else { continue }
            let suffix = "." + root.directoryExtension
            for entry in entries.sorted(by: { $0.name.isBefore($1.name) })
            where entry.kind == .folder && entry.name.hasSuffix(suffix) && entry.name != suffix {
                do {
                    let directory = try parent.openDirectory(entry.name)
                    guard let information = try SkinInformation.find(in: directory) else { continue }
                    let skin = SkinDirectory(information, directory, origin: root.origin)
                    if found.skins[skin.identifier] == nil { found.skins[skin.identifier] = skin }
                } catch {
                    found.unreadable[parent.path(of: entry.name)] = ErrorReport(error)
                }
            }
        }
        return found
    }
}
