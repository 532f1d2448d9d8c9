/// The collection of packs that the library has read, by directory name, with an index by product.
struct KnownPacks {
    private(set) var entries: [String: LibraryEntry] = [:]
    /// The number of changes of the known packs so far.
    ///
    /// By it a scan of the disk finds that the packs have changed since it began.
    private(set) var changes = 0
    /// The names of the directories with packs of each product, by product identifier.
    ///
    /// Usually there is one, and more if packs that were placed by hand name the same product.
    private var folders: [String: [String]] = [:]
    /// All known packs in the order of their directory names; `nil` after a change, until they are requested again.
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

    /// Returns all known packs in the order of their directory names.
    mutating func all() -> [LibraryPack] {
        let sorted = sorted ?? entries.values.map(\.pack).sorted { $0.folder < $1.folder }
        self.sorted = sorted
        return sorted
    }

    /// Returns the known packs of a product in no particular order.
    ///
    /// - Parameter directories: the directory names that belong to the product, where a pack with a damaged receipt is
    ///   looked for.
    func packs(of productIdentifier: String, directories: [String]) -> [LibraryPack] {
        Set((folders[productIdentifier] ?? []) + directories).compactMap { entries[$0]?.pack }
            .filter { $0.isOf(productIdentifier) }
    }
}
