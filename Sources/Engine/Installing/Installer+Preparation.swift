import FoundationEssentials
import StoreArchives
import StoreDownloads
import StoreLibrary
import StoreModel
import StoreSystem

extension Installer {
    /// What is needed to install a product, found before anything is changed.
    ///
    /// Plans and installations are made of the same preparation.
    enum Preparation {
        /// The product is being downloaded already.
        case join(DownloadStatus)
        /// The product is installed already.
        case present(LibraryPack, LibraryPack.Origin)
        /// The product is installed, but the receipt that describes its pack is damaged.
        case repair(LibraryPack)
        /// The product and its missing dependencies are downloaded.
        case begin(Downloads)
    }

    /// The downloads that install a product.
    struct Downloads {
        /// The requests for the product and its missing dependencies, the product's own last.
        var requests: [DownloadRequest]
        /// Warnings about stores that did not respond.
        var warnings: [String] = []
        /// The hidden files of a local archive that are not installed.
        var leftOut: [String] = []

        /// Returns these downloads with the priority and the rate limit that the user asks for.
        func with(priority: Int?, rateLimit: Int?) -> Downloads {
            var changed = self
            changed.requests = requests.map { $0.with(priority: priority, rateLimit: rateLimit) }
            return changed
        }

        /// Returns the result of beginning these downloads with the warnings, the dependencies and the left-out files added.
        func describing(_ installation: Installation) -> Installation {
            var installation = installation
            installation.warnings = warnings
            installation.dependencies = requests.dropLast().map(\.product.productIdentifier)
            installation.leftOut = leftOut
            return installation
        }
    }

    /// A ZIP file of this machine to install, with what was read from it.
    struct Local: Sendable {
        let item: ProductItem
        let resource: ContentReference
        let leftOut: [String]
        /// The size in bytes of the pack that the file contains.
        let contentSize: Int
        /// The copy of the file that was read; `nil` if the file itself was, as for a plan or an import: a download then finds
        /// it at its path.
        var copy: ArchiveCopy?
    }

    /// Finds out what is needed to install a product of a store.
    ///
    /// - Parameters:
    ///   - consent: the permissions that the user grants; `nil` for a plan, which needs no consent.
    ///   - lookup: the offers of that store, or of all; looked up if they are needed and `nil`.
    /// - Throws: the errors of an installation before its downloads begin.
    func prepare(
        _ identifier: String, store: String?, consent: Consent?, offers lookup: inout OfferLookup?
    ) async throws -> Preparation {
        let status = try await lookUp(identifier)
        if let running = status.download, store == nil || store == running.store { return .join(running) }
        if let pack = status.pack, let origin = pack.origin {
            if let store, store != origin.store, store != Receipt.localFiles { _ = try await stores.added(store) }
            try requireOrigin(origin.store, of: identifier, toBe: store)
            if !pack.receiptIsDamaged { return .present(pack, origin) }
        }
        if let pack = status.pack, pack.receiptIsDamaged { return .repair(pack) }
        var offers: OfferLookup
        if let lookup { offers = lookup } else { offers = try await stores.offers(of: store) }
        defer { lookup = offers }
        let offer = try await offers.offer(of: identifier, origin: status.origin)
        let requests = try await requests(.install, offer, status: status, consent: consent)
        return .begin(Downloads(requests: requests, warnings: offers.warnings))
    }

    /// Finds out what is needed to install a ZIP file of this machine.
    ///
    /// - Parameter consent: the permissions that the user grants; `nil` for a plan, which needs no consent.
    /// - Throws: the errors of an installation before its downloads begin.
    func prepare(_ local: Local, consent: Consent?) async throws -> Preparation {
        let item = local.item
        let status = try await lookUp(item.productIdentifier)
        if let running = status.download {
            guard await downloads.isRunning(item.productIdentifier, with: local.resource, of: Receipt.localFiles) else {
                if await downloads.running(item.productIdentifier) == nil {
                    // It ended since it was looked up.
                    return try await prepare(local, consent: consent)
                }
                throw StoreError(.otherStoreDownloading, ["product": item.productIdentifier, "store": running.store])
            }
            return .join(running)
        }
        var action = OperationAction.install
        if let pack = status.pack, let origin = pack.origin {
            if origin.archive.sha256 != local.resource.sha256 {
                try requireOrigin(origin.store, of: item.productIdentifier, toBe: Receipt.localFiles)
            } else if !pack.receiptIsDamaged {
                return .present(pack, origin)
            } else if origin.store != Receipt.localFiles {
                return .repair(pack)
            } else {
                // With this file, because the one that the pack was installed from may be gone.
                action = .repair
            }
        }
        try await check(item, action, status, consent: consent)
        let (dependencies, prerequisites) = try await dependencies(of: item, preferring: nil, consent: consent)
        let request = DownloadRequest(
            operation: local.copy?.operation ?? OperationID(at: clock.date()), action: action,
            store: Receipt.localFiles, product: item,
            resource: local.resource, prerequisites: prerequisites,
            consent: consent?.permissions(of: item.productIdentifier) ?? [],
            replacing: status.pack?.origin?.operation)
        return .begin(Downloads(requests: dependencies + [request], leftOut: local.leftOut))
    }

    /// The queue for opening and reading ZIP files of this machine.
    private static let fileWork = BlockingWork(label: "engine.file", concurrent: true)

    /// Copies a ZIP file of this machine for a download, and reads the description of the product that the copy contains.
    ///
    /// What is read is what will be installed, whatever becomes of the file.
    ///
    /// - Parameter file: the file, if the client has opened it; `nil` opens the one at the path.
    /// - Throws: `file.unusable`, `archive.…`, `content.bad-information`, `kind.unknown`, `space.download-limit`,
    ///   `space.disk-full`, or a file error; `CancellationError`.
    func copyArchive(_ path: String, opened file: OpenFile?) async throws -> Local {
        let file = try await Self.fileWork.run { try LocalArchive.open(path, opened: file) }
        let copy = try await downloads.copyArchive(file)
        do {
            // An error of the disk here is not one of the file that the client named.
            var local = try await read(copy.file.duplicate(path: path), isImport: false)
            local.copy = copy
            return local
        } catch {
            await downloads.discard(copy)
            throw error
        }
    }

    /// Reads the description of the product that a ZIP file of this machine contains.
    ///
    /// - Parameters:
    ///   - file: the file, if it is open; `nil` opens the one at the path.
    ///   - isImport: whether an import made the file.
    /// - Throws: `file.unusable`, `archive.…`, `content.bad-information`, `kind.unknown`, or a file error.
    func readArchive(_ path: String, opened file: OpenFile? = nil, isImport: Bool = false) async throws -> Local {
        let file = try await Self.fileWork.run { try LocalArchive.open(path, opened: file) }
        return try await read(file, isImport: isImport)
    }

    private func read(_ file: OpenFile, isImport: Bool) async throws -> Local {
        let limits = ArchiveLimits(settings.current)
        return try await Self.fileWork.run { [kinds, worker] in
            try LocalArchive(file, limits: limits, kinds: kinds, worker: worker, isImport: isImport).product()
        }
    }

    private func requireOrigin(_ origin: String, of identifier: String, toBe store: String?) throws {
        guard let store, store != origin else { return }
        throw StoreError(.otherStoreInstalled, ["product": identifier, "store": origin, "requested": store])
    }
}
