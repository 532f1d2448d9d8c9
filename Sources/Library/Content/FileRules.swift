public import StoreModel
public import StoreSystem

/// The types of files that packs of a kind may hold; every other file is refused.
public struct FileRules: Sendable {
    private let kind: ProductKind
    private let rules: [FileRule]

    /// The number of bytes read of each file first; most files are smaller and need no other read.
    private static let piece = 64 << 10

    public init(_ kind: ProductKind, _ rules: [FileRule]) {
        self.kind = kind
        self.rules = rules
    }

    /// Checks every file of a pack, and reads as much of it as its type requires.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Returns: the type of each file by its path.
    /// - Throws: `content.…`, or another code of the first rule that a file breaks; `StoreError`; `CancellationError`.
    @discardableResult
    public func check(
        _ pack: Directory, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> [String: FileContent] {
        var found: [String: FileContent] = [:]
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileRules.piece, alignment: 8)
        defer { buffer.deallocate() }
        try check(pack, prefix: "", buffer, &found, cancellation)
        return found
    }

    private func check(
        _ folder: Directory, prefix: String, _ buffer: UnsafeMutableRawBufferPointer,
        _ found: inout [String: FileContent], _ cancellation: CancellationFlag
    ) throws {
        for entry in try folder.entries() {
            try cancellation.check()
            let path = prefix + entry.name
            switch entry.kind {
            case .folder: try check(folder.openDirectory(entry.name), prefix: path + "/", buffer, &found, cancellation)
            // The receipt of a pack that was installed before.
            case .file where path == Receipt.fileName: break
            case .file:
                let file = try PackFile(entry.name, path: path, in: folder, buffer)
                try check(file)
                found[path] = file.content
            // Archives neither unpack nor pack them, with errors of their own.
            case .link, .other: break
            }
        }
    }

    private func check(_ file: PackFile) throws {
        if case .program(let title) = file.content {
            throw StoreError(
                .executableRefused, ["path": .untrusted(file.path), "content": title, "kind": kind.rawValue])
        }
        for rule in rules where try rule.takes(file) { return }
        throw StoreError(
            .fileTypeRefused,
            [
                "path": .untrusted(file.path), "content": file.content.title, "kind": kind.rawValue,
                "types": .list(rules.map(\.title)),
            ])
    }
}
