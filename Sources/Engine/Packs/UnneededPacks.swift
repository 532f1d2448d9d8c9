import StoreLibrary

/// The packs that can be removed: installed as dependencies, not in use, and no longer required by another pack.
struct UnneededPacks {
    private let packs: [String: [LibraryPack]]
    /// The identifiers of the products that something needs, directly or through others.
    private let needed: Set<String>

    /// Finds the packs of the library that nothing needs.
    ///
    /// Needed are the packs that the user named or placed by hand, held ones, those in use, and all that one of them
    /// depends on. Packs that only need each other are not.
    ///
    /// - Parameters:
    ///   - inUse: the identifiers of the products in use, such as the applied skin.
    ///   - others: further identifiers of products that are needed, such as the dependencies of a running download.
    init(among all: [LibraryPack], inUse: Set<String>, neededByOthers others: Set<String>) {
        packs = Dictionary(grouping: all, by: \.productIdentifier)
        let roots = all.filter { pack in
            guard let origin = pack.origin else { return true }
            return !origin.asDependency || origin.held || inUse.contains(pack.productIdentifier)
        }
        needed = Self.closure(of: Set(roots.map(\.productIdentifier)).union(others), in: packs)
    }

    /// Returns whether a pack was installed only as a dependency, and is no longer required or in use.
    func contains(_ pack: LibraryPack) -> Bool {
        pack.origin?.asDependency == true && !needed.contains(pack.productIdentifier)
    }

    /// The identifiers of the unneeded packs among some products and all that these need, in alphabetical order.
    func among(_ identifiers: [String]) -> [String] {
        Self.closure(of: Set(identifiers), in: packs).filter { packs[$0]?.contains(where: contains) == true }.sorted()
    }

    /// Returns some products and all that their packs depend on, directly or through others.
    static func closure(of identifiers: Set<String>, in packs: [String: [LibraryPack]]) -> Set<String> {
        var found = identifiers
        var rest = Array(identifiers)
        while let next = rest.popLast() {
            for pack in packs[next] ?? [] {
                rest += (pack.origin?.dependencies ?? []).filter { found.insert($0).inserted }
            }
        }
        return found
    }
}
