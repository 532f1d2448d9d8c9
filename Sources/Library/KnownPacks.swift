/// What is known of the packs, by folder, and found by product without looking at each.
struct KnownPacks {
    private(set) var entries: [String: LibraryEntry] = [:]
    /// Counts the changes, so that a look at the folder that began before one does not undo it.
    private(set) var changes = 0
    /// The folders of each product: one, unless somebody put more there by hand.
    private var folders: [String: [String]] = [:]
    /// In the order of their folders' names, once it was asked for.
    private var sorted: [LibraryPack]?

    init(_ entries: [String: LibraryEntry]) { replaceAll(with: entries) }

    mutating func replaceAll(with entries: [String: LibraryEntry]) {
        self.entries = entries
        folders = [:]
        for (folder, entry) in entries { folders[entry.pack.productIdentifier, default: []].append(folder) }
        hasChanged()
    }

    subscript(folder: String) -> LibraryEntry? {
        get { entries[folder] }
        set {
            let before = entries[folder]?.pack.productIdentifier
            let now = newValue?.pack.productIdentifier
            entries[folder] = newValue
            hasChanged()
            guard before != now else { return }
            if let before {
                folders[before]?.removeAll { $0 == folder }
                if folders[before]?.isEmpty == true { folders[before] = nil }
            }
            if let now { folders[now, default: []].append(folder) }
        }
    }

    private mutating func hasChanged() {
        changes += 1
        sorted = nil
    }

    /// All, in the order of their folders' names.
    mutating func inOrder() -> [LibraryPack] {
        let sorted = sorted ?? entries.values.map(\.pack).sorted { $0.folder < $1.folder }
        self.sorted = sorted
        return sorted
    }

    /// Those that are of a product.
    ///
    /// - Parameter places: the folders that are the product's by name, for one that does not say itself what it is.
    func of(_ productIdentifier: String, in places: [String]) -> [LibraryPack] {
        Set((folders[productIdentifier] ?? []) + places).compactMap { entries[$0]?.pack }
            .filter { $0.isOf(productIdentifier) }
    }
}
