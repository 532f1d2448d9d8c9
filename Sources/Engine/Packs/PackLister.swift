import StoreCatalogue
import StoreDownloads
import StoreEvents
import StoreLibrary
import StoreModel

/// The part of the engine that describes installed packs, with their states, for lists.
struct PackLister: Sendable {
    let library: Library
    let kinds: ContentKinds
    let downloads: DownloadsManager
    let purchases: Purchases
    let stores: StoreRegistry
    let missing: MissingPacks

    /// Returns a snapshot of all packs that are installed at this moment, for lists.
    ///
    /// - Throws: a file error.
    func listing() async throws -> PackListing {
        let (packs, changes) = try await library.counted()
        let (catalogues, inUse) = (await stores.cachedCatalogues(), await inUse(among: packs))
        let version = PackListing.Version(
            libraryChanges: changes, downloading: await downloads.storesOfRunningDownloads,
            neededByDownloads: await downloads.neededByRunning, purchased: await purchases.identifiers(), inUse: inUse,
            catalogues: catalogues.mapValues(\.revision), signed: await stores.signed,
            // Where the history can't be read, the packs are listed all the same.
            missing: (try? await missing.find(besides: packs, changes: changes)) ?? [])
        return PackListing(
            version: version, packs: packs, catalogues: catalogues, directory: library.packsPath)
    }

    /// Returns the packs that are installed according to the history, and whose directory is missing.
    ///
    /// - Throws: a file or database error.
    func missingPacks() async throws -> [MissingPack] {
        let (packs, changes) = try await library.counted()
        return try await missing.find(besides: packs, changes: changes)
    }

    /// Returns the missing pack of a product; `nil` if there is none.
    func missingPack(_ identifier: String) async -> MissingPack? {
        (try? await missingPacks())?.first { $0.productIdentifier == identifier }
    }

    /// Returns the description of the installed pack of one product.
    ///
    /// - Throws: `pack.not-installed`.
    func pack(_ identifier: String, languages: [String] = []) async throws -> InstalledPack {
        await installedPack(try await libraryPack(identifier), languages: languages)
    }

    /// Returns the library's entry for the installed pack of a product.
    ///
    /// - Throws: `pack.not-installed`.
    func libraryPack(_ identifier: String) async throws -> LibraryPack {
        guard let pack = try await library.pack(of: identifier) else {
            throw StoreError(.packNotInstalled, ["product": identifier])
        }
        return pack
    }

    /// Returns the description, for lists, of an installed pack of the library.
    func installedPack(_ pack: LibraryPack, languages: [String] = []) async -> InstalledPack {
        let running = await downloads.running(pack.productIdentifier)
        return installedPack(
            pack, states: await states(of: pack, downloadingFrom: running?.store),
            catalogues: await stores.cachedCatalogues(), languages: languages)
    }

    /// Reads the data that the states of one installed pack are computed from, at a cost that does not depend on the number
    /// of packs.
    ///
    /// - Parameter store: the store that the product is being downloaded from; `nil` if it is not.
    private func states(of pack: LibraryPack, downloadingFrom store: String?) async -> ProductStates {
        let identifier = pack.productIdentifier
        return ProductStates(
            [pack], downloading: store.map { [identifier: $0] } ?? [:],
            purchased: await purchases.contains(identifier) ? [identifier] : [], inUse: await inUse(among: [pack]),
            signed: await stores.signed)
    }

    /// Returns the description of an installed pack, computed from states and catalogues that were read before.
    func installedPack(
        _ pack: LibraryPack, states: ProductStates, catalogues: [String: Catalogue], languages: [String]
    ) -> InstalledPack {
        DescribedPack(pack, in: library.packsPath, states: states, catalogues: catalogues).pack(in: languages)
    }

    /// Reads the data that the states of all products, such as "downloading", are computed from.
    func states() async -> ProductStates {
        let packs = (try? await library.all()) ?? []
        return ProductStates(
            packs, downloading: await downloads.storesOfRunningDownloads, purchased: await purchases.identifiers(),
            inUse: await inUse(among: packs), signed: await stores.signed)
    }

    // MARK: Events

    /// Returns the installed packs as events describe them, one for each product, by product identifier.
    ///
    /// `pending` are the products whose download has installed the pack but has not ended yet: its end comes first.
    /// Unlike ``listing()`` this does not wait until the downloads of the previous process are there.
    func publishedPacks() async throws -> (packs: [String: PublishedState.Pack], pending: Set<String>) {
        let (packs, catalogues) = (try await library.all(), await stores.cachedCatalogues())
        let running = await downloads.runningOperations
        let states = ProductStates(
            packs, downloading: running.mapValues { $0.store }, purchased: await purchases.identifiers(),
            inUse: await inUse(among: packs), signed: await stores.signed)
        var published = [String: PublishedState.Pack](minimumCapacity: packs.count)
        var pending: Set<String> = []
        for pack in states.packs.values {
            let identifier = pack.productIdentifier
            if let operation = running[identifier]?.operation, pack.origin?.operation == operation {
                pending.insert(identifier)
            }
            published[identifier] = publishedPack(pack, states: states, catalogues: catalogues)
        }
        return (published, pending)
    }

    /// Returns the installed pack of one product as ``publishedPacks()`` does, at a cost that does not depend on the
    /// number of packs if the product has one.
    func publishedPack(of identifier: String) async throws -> (pack: PublishedState.Pack?, isPending: Bool) {
        guard let pack = try await library.pack(of: identifier) else { return (nil, false) }
        let running = await downloads.runningOperation(of: identifier)
        let states = await states(of: pack, downloadingFrom: running?.store)
        return (
            publishedPack(pack, states: states, catalogues: await stores.cachedCatalogues()),
            running != nil && pack.origin?.operation == running?.operation
        )
    }

    /// Returns a pack as events describe it if it is installed as it was read before, and nothing changes it.
    func publishedPack(_ pack: LibraryPack) async throws -> PublishedState.Pack {
        let states = await states(of: pack, downloadingFrom: nil)
        return publishedPack(pack, states: states, catalogues: await stores.cachedCatalogues())
    }

    private func publishedPack(
        _ pack: LibraryPack, states: ProductStates, catalogues: [String: Catalogue]
    ) -> PublishedState.Pack {
        PublishedState.Pack(
            DescribedPack(pack, in: library.packsPath, states: states, catalogues: catalogues))
    }

    private func inUse(among packs: [LibraryPack]) async -> Set<String> {
        var inUse: Set<String> = []
        for pack in packs where await kinds[pack.kind]?.isInUse(pack.productIdentifier) == true {
            inUse.insert(pack.productIdentifier)
        }
        return inUse
    }
}
