import StoreLibrary
public import StoreModel
public import StoreSystem
import StoreXML

/// A skin on the disk: its open directory, the content of its information file, and where it was found.
public struct SkinDirectory: Sendable {
    public let information: SkinInformation
    public let directory: Directory
    public let origin: Origin

    /// Where a skin was found: among the preinstalled ones, or among those installed from a store.
    public enum Origin: String, Sendable {
        /// The skin is preinstalled: it came with the application or the operating system, or is only being checked.
        case preinstalled
        /// The skin was installed from a store, as a pack of the library.
        case purchased
    }

    /// The identifier of the skin, which is also its product identifier.
    public var identifier: String { information.identifier }

    /// Opens the directory of a skin and reads its information file, `skin.xml`.
    ///
    /// - Throws: `skin.bad-information` if the directory is not a skin; `xml.…`; an error of the file system.
    public init(_ directory: Directory, origin: Origin) throws {
        self.init(try SkinInformation.read(from: directory), directory, origin: origin)
    }

    init(_ information: SkinInformation, _ directory: Directory, origin: Origin) {
        self.information = information
        self.directory = directory
        self.origin = origin
    }

    // MARK: Inheritance

    /// Returns a skin and the skins that it inherits from, the nearest first.
    ///
    /// - Parameter find: returns the skin with an identifier, or `nil`.
    /// - Throws: `skin.not-found`; `skin.parent-missing` and `skin.parent-loop`, whose messages list the chain; an
    ///   error of `find`.
    public static func chain(
        of identifier: String, find: (String) throws -> SkinDirectory?
    ) throws -> [SkinDirectory] {
        guard let first = try find(identifier) else { throw StoreError(.skinNotFound, ["skin": identifier]) }
        return try chain(from: first, find: find)
    }

    /// Returns an opened skin, which `find` need not return, and the skins that it inherits from, the nearest first.
    ///
    /// - Throws: `skin.parent-missing` and `skin.parent-loop`, whose messages list the chain; an error of `find`.
    public static func chain(
        from first: SkinDirectory, find: (String) throws -> SkinDirectory?
    ) throws -> [SkinDirectory] {
        var chain = [first]
        var seen: Set<String> = [first.identifier]
        while let parent = chain[chain.count - 1].information.parent {
            let names = chain.map(\.identifier).joined(separator: " → ") + " → " + parent
            guard seen.insert(parent).inserted else {
                throw StoreError(
                    .skinParentLoop,
                    ["skin": first.identifier, "chain": names, "file": SkinInformation.fileName])
            }
            guard let next = try find(parent) else {
                throw StoreError(
                    .skinParentNotFound,
                    [
                        "skin": first.identifier, "parent": parent, "chain": names, "file": SkinInformation.fileName,
                    ])
            }
            chain.append(next)
        }
        return chain
    }
}

/// The content of a skin's information file, `skin.xml`: identifier, name, version and parent.
public struct SkinInformation: Sendable, Hashable {
    /// The file name of the information file in a skin's directory.
    public static let fileName = "skin.xml"
    /// The identifier of the skin, which is also its product identifier.
    ///
    /// It has no white space and at most 200 bytes.
    public let identifier: String
    /// The display name of the skin; the skin's identifier if the information file has no name.
    public let name: String
    public let version: Version?
    /// The identifier of the skin that this skin inherits from; `nil` if there is none.
    public let parent: String?

    /// Reads the information file (`skin.xml`) of a skin's directory.
    ///
    /// - Throws: `skin.bad-information` if the file is missing or invalid; `xml.…`; an error of the file system.
    public static func read(from directory: Directory) throws -> SkinInformation {
        guard let information = try find(in: directory) else {
            throw invalid("does not exist, or has no element 'skin' with an 'identifier'", line: nil)
        }
        return information
    }

    /// Reads the information file (`skin.xml`) of a directory that may belong to another application.
    ///
    /// Some applications use the same root element, but without an identifier.
    ///
    /// - Returns: `nil` if there is no such file, or if it belongs to another application.
    static func find(in directory: Directory) throws -> SkinInformation? {
        guard try directory.status(of: fileName)?.kind == .file else { return nil }
        return try find { visit in
            var xml = SkinXML(directory)
            try xml.read(fileName, visit)
        }
    }

    /// Parses the bytes of a skin's information file, `skin.xml`.
    ///
    /// - Returns: `nil` if the file belongs to another application.
    static func find(in bytes: [UInt8]) throws -> SkinInformation? {
        try find { visit in try SkinXML.read(bytes, called: fileName, visit) }
    }

    private static func find(read: ((XMLEvent) throws -> Void) throws -> Void) throws -> SkinInformation? {
        var root: XMLElement?
        do {
            try read { event in
                guard case .start(let element) = event, root == nil else { return }
                guard element.name == "skin", element["identifier"] != nil else { throw ForeignFormat() }
                root = element
            }
        } catch is ForeignFormat {
            return nil
        }
        return try root.map(SkinInformation.init)
    }

