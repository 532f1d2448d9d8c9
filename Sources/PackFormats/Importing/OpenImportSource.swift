import StoreModel
public import StoreSystem

/// A file or directory to import that is open, and of which nothing but the beginning was read.
///
/// A confined process that reads the rest receives it.
public struct OpenImportSource: Sendable {
    /// What is open.
    public enum Content: Sendable {
        /// A directory of files.
        case directory(Directory)
        /// A ZIP file.
        case archive(OpenFile)
    }

    /// The last component of the path that the user named.
    public let name: String
    /// The name of the file in the directory that describes the pack, if the user named a file that is no ZIP file.
    public let chosenFile: String?
    /// The open directory or ZIP file.
    public let content: Content

    /// Creates the description of an open directory or ZIP file.
    public init(name: String, chosenFile: String?, content: Content) {
        self.name = name
        self.chosenFile = chosenFile
        self.content = content
    }

    /// Opens a file or directory of this machine to import.
    ///
    /// - Parameters:
    ///   - path: the path of a directory, of a ZIP file, or of the file that describes a pack, which is read with the files
    ///     beside it.
    ///   - opened: the directory or ZIP file, if a client has opened it; `nil` opens the one at the path.
    /// - Throws: `file.unusable`.
    public init(_ path: String, opened: OpenFile? = nil) throws {
        name = path.split(separator: "/").last.map(String.init) ?? path
        do {
            let file = try opened?.duplicate(path: path) ?? OpenFile.open(path)
            let kind = try file.status().kind
            if kind == .folder {
                (content, chosenFile) = (.directory(try Directory(duplicating: file)), nil)
                return
            }
            guard kind == .file else { throw StoreError(.notRegularFile, ["path": .path(path)]) }
            if try file.read(count: 4, at: 0).starts(with: Array("PK".utf8)) {
                (content, chosenFile) = (.archive(file), nil)
            } else {
                let (parent, name) = FilePaths.split(path)
                (content, chosenFile) = (.directory(try Directory.open(parent.isEmpty ? "." : parent)), name)
            }
        } catch let error as StoreError {
            throw StoreError(.unusableFile, cause: error)
        }
    }
}
