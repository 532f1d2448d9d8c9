import StoreCatalogue
import StoreEvents
import StoreLibrary
import StoreModel

/// The description of an installed pack for lists and events, composed of the library's pack and of its states.
final class DescribedPack: InstalledPackDescription {
    private let libraryPack: LibraryPack
    /// The path of the directory with the packs' directories.
    private let directory: String
    private let signed: Bool?
    private let states: [ProductState]

    /// Creates the description of an installed pack.
    ///
    /// - Parameters:
    ///   - directory: the path of the directory with the packs' directories.
    ///   - states: the data from which the pack's states are computed.
    ///   - catalogues: the catalogues of the stores, by store name.
    init(_ pack: LibraryPack, in directory: String, states: ProductStates, catalogues: [String: Catalogue]) {
        libraryPack = pack
        self.directory = directory
        signed = pack.origin.flatMap { states.signed[$0.store] }
        self.states = states.states(of: pack, catalogue: pack.origin.flatMap { catalogues[$0.store] })
    }

    var names: LocalizedText { libraryPack.name }
    var pack: InstalledPack { pack(in: []) }

    /// Returns the pack with its name in one of some languages, the best first.
    func pack(in languages: [String]) -> InstalledPack {
        let (pack, origin) = (libraryPack, libraryPack.origin)
        return InstalledPack(
            productIdentifier: pack.productIdentifier, store: origin?.store, signed: signed,
            operation: origin?.operation, kind: pack.kind, name: pack.name.text(in: languages), version: pack.version,
            at: DirectoryEntryPath(of: pack.folder, in: directory), size: pack.size, installedAt: pack.installedAt,
            held: origin?.held ?? false, permissions: origin?.permissions ?? [],
            dependencies: origin?.dependencies ?? [], state: states)
    }
}
