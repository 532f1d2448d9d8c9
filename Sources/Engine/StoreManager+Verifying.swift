import StoreDownloads
import StoreLibrary
public import StoreModel

extension StoreManager {
    /// What of a pack is not as it was installed. Observers are told of damage that they have not been told of.
    ///
    /// - Throws: `pack.not-installed`, `conflict.by-hand`.
    public func verify(_ identifier: String) async throws -> [PackDamage] {
        let check = try await library.inspect(identifier)
        await tell(of: check.damages, in: identifier)
        return check.damages
    }

    /// An event is a hint: the same finding is told once, whoever looks how often.
    private func tell(of damages: [PackDamage], in identifier: String) async {
        guard !damages.isEmpty else {
            toldDamages[identifier] = nil
            return
        }
        guard toldDamages[identifier] != damages, let pack = try? await library.pack(of: identifier) else { return }
        toldDamages[identifier] = damages
        log.warning("A pack is damaged", metadata: ["product": "\(identifier)", "files": "\(damages.count)"])
        events.publish(
            .pack(
                PackChange(
                    productIdentifier: identifier, kind: pack.kind, change: .damaged, version: pack.version,
                    damages: damages.count)))
    }

    /// Installs the same version again from where it came, in the place of one that is damaged; of its files only those
    /// are fetched that are not whole, where the store and its server know how.
    ///
    /// - Parameter consent: what somebody allowed that it may do, where its receipt does not say so any more.
    /// - Throws: `pack.not-installed`, `conflict.by-hand`, `conflict.busy`, `product.incomplete`, `consent.needed`;
    ///   `pack.damaged-receipt` where nothing says any more where it came from.
    public func repair(_ identifier: String, consent: Set<Permission> = []) async throws -> Installation {
        try requireIdle(identifier)
        let pack = try await libraryPack(identifier)
        let request =
            if let origin = pack.origin {
                try await repairRequest(identifier, pack, origin)
            } else if pack.receiptIsDamaged {
                try await restoreRequest(identifier, pack, consent: consent)
            } else {
                throw LibraryError(
                    .packByHand, "'\(library.path(of: pack))' was put there by hand and can't be repaired.")
            }
        return try await outcome(of: request)
    }

    private func repairRequest(
        _ identifier: String, _ pack: LibraryPack, _ origin: LibraryPack.Origin
    ) async throws -> DownloadRequest {
        guard let url = origin.archive.url else {
            throw EngineError(
                .productIncomplete, "It is not known where '\(identifier)' came from. Uninstall it and install it anew."
            )
        }
        var item = ProductItem(
            productIdentifier: identifier, kind: pack.kind, productName: pack.name, version: pack.version,
            productPrice: origin.price)
        item.dependencies = origin.dependencies
        let resource = ContentReference(url: url, size: origin.archive.size, sha256: origin.archive.sha256)
        item.resource = resource
        let offered = await offered(identifier, origin)
        item.entryTable = offered?.entryTable
        item.mirrors = offered?.mirrors ?? []
        return DownloadRequest(
            operation: OperationID(at: clock.date()), action: .repair, store: origin.store, product: item,
            resource: resource)
    }

    /// The product as its store lists it, where that still offers the very archive that the pack came from.
    private func offered(_ identifier: String, _ origin: LibraryPack.Origin) async -> ProductItem? {
        guard let store = stores.first(where: { $0.definition.name == origin.store }) else { return nil }
        var catalogue = await store.cached()
        if catalogue == nil {
            catalogue = await refresh([store], ifOlderThan: settings.catalogueRefreshAfter).first?.catalogue
        }
        guard let item = catalogue?[identifier], item.resource?.sha256 == origin.archive.sha256 else { return nil }
        return item
    }

    /// A pack whose receipt can't be read, and of which the library knows nothing from before: the history says which
    /// store it was installed from.
    private func restoreRequest(
        _ identifier: String, _ pack: LibraryPack, consent: Set<Permission>
    ) async throws -> DownloadRequest {
        let history = try await database.history(productIdentifier: identifier, limit: 1000)
        let brought = history.first { $0.end == .finished && $0.action != .rollback }
        guard let brought, brought.action != .uninstall, let store = brought.store else {
            throw LibraryError(
                .receiptDamaged,
                "The receipt of '\(identifier)' is damaged, and nothing else says where the pack came from. "
                    + "Move '\(library.path(of: pack))' away and install it anew.")
        }
        return try await request(.repair, resolve(identifier, store: store), consent: consent)
    }
}
