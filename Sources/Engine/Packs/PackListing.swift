import StoreCatalogue
import StoreLibrary
public import StoreModel

/// A snapshot of the installed packs, with all properties that lists show.
public struct PackListing: Sendable {
    /// The version of a list of installed packs: equal for two lists with the same content.
    ///
    /// It is cheap to compute and serves as the key of a cache of responses.
    public struct Version: Sendable, Hashable {
        /// The number of changes of the library (all installed packs) since it was opened.
        let libraryChanges: Int
        /// The stores of the running downloads, by product identifier.
        let downloading: [String: String]
        /// The identifiers of the products that running downloads depend on.
        let neededByDownloads: Set<String>
        let purchased: Set<String>
        let inUse: Set<String>
        /// The SHA-256 of the stores' catalogues, by store name.
        let catalogues: [String: SHA256Digest]
        /// Whether each store is a signed one, by its name.
        let signed: [String: Bool]
        let missing: [MissingPack]
    }

    /// A value that is equal for two lists of installed packs with the same content.
    public let version: Version
    let packs: [LibraryPack]
    let catalogues: [String: Catalogue]
    /// The path of the directory with the packs' directories.
    let directory: String

    /// Returns the installed packs in the order of their names.
    ///
    /// - Parameters:
    ///   - kind: the kind of the packs; `nil` is all.
    ///   - updatableOnly: whether to return only packs of which their store has a newer version.
    ///   - unneededOnly: whether to return only packs that were installed for other products, and that nothing needs any
    ///     more.
    ///   - languages: the languages of the names, the best first.
    public func packs(
        kind: ProductKind? = nil, updatableOnly: Bool = false, unneededOnly: Bool = false, languages: [String] = []
    ) -> [InstalledPack] {
        let states = ProductStates(
            packs, downloading: version.downloading, purchased: version.purchased, inUse: version.inUse,
            signed: version.signed)
        let unneeded = unneededOnly ? self.unneeded : nil
        return packs.filter { (kind == nil || $0.kind == kind) && unneeded?.contains($0) ?? true }
            .map {
                DescribedPack($0, in: directory, states: states, catalogues: catalogues).pack(in: languages)
            }
            .filter { !updatableOnly || $0.state.contains(.updatable) }
            .sorted { ($0.name, $0.productIdentifier) < ($1.name, $1.productIdentifier) }
    }

    /// The packs that are installed according to the history, and whose directory is missing.
    public var missing: [MissingPack] { version.missing }

    /// The product identifiers of the packs that have, or had, a list of their files to be verified against.
    ///
    /// Packs that were placed by hand have none. One whose receipt is damaged can be verified, and repaired if the history
    /// contains its store.
    public var verifiable: Set<String> {
        Set(packs.lazy.filter(\.isVerifiable).map(\.productIdentifier))
    }

    /// The packs that were installed only as dependencies, and are no longer required or in use.
    var unneeded: UnneededPacks { unneeded(without: []) }

    /// Returns the packs that nothing would need or use if some packs were removed, and that were not installed by name.
    func unneeded(without removed: Set<String>) -> UnneededPacks {
        UnneededPacks(
            among: packs.filter { !removed.contains($0.productIdentifier) }, inUse: version.inUse,
            neededByOthers: version.neededByDownloads)
    }
}
