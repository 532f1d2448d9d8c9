import StoreCatalogue
import StoreDownloads
import StoreLibrary
import StoreModel

/// Describes installed packs, with their states.
struct PackLister: Sendable {
    let library: Library
    let kinds: ContentKinds
    let downloads: DownloadsManager
    let purchases: Purchases
    let stores: StoreRegistry

    /// Returns the installed packs at this moment.
    ///
    /// - Throws: a file error.
    func listing() async throws -> PackListing {
        let (packs, changes) = try await library.counted()
        let (catalogues, inUse) = (await stores.cachedCatalogues(), await inUse(among: packs))
        let version = PackListing.Version(
            libraryChanges: changes, downloading: await downloads.active, purchased: await purchases.identifiers(),
            inUse: inUse, catalogues: catalogues.mapValues(\.revision))
        return PackListing(version: version, packs: packs, catalogues: catalogues) { [library] in library.path(of: $0) }
    }

    /// Returns one pack.
    ///
    /// - Throws: `pack.not-installed`.
    func pack(_ identifier: String, languages: [String] = []) async throws -> InstalledPack {
        await installedPack(try await libraryPack(identifier), languages: languages)
    }

    /// Returns a pack as the library knows it.
    ///
    /// - Throws: `pack.not-installed`.
    func libraryPack(_ identifier: String) async throws -> LibraryPack {
        guard let pack = try await library.pack(of: identifier) else {
            throw StoreError(.packNotInstalled, ["product": identifier])
        }
        return pack
    }

    /// Describes a pack.
    func installedPack(_ pack: LibraryPack, languages: [String] = []) async -> InstalledPack {
        installedPack(
            pack, states: await states(), catalogues: await stores.cachedCatalogues(), languages: languages)
    }

    /// Describes a pack by facts that were read before.
    func installedPack(
        _ pack: LibraryPack, states: ProductStates, catalogues: [String: Catalogue], languages: [String]
    ) -> InstalledPack {
        InstalledPack(
            pack, at: library.path(of: pack), states: states, catalogues: catalogues, languages: languages)
    }

    /// Reads the facts from which the states of all products are derived.
    func states() async -> ProductStates {
        let packs = (try? await library.all()) ?? []
        return ProductStates(
            packs, downloading: await downloads.active, purchased: await purchases.identifiers(),
            inUse: await inUse(among: packs))
    }

    private func inUse(among packs: [LibraryPack]) async -> Set<String> {
        var inUse: Set<String> = []
        for pack in packs where await kinds[pack.kind]?.isInUse(pack.productIdentifier) == true {
            inUse.insert(pack.productIdentifier)
        }
        return inUse
    }
}
