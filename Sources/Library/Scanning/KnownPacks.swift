/// The known packs by directory name, with an index by product.
struct KnownPacks {
    private(set) var entries: [String: LibraryEntry] = [:]
    /// The number of changes, so that a scan that began before a change does not undo it.
    private(set) var changes = 0
    /// The directory names of each product: one, unless there are unmanaged packs beside it.
    private var folders: [String: [String]] = [:]
    /// All packs by directory name, cached when they were first requested.
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

    /// Returns all packs in the order of their directory names.
    mutating func all() -> [LibraryPack] {
        let sorted = sorted ?? entries.values.map(\.pack).sorted { $0.folder < $1.folder }
        self.sorted = sorted
        return sorted
    }

    /// Returns the packs of a product.
    ///
    /// - Parameter directories: the directory names that belong to the product, for a pack without receipt and information file.
    func packs(of productIdentifier: String, directories: [String]) -> [LibraryPack] {
        Set((folders[productIdentifier] ?? []) + directories).compactMap { entries[$0]?.pack }
            .filter { $0.isOf(productIdentifier) }
    }
}
