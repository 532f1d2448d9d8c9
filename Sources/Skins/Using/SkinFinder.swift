public import StoreModel
import StoreSystem

/// Where skins are looked for.
public struct SkinFinder: Sendable {
    /// A folder that holds skins.
    public struct Root: Sendable, Hashable {
        public let path: String
        /// What the folders of skins in it end with, without the dot.
        public let folderExtension: String
        public let origin: SkinFolder.Origin

        public init(_ path: String, folderExtension: String, origin: SkinFolder.Origin) {
            self.path = path
            self.folderExtension = folderExtension
            self.origin = origin
        }
    }

    /// The most important first: of two skins of one identifier that of the earlier counts.
    public let roots: [Root]

    public init(_ roots: [Root]) { self.roots = roots }

    /// Skins of the library before those that came with the application, so that these can be updated from a store.
    public init(
        purchased: String, purchasedExtension: String = "purchasedTheme", preinstalled: [String] = [],
        preinstalledExtension: String = "theme"
    ) {
        self.init(
            [Root(purchased, folderExtension: purchasedExtension, origin: .purchased)]
                + preinstalled.map { Root($0, folderExtension: preinstalledExtension, origin: .preinstalled) })
    }

    /// What was found.
    public struct Found: Sendable {
        /// By identifier.
        public var skins: [String: SkinFolder] = [:]
        /// Folders that are called as skins are and can't be read, by path.
        public var unreadable: [String: ErrorReport] = [:]
    }

    /// Looks through all roots; those that are not there hold nothing. Folders of other applications' skins, which have no
    /// information file of ours, are passed over. Blocks.
    public func find() -> Found {
        var found = Found()
        for root in roots {
            guard let folder = try? Directory.open(root.path), let entries = try? folder.entries() else { continue }
            let suffix = "." + root.folderExtension
            for entry in entries.sorted(by: { $0.name.isBefore($1.name) })
            where entry.kind == .folder && entry.name.hasSuffix(suffix) && entry.name != suffix {
                do {
                    let directory = try folder.openDirectory(entry.name)
                    guard let information = try SkinInformation.find(in: directory) else { continue }
                    let skin = SkinFolder(information, directory, origin: root.origin)
                    if found.skins[skin.identifier] == nil { found.skins[skin.identifier] = skin }
                } catch {
                    found.unreadable[folder.path(of: entry.name)] = ErrorReport(error)
                }
            }
        }
        return found
    }
}
