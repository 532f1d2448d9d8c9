public import StoreArchives
import StoreModel
import StoreSystem

/// The files that a sticker pack of another program consists of: a directory, a ZIP file, or one file with its siblings.
///
/// Nothing outside the directory or the archive is read: no path with `..`, and no symbolic link.
public struct ImportSource: Sendable {
    /// The name of the file or directory without the extension, for packs that have no name of their own.
    public let name: String
    /// The extension of the file's name, in lower case and without the dot; empty for a directory.
    public let fileExtension: String
    /// The path within the source of the file that the user named; `nil` for a directory or an archive.
    public let chosenFile: String?
    /// The only directory at the root of an archive, whose content this is; `nil` if there is none.
    public let archiveRoot: String?
    /// The paths of all files, sorted; of a file that the user named, only those that lie beside it.
    public let paths: [String]

    private let content: Content
    /// The paths of the files by their case-folded form.
    private let foldedPaths: [String: [String]]
    /// The paths of the files by the case-folded form of their last component.
    private let foldedNames: [String: [String]]
    /// The paths of the images by their paths without extension.
    private let imageStems: [String: [String]]

    private enum Content: Sendable {
        case directory(Directory)
        case archive(Archive)
    }

    /// The maximum number of files of a directory to import; more are an error.
    static let fileLimit = 20_000
    /// The maximum number of components of a path in a directory to import; deeper files are ignored.
    static let depthLimit = 5
    /// The maximum size in bytes of a file that describes a pack.
    static let descriptionLimit = 8 << 20
    /// The maximum size in bytes of an image.
    static let imageLimit = 32 << 20

    /// Opens a file or directory of this machine to import.
    ///
    /// - Parameters:
    ///   - path: the path of a directory, of a ZIP file, or of the file that describes a pack.
    ///   - limits: the limits of ZIP files.
    /// - Throws: `file.unusable`; `archive.…` for an invalid ZIP file; `import.too-many-files`.
    public init(_ path: String, limits: ArchiveLimits = ArchiveLimits()) throws {
        try self.init(OpenImportSource(path), limits: limits)
    }

    /// Lists the files of an open file or directory to import.
    ///
    /// - Throws: as ``init(_:limits:)-(String,_)``.
    public init(_ source: OpenImportSource, limits: ArchiveLimits = ArchiveLimits()) throws {
        do {
            switch source.content {
            case .directory(let directory):
                try self.init(directory: directory, name: source.name, chosenFile: source.chosenFile)
            case .archive(let file):
                var limits = limits
                limits.hiddenEntries = .leftOut
                try self.init(archive: Archive(file, limits: limits), name: source.name)
            }
        } catch let error as StoreError where !error.isArchiveRejection && error.code != .importTooLarge {
            throw StoreError(.unusableFile, cause: error)
        }
    }

    init(archive: Archive, name: String) throws {
        let paths = archive.entries.filter { !$0.isDirectory }.map(\.packPath)
        self.init(
            content: .archive(archive), name: name, chosenFile: nil, archiveRoot: archive.root, paths: paths,
            hasExtension: true)
    }

    init(directory: Directory, name: String, chosenFile: String? = nil) throws {
        var paths: [String] = []
        try directory.walk { entry, path, _ in
            if PackExclusion(name: entry.name, isDirectory: entry.kind == .folder) != nil { return false }
            if entry.kind == .file {
                guard paths.count < ImportSource.fileLimit else {
                    throw StoreError(.importTooManyFiles, ["limit": ImportSource.fileLimit])
                }
                paths.append(path)
            }
            // The directory of a file may be the user's home.
            let depth = path.utf8.count(where: { $0 == UInt8(ascii: "/") }) + 1
            return depth < (chosenFile == nil ? ImportSource.depthLimit : 2)
        }
        self.init(
            content: .directory(directory), name: name, chosenFile: chosenFile, archiveRoot: nil, paths: paths,
            hasExtension: chosenFile != nil)
    }

