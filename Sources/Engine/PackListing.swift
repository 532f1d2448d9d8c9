import StoreCatalogue
import StoreLibrary
public import StoreModel

/// What is installed, with all that lists say of it, as it was in one moment.
public struct PackListing: Sendable {
    /// The same for two of which every list is the same, and cheaply had: who keeps what it made of a list need make it
    /// again only when this has changed.
    public struct Mark: Sendable, Hashable {
        /// Counts the changes of what the library knows.
        let library: Int
        let downloading: Set<String>
        let purchased: Set<String>
        let inUse: Set<String>
        /// By store.
        let catalogues: [String: SHA256Digest]
    }

    public let mark: Mark
    let packs: [LibraryPack]
    let catalogues: [String: Catalogue]
    let path: @Sendable (LibraryPack) -> String

    /// In the order of names.
    ///
    /// - Parameter languages: of the names, the best first.
    public func packs(
        kind: ProductKind? = nil, updatableOnly: Bool = false, languages: [String] = []
    ) -> [InstalledPack] {
        let facts = ProductStates(
            packs, downloading: mark.downloading, purchased: mark.purchased, inUse: mark.inUse)
        return packs.filter { kind == nil || $0.kind == kind }
            .map {
                InstalledPack($0, at: path($0), facts: facts, catalogues: catalogues, languages: languages)
            }
            .filter { !updatableOnly || $0.state.contains(.updatable) }
            .sorted { ($0.name, $0.productIdentifier) < ($1.name, $1.productIdentifier) }
    }
}

extension StoreManager {
    /// What is installed, in this moment.
    ///
    /// - Throws: what the disk says.
    public func packSurvey() async throws -> PackListing {
        let (packs, changes) = try await library.counted()
        let (catalogues, inUse) = (await cachedCatalogues(), await inUse(among: packs))
        let mark = PackListing.Mark(
            library: changes, downloading: await downloads.active, purchased: await purchased(), inUse: inUse,
            catalogues: catalogues.mapValues(\.revision))
        return PackListing(mark: mark, packs: packs, catalogues: catalogues) { [library] in library.path(of: $0) }
    }
}
