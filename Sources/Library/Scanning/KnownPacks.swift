/// The collection of packs that the library has read, by directory name, with an index of those that were placed by hand, by
/// product.
struct KnownPacks {
    private(set) var entries: [String: LibraryEntry] = [:]
    /// The number of changes of the known packs so far.
    ///
    /// By it a scan of the disk finds that the packs have changed since it began.
    private(set) var changes = 0
    /// The names of the directories with packs that were placed by hand, by the product identifier that they name.
    ///
    /// An installed pack is in a directory that belongs to its product, and is found by the directory's name.
    private var unmanaged: [String: [String]] = [:]
    /// All known packs in the order of their directory names; `nil` after a change, until they are requested again.
    private var sorted: [LibraryPack]?

    init(_ entries: [String: LibraryEntry]) { replaceAll(with: entries) }

    mutating func replaceAll(with entries: [String: LibraryEntry]) {
        self.entries = entries
        unmanaged = [:]
        for entry in entries.values { add(entry.pack) }
        hasChanged()
    }

    subscript(folder: String) -> LibraryEntry? {
        get { entries[folder] }
        set {
            if let before = entries[folder]?.pack, before.origin == nil {
                unmanaged[before.productIdentifier]?.removeAll { $0 == folder }
                if unmanaged[before.productIdentifier]?.isEmpty == true { unmanaged[before.productIdentifier] = nil }
            }
            entries[folder] = newValue
            if let newValue { add(newValue.pack) }
            hasChanged()
        }
    }

    private mutating func add(_ pack: LibraryPack) {
        if pack.origin == nil { unmanaged[pack.productIdentifier, default: []].append(pack.folder) }
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
    /// - Parameter directories: the names that the directory of the product's pack can have, one for each kind of content.
    func packs(of productIdentifier: String, directories: [String]) -> [LibraryPack] {
        Set(directories + (unmanaged[productIdentifier] ?? [])).compactMap { entries[$0]?.pack }
            .filter { $0.isOf(productIdentifier) }
    }
}