    private init(
        content: Content, name: String, chosenFile: String?, archiveRoot: String?, paths: [String], hasExtension: Bool
    ) {
        let dot = hasExtension ? name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } : nil
        self.name = dot.map { String(name[..<$0]) } ?? name
        fileExtension = dot.map { name[name.index(after: $0)...].lowercased() } ?? ""
        self.content = content
        self.chosenFile = chosenFile
        self.archiveRoot = archiveRoot
        self.paths = paths.sorted()
        foldedPaths = Dictionary(grouping: self.paths, by: \.caseFolded)
        foldedNames = Dictionary(grouping: self.paths) { $0.lastComponent.caseFolded }
        imageStems = Dictionary(grouping: self.paths.filter(\.hasImageSuffix)) { $0.directoryPrefix + $0.stem }
    }

    /// Whether the source is a ZIP file.
    var isArchive: Bool { if case .archive = content { true } else { false } }

    /// Whether the source has the information file of a sticker pack of this project, which needs no import.
    ///
    /// Pleroma's emoji packs and exported Matrix packs have a description of the same name.
    var isOwnPack: Bool {
        guard let path = description(named: "pack.json"), let value = try? json(path), value.members != nil else {
            return false
        }
        let hasForeignStickers = value["stickers"]?.elements?.contains { $0["file"] == nil } ?? false
        let isForeign = ["files", "images", "content"].contains { value[$0] != nil }
        return !isForeign && !hasForeignStickers
    }

    /// Returns the path of a file that a description names, however the description spells it.
    ///
    /// A file of exactly this path counts first, then one whose path differs only in case, then the only one of this
    /// name in any directory. Backslashes and a leading `./` are understood.
    ///
    /// - Returns: `nil` if no file fits, or several fit equally well.
    public func path(of name: String) -> String? {
        var name = name.replacing("\\", with: "/")
        while name.hasPrefix("./") { name.removeFirst(2) }
        if has(name) { return name }
        if let found = foldedPaths[name.caseFolded] { return found.count == 1 ? found[0] : nil }
        let found = foldedNames[name.lastComponent.caseFolded] ?? []
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the path of the only image whose path without extension is this one.
    func path(stemmed path: String) -> String? {
        guard let found = imageStems[path], found.count == 1 else { return nil }
        return found[0]
    }

    /// Returns whether the source has a file of exactly this path.
    public func has(_ path: String) -> Bool { foldedPaths[path.caseFolded]?.contains(path) == true }

    /// Returns the path of the description with one of these names: the file that the user named, or one at the root.
    ///
    /// Names are compared without regard to case. A description in the only directory of the source counts, too.
    func description(named names: String...) -> String? {
        if let chosenFile {
            return names.contains { $0.caseFolded == chosenFile.caseFolded } ? chosenFile : nil
        }
        for name in names {
            if let found = foldedPaths[name.caseFolded]?.first { return found }
        }
        let roots = Set(paths.map { $0.prefix { $0 != "/" } })
        guard roots.count == 1, let root = roots.first else { return nil }
        return names.lazy.compactMap { foldedPaths["\(root)/\($0)".caseFolded]?.first }.first
    }

    /// Returns the content of a file.
    ///
    /// - Throws: `import.too-large` if the file has more than `limit` bytes; another `StoreError` if it can't be read.
    func read(_ path: String, limit: Int = descriptionLimit) throws -> [UInt8] {
        switch content {
        case .directory(let directory):
            let file = try directory.openFile(path)
            let size = try file.status().size
            guard size <= limit else {
                throw StoreError(
                    .importFileTooLarge, ["path": .untrusted(path), "size": .bytes(size), "limit": .bytes(limit)])
            }
            return try file.read(count: size, at: 0)
        case .archive(let archive):
            guard let bytes = try archive.contents(of: path, limit: limit) else {
                throw StoreError(.importFileMissing, ["path": .untrusted(path)])
            }
            return bytes
        }
    }

    /// Returns the text of a file whatever its encoding is.
    func text(_ path: String) throws -> LenientText { LenientText(try read(path)) }

    /// Returns the JSON value in a file; the text may have any encoding and a byte order mark.
    ///
    /// - Throws: `import.malformed` if the file is not JSON.
    func json(_ path: String) throws -> JSONValue {
        do {
            return try JSON.decode(JSONValue.self, from: .init(try text(path).text.utf8))
        } catch let error where !(error is StoreError) {
            throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": "it is not valid JSON"])
        }
    }

    /// Returns the stickers that a description lists, unless they are more than a pack can have.
    ///
    /// A draft takes many times the memory of the few bytes that name a sticker in a description.
    ///
    /// - Throws: `content.bad-information`.
    func limited<Stickers: Collection>(_ stickers: Stickers) throws(StoreError) -> Stickers {
        guard stickers.count <= StickerPack.maximumCount else {
            throw StoreError(
                .informationListTooLong,
                [
                    "file": name, "member": "stickers", "count": stickers.count, "limit": StickerPack.maximumCount,
                ])
        }
        return stickers
    }

    /// The paths of the files that can be images, by their names, in natural order.
    var imagePaths: [String] { paths.filter(\.hasImageSuffix).sorted(by: isNaturallyBefore) }
}

extension Sequence<String> {
    /// The first of the paths with each name, by the case-folded form of the name without extension.
    ///
    /// A description may name as many files as there are: a search among all for each would take quadratic time.
    var firstByStem: [String: String] { Dictionary(map { ($0.stem.caseFolded, $0) }) { first, _ in first } }
}

extension StringProtocol {
    /// The part of a path after the last `/`.
    var lastComponent: String { String(self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...]) }

    /// The directory of a path with a `/` at its end; empty for a path without directory.
    var directoryPrefix: String { String(self[..<(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)]) }

    /// The last component of a path without its extension.
    var stem: String {
        let name = lastComponent
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The extension of a path's last component, in lower case and without the dot.
    var suffix: String {
        let name = lastComponent
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