    /// The error that ends the reading of an information file that belongs to another application.
    private struct ForeignFormat: Error {}

    private init(_ element: XMLElement) throws {
        guard let identifier = element["identifier"], isSkinIdentifier(identifier) else {
            throw Self.invalid(
                "'identifier' must not contain white space nor exceed \(SkinLimits.identifierLength) bytes",
                line: element.line)
        }
        self.identifier = identifier
        name = element["name"].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 } ?? identifier
        version = element["version"].flatMap { $0.isEmpty ? nil : Version($0) }
        switch element["parent"] {
        case nil, "": parent = nil
        case let named?:
            guard isSkinIdentifier(named) else {
                throw Self.invalid("'parent' is not a valid identifier", line: element.line)
            }
            parent = named
        }
    }

    private static func invalid(_ reason: String, line: Int?) -> StoreError {
        StoreError(
            .skinInformationInvalid,
            [
                "location": fileName + (line.map { ":\($0)" } ?? ""), "reason": reason, "file": fileName, "line": line,
            ])
    }
}

/// A search for skins in several directories, in order of precedence.
public struct SkinFinder: Sendable {
    /// A directory in which skins are searched, with the extension of the skins' directories.
    public struct Root: Sendable, Hashable {
        public let path: String
        /// The extension of the skins' directories, without the dot, such as `theme`.
        public let directoryExtension: String
        public let origin: SkinDirectory.Origin

        /// Creates the description of a directory in which skins are searched.
        public init(_ path: String, directoryExtension: String, origin: SkinDirectory.Origin) {
            self.path = path
            self.directoryExtension = directoryExtension
            self.origin = origin
        }
    }

    /// The directories in which skins are searched, in order of precedence.
    ///
    /// A skin hides skins with the same identifier in later directories.
    public let roots: [Root]

    /// Creates a search for skins in directories, which are in order of precedence.
    public init(_ roots: [Root]) { self.roots = roots }

    /// Creates a search that prefers skins from a store to preinstalled ones, so that a store can update those.
    ///
    /// `purchased` and `preinstalled` are the paths of the directories that contain the skins' directories.
    public init(
        purchased: String, purchasedExtension: String = "purchasedTheme", preinstalled: [String] = [],
        preinstalledExtension: String = "theme"
    ) {
        self.init(
            [Root(purchased, directoryExtension: purchasedExtension, origin: .purchased)]
                + preinstalled.map { Root($0, directoryExtension: preinstalledExtension, origin: .preinstalled) })
    }

    /// The result of a search for skins: the skins found, and the directories that could not be loaded.
    public struct Found: Sendable {
        /// The skins that were found, by the skin's identifier.
        public var skins: [String: SkinDirectory] = [:]
        /// The errors of directories with a skin's extension that could not be loaded, by the directory's path.
        public var unreadable: [String: ErrorReport] = [:]
    }

    /// Searches all directories for skins.
    ///
    /// Missing directories and other applications' skins are ignored. A pack that a user placed by hand and that is neither a
    /// skin nor another application's theme is among the directories that could not be loaded.
    ///
    /// Blocks while the directories are read.
    public func find() -> Found {
        var found = Found()
        for root in roots {
            guard let parent = try? Directory.open(root.path), let entries = try? parent.entries() else { continue }
            let suffix = "." + root.directoryExtension
            for entry in entries.sorted(by: { $0.name.isBefore($1.name) })
            where entry.kind == .folder && entry.name.hasSuffix(suffix) && entry.name != suffix {
                do {
                    let directory = try parent.openDirectory(entry.name)
                    guard let information = try SkinInformation.find(in: directory) else {
                        if root.origin == .purchased { try Self.requireForeign(directory) }
                        continue
                    }
                    let skin = SkinDirectory(information, directory, origin: root.origin)
                    if found.skins[skin.identifier] == nil { found.skins[skin.identifier] = skin }
                } catch {
                    found.unreadable[parent.path(of: entry.name)] = ErrorReport(error)
                }
            }
        }
        return found
    }

    /// The extensions of the files with other applications' themes that a pack may have instead of a skin.
    private static let themeExtensions = [".tdesktop-theme", ".tdesktop-palette", ".attheme"]

    /// Checks that a directory without a skin's information is from a store, or has another application's theme.
    ///
    /// - Throws: `skin.bad-information`; an error of the file system.
    private static func requireForeign(_ directory: Directory) throws {
        guard try directory.status(of: Receipt.fileName) == nil else { return }
        let isForeign = try directory.entries().contains { entry in
            themeExtensions.contains { entry.name.lowercased().hasSuffix($0) }
        }
        if !isForeign { throw StoreError(.skinInformationMissing, ["file": SkinInformation.fileName]) }
    }
}
