import StoreModel

/// All names of an archive as a tree, which finds those that would fall together: here, or on a disk that does not
/// tell case or Unicode's ways of writing apart.
struct NameTree {
    private struct Place: Hashable {
        let folder: Int
        /// Compared by Unicode's canonical equivalence, as Swift compares all text.
        let name: String
    }

    private struct Node {
        let id: Int
        let name: Substring
        let isFolder: Bool
        /// A folder may be there because of what is in it, before or without an entry of its own.
        var hasEntry: Bool
    }

    private var nodes: [Place: Node] = [:]

    mutating func insert(_ entry: EntryName) throws(Flaw) {
        // Bytes are split: a combining mark after the slash makes another letter of it for Swift.
        let parts = entry.path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
        var folder = 0
        for (depth, part) in parts.enumerated() {
            let isLast = depth == parts.count - 1
            let isFolder = !isLast || entry.isFolder
            let place = Place(folder: folder, name: NameTree.folded(part))
            guard let node = nodes[place] else {
                folder = nodes.count + 1
                nodes[place] = Node(id: folder, name: part, isFolder: isFolder, hasEntry: isLast)
                continue
            }
            guard node.name.utf8.elementsEqual(part.utf8) else {
                throw Flaw(.nameCollision, "\(quoted(part)) and \(quoted(node.name)) are one name on many disks")
            }
            guard node.isFolder == isFolder else {
                throw Flaw(.fileAndFolder, "\(quoted(part)) is a file and a folder")
            }
            if isLast {
                guard !node.hasEntry else {
                    throw Flaw(.duplicateName, "\(quoted(entry.path[...])) is there twice")
                }
                nodes[place]!.hasEntry = true
            }
            folder = node.id
        }
    }

    /// Upper case first, so that letters that only differ in lower case (ß, ss; final sigma) fall together too.
    static func folded(_ name: some StringProtocol) -> String { name.uppercased().lowercased() }

    private func quoted(_ text: Substring) -> String { StoreArchives.quoted(ArraySlice(text.utf8)) }
}
