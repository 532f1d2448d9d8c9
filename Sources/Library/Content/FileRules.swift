public import StoreModel
public import StoreSystem

/// The types of files that packs of a kind may hold. Nothing else is in them, whatever it is called.
public struct FileRules: Sendable {
    private let kind: ProductKind
    private let rules: [FileRule]

    /// Read of each file at once; most files are smaller, and then need nothing more.
    private static let piece = 64 << 10

    public init(_ kind: ProductKind, _ rules: [FileRule]) {
        self.kind = kind
        self.rules = rules
    }

    /// Reads every file of a pack as far as its type asks for.
    ///
    /// - Returns: what each file is, by its path.
    /// - Throws: ``LibraryError`` with the word of the first rule that a file breaks; what the disk says.
    @discardableResult
    public func check(_ pack: Directory) throws -> [String: FileContent] {
        var found: [String: FileContent] = [:]
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileRules.piece, alignment: 8)
        defer { buffer.deallocate() }
        try check(pack, prefix: "", buffer, &found)
        return found
    }

    private func check(
        _ folder: Directory, prefix: String, _ buffer: UnsafeMutableRawBufferPointer,
        _ found: inout [String: FileContent]
    ) throws {
        for entry in try folder.entries() {
            let path = prefix + entry.name
            switch entry.kind {
            case .folder: try check(folder.openDirectory(entry.name), prefix: path + "/", buffer, &found)
            // The store's own, of a pack that was installed before.
            case .file where path == Receipt.fileName: break
            case .file:
                let file = try PackFile(entry.name, path: path, in: folder, buffer)
                try check(file)
                found[path] = file.content
            // They don't come out of an archive nor go into one: `Archives` refuses them with words of its own.
            case .link, .other: break
            }
        }
    }

    private func check(_ file: PackFile) throws {
        if case .program(let title) = file.content {
            throw LibraryError(
                .executable, "'\(file.path)' is \(title), and a pack of the kind '\(kind)' holds nothing that runs.")
        }
        for rule in rules where try rule.takes(file) { return }
        throw LibraryError(
            .fileType,
            "'\(file.path)' is \(file.content.title), and a pack of the kind '\(kind)' holds only "
                + "\(rules.map(\.title).joined(separator: ", ")).")
    }
}
