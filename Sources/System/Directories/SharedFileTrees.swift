import StoreModel

/// File trees in a file in memory (memfd_create(2)), which can be given to another process.
public struct SharedFileTrees: Sendable {
    /// The file with the bytes of all trees.
    public let file: OpenFile
    public let trees: [FileTree]

    /// Reads trees from a file in memory, to which no process writes any more.
    ///
    /// - Parameters:
    ///   - count: the maximum number of trees.
    ///   - entries: the maximum number of entries of each tree.
    ///   - limit: the maximum size of the file in bytes.
    /// - Throws: ``FileTree/Malformed``; ``StoreError`` if the file can't be read, or is too large.
    package init(_ file: OpenFile, atMost count: Int = .max, entries: Int = .max, limit: Int) throws {
        self.file = file
        let bytes = try file.read(count: file.requireSize(limit: limit), at: 0)
        trees = try FileTree.decode(bytes, atMost: count, entries: entries)
    }
}
