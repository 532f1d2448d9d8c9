import Hummingbird
import StoreEngine
import StoreModel
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP routes of the pages for the removal of packs, with its form, and for the use of the disk.
    mutating func addRemovalPages(_ manager: StoreManager, _ pages: PageResponder) {
        // Reads the size of every file in the cache, so it is a page of its own.
        page(DiskUsePage.path, pages) { DiskUsePage(try await manager.diskUse(), $0.texts) }
        page(ConfirmationPage.removalPath, pages) { request in
            let listing = try await manager.packs.listing()
            let identifiers =
                request.flag("unneeded")
                ? listing.packs(unneededOnly: true).map(\.productIdentifier)
                : request.queryNames(after: ConfirmationPage.removalPrefix)
            let packs = listing.packs(languages: request.languages)
            return ConfirmationPage(
                removing: identifiers, try await manager.packs.plan(removing: identifiers),
                names: packs.names,
                back: request.pageBefore, request.texts)
        }
        form("/actions/removals", pages) { request, form in
            try await manager.packs.remove(form.words("packs") ?? [], agreed: Set(form.words("agreed") ?? []))
            return Response(status: .seeOther, headers: [.location: request.pageBefore])
        }
    }
}

extension [InstalledPack] {
    /// The display names of the packs by their product identifiers.
    var names: [String: String] { Dictionary(map { ($0.productIdentifier, $0.name) }) { $1 } }
}

extension PacksManager {
    /// Removes packs together; one that can't be removed does not keep the others.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs, in an order in which none comes before one that needs it.
    ///   - agreed: the identifiers of the steps of the plan that the user agreed to.
    /// - Throws: the error of the first pack that could not be removed.
    fileprivate func remove(_ identifiers: [String], agreed: Set<String>) async throws {
        var failure: (any Error)?
        for identifier in identifiers {
            do { _ = try await uninstall(identifier, using: nil, agreed: agreed) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
