import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// The library, the transfers and the directories that the steps of all downloads use.
struct StepEnvironment: Sendable {
    let library: Library
    let transfers: any Transferring
    let unpacking: any Unpacking
    /// The partially fetched archives.
    let partials: PartialDirectory
    /// The archives of installed packs.
    let archives: ArchiveCache
    /// Returns the value of the `Authorization` header for an address of a store.
    let authorization: @Sendable (_ store: String, URL) -> String?
    let clock: TimeSource
    /// The queue for unpacking.
    let blockingWork = BlockingWork(label: "downloads.unpack", concurrent: true)
    /// The slots for unpacking: more than there are processors gain nothing, while latency calls for more transfers.
    let unpackSlots = PrioritySemaphore(limit: max(2, ParallelWork.processors))

    init(
        library: Library, transfers: any Transferring, unpacking: any Unpacking, partial: Directory,
        archives: ArchiveCache, clock: TimeSource,
        authorization: @escaping @Sendable (_ store: String, URL) -> String?
    ) {
        self.library = library
        self.transfers = transfers
        self.unpacking = unpacking
        partials = PartialDirectory(partial)
        self.archives = archives
        self.clock = clock
        self.authorization = authorization
    }

    // MARK: Space

    /// Makes room on the disk, by removing cached archives if necessary.
    ///
    /// - Throws: `space.disk-full` if even that does not make enough room.
    func requireSpace(_ needed: Int, for request: DownloadRequest) async throws {
        if try freeSpace() < needed { await archives.free(needed - (try freeSpace())) }
        let free = try freeSpace()
        guard free < needed else { return }
        throw StoreError(
            .notEnoughSpace,
            [
                "what": request.product.productIdentifier, "needed": ErrorArgument.size(needed),
                "free": ErrorArgument.size(free),
            ])
    }

    private func freeSpace() throws -> Int { try min(library.freeSpace(), partials.directory.freeSpace()) }

    // MARK: Cleaning up

    /// Moves the archive of a committed pack into the cache, if it was fetched over the network and has a known hash.
    func cacheArchive(_ fetched: FetchedArchive, of request: DownloadRequest) async {
        guard request.resource.sha256 != nil, !request.resource.url.isFileURL, case .whole = fetched.content else {
            return
        }
        await archives.insert(
            PartialDirectory.archiveName(request.operation), in: partials.directory, as: fetched.archive.sha256,
            size: fetched.archive.size)
    }

    /// Removes what an operation that ended has left in staging and among the partial archives.
    func removeFiles(of operation: OperationID) async {
        await library.discard(operation)
        await partials.remove(operation)
    }

    /// Removes what a suspended operation has left in staging; its archive stays, and the next start unpacks it again.
    func removeStaging(of operation: OperationID) async { await library.discard(operation, emptiesTrash: false) }
}
