import StoreDownloads
import StoreLibrary
import StoreModel

extension Installer {
    /// Begins to repair an installed pack: installs the same version again from the store it came from.
    ///
    /// Only the damaged files are fetched, if the store has an entry table (list of the archive's files) and its server
    /// supports range requests.
    ///
    /// - Parameters:
    ///   - consent: the permissions that the user grants; used if the receipt, the pack's description, is too damaged to
    ///     contain them.
    ///   - agreed: as for ``install(_:store:consent:agreed:priority:rateLimit:)``.
    /// - Throws: `conflict.by-hand`, `conflict.busy`, `product.incomplete`, `consent.needed`; `pack.damaged-receipt` if
    ///   the origin of the pack is not known any more; `conflict.plan-changed`.
    func repair(_ pack: LibraryPack, consent: Consent, agreed: Set<String>? = nil) async throws -> Installation {
        let request = try await repairRequest(pack, consent: consent)
        if let installation = try await begin([request], agreed: agreed) { return installation }
        // Another version was installed meanwhile, which needs no repair, or the pack was removed. (If the operation of the
        // damaged pack is not known, a removed one is installed again.)
        guard let present = try await library.packInPlace(of: pack.productIdentifier) else {
            throw StoreError(.packNotInstalled, ["product": pack.productIdentifier])
        }
        return Installation(present: await packs.installedPack(present), operation: present.origin?.operation)
    }

    /// Returns the request that repairs an installed pack.
    ///
    /// - Parameter consent: the permissions that the user grants; `nil` for a plan, which needs no consent.
    /// - Throws: the errors of ``repair(_:consent:agreed:)``.
    func repairRequest(_ pack: LibraryPack, consent: Consent?) async throws -> DownloadRequest {
        if let origin = pack.origin { return try await repairRequest(pack, origin) }
        guard pack.receiptIsDamaged else {
            throw StoreError(.packNotManaged, ["path": .path(library.path(of: pack))])
        }
        return try await restoreRequest(pack, consent: consent)
    }

    private func repairRequest(_ pack: LibraryPack, _ origin: LibraryPack.Origin) async throws -> DownloadRequest {
        guard let url = origin.archive.url else {
            throw StoreError(.originUnknown, ["product": pack.productIdentifier])
        }
        var item = ProductItem(
            productIdentifier: pack.productIdentifier, kind: pack.kind, productName: pack.name, version: pack.version,
            productPrice: origin.price)
        item.dependencies = origin.dependencies
        let resource = ContentReference(url: url, size: origin.archive.size, sha256: origin.archive.sha256)
        item.resource = resource
        let offered = await offered(pack.productIdentifier, origin)
        item.entryTable = offered?.entryTable
        item.mirrors = offered?.mirrors ?? []
        return DownloadRequest(
            operation: OperationID(at: clock.date()), action: .repair, store: origin.store, product: item,
            resource: resource, replacing: origin.operation)
    }

    /// Returns the entry of an installed pack's product in its store's catalogue.
    ///
    /// The result is `nil` if the store no longer offers the pack's archive, or if its catalogue is not available.
    private func offered(_ identifier: String, _ origin: LibraryPack.Origin) async -> ProductItem? {
        var catalogue = await stores.cachedCatalogues()[origin.store]
        if catalogue == nil { catalogue = await stores.catalogues(of: [origin.store]).first?.catalogue }
        guard let item = catalogue?[identifier], item.resource?.sha256 == origin.archive.sha256 else { return nil }
        return item
    }

    /// Returns a request to install a pack again whose receipt (the file that describes it) can't be read.
    ///
    /// The library does not know the pack's origin in this case; the history contains the store that the pack was
    /// installed from.
    private func restoreRequest(_ pack: LibraryPack, consent: Consent?) async throws -> DownloadRequest {
        let identifier = pack.productIdentifier
        let last = try await history.operations(of: identifier).first {
            $0.end == .finished && $0.action != .rollback
        }
        guard let last, last.action != .uninstall, let store = last.store else {
            throw StoreError(.originLost, ["product": identifier, "path": .path(library.path(of: pack))])
        }
        let offer = try await stores.resolve(identifier, store: store, origin: nil)
        let status = ProductStatus(productIdentifier: identifier, download: nil, pack: pack)
        return try await request(.repair, offer, status: status, consent: consent)
    }
}
