public import StoreModel
public import StoreSystem

/// The rules for the files in packs of one product kind; a file that no rule accepts is refused.
public struct FileRules: Sendable {
    private let kind: ProductKind
    private let rules: [FileRule]

    /// The number of bytes that are read of each file of a pack at first; most files need no other read.
    private static let piece = 64 << 10

    /// Creates rules for the files in packs of a kind; the first rule that accepts a file decides.
    public init(_ kind: ProductKind, _ rules: [FileRule]) {
        self.kind = kind
        self.rules = rules
    }

    /// Checks every file of a pack by the rules of its kind, and reads as much of it as its type requires.
    ///
    /// Files that are never part of a pack (see ``StoreModel/PackExclusion``), links and special files are skipped:
    /// archives with links, special files or hidden files are refused when they are unpacked.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Returns: the type of each checked file by its path.
    /// - Throws: `content.executable` for a program; `content.file-type` for a file that no rule accepts; the error of
    ///   a rule for a malformed file; `StoreError` where a file can't be read; `CancellationError`.
    @discardableResult
    public func check(
        _ pack: PackContents, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> [String: FileContent] {
        var found: [String: FileContent] = [:]
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileRules.piece, alignment: 8)
        defer { buffer.deallocate() }
        try pack.forEachFile(cancellation, buffer) { file in
            try check(file)
            found[file.path] = file.content
        }
        return found
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
