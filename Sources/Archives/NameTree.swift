import StoreModel

/// The names of a ZIP archive as a tree, which detects names that denote the same file.
///
/// Names are compared as a file system does that ignores case and Unicode normalization.
struct NameTree {
    private struct Key: Hashable {
        let parent: Int
        /// The name of a ZIP entry's path component in a form that is equal for names that differ only in case.
        ///
        /// Swift compares strings by canonical equivalence.
        let name: String
    }

    private struct Node {
        let id: Int
        let name: Substring
        let isDirectory: Bool
        /// Whether the ZIP archive has an entry for this path: a directory may only be implied by the entries in it.
        var hasEntry: Bool
    }

    private var nodes: [Key: Node] = [:]

    /// Adds the name of a ZIP entry to the tree of names.
    ///
    /// - Throws: an error if another entry has the same name, or a name that is equal on some file systems.
    mutating func insert(_ entry: EntryName) throws(StoreError) {
        // Split by bytes: for Swift, a slash followed by a combining mark is one character that is not a slash.
        let components = entry.path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
        var parent = 0
        for (depth, component) in components.enumerated() {
            let isLast = depth == components.count - 1
            let isDirectory = !isLast || entry.isDirectory
            let key = Key(parent: parent, name: component.caseFolded)
            guard let node = nodes[key] else {
                parent = nodes.count + 1
                nodes[key] = Node(id: parent, name: component, isDirectory: isDirectory, hasEntry: isLast)
                continue
            }
            guard node.name.utf8.elementsEqual(component.utf8) else {
                throw StoreError(
                    .archiveNameCollision, ["entry": .untrusted(component), "other": .untrusted(node.name)])
            }
            guard node.isDirectory == isDirectory else {
                throw StoreError(.archiveFileAndDirectory, ["entry": .untrusted(component)])
            }
            if isLast {
                guard !node.hasEntry else {
                    throw StoreError(.archiveDuplicateName, ["entry": .untrusted(entry.path)])
                }
                nodes[key]!.hasEntry = true
            }
            parent = node.id
        }
    }
}
