import FoundationEssentials
import StoreArchives
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTransfers

/// An environment that the steps of all downloads share: the library, the transfers and the directories.
struct StepEnvironment: Sendable {
    let library: Library
    let transfers: any Transferring
    let unpacking: any Unpacking
    let checking: any ContentChecking
    /// The directory of partially fetched archives.
    let partials: PartialDirectory
    /// The cache of the archives of installed packs.
    let archives: ArchiveCache
    /// A function that returns the value of the HTTP header `Authorization` for a URL of a store; `nil` sends none.
    let authorization: @Sendable (_ store: String, URL) -> String?
    /// Returns the addresses to which the requests of a store may connect.
    let addresses: @Sendable (_ store: String) -> AddressPolicy
    let clock: TimeSource
    let librarySpace: LibrarySpace
    /// Whether the library and the partially fetched archives are on the same file system, whose free space is asked for once.
    private let areOnOneFileSystem: Bool
    /// The queue for unpacking archives, which blocks while it waits for the disk.
    let blockingWork: BlockingWork
    /// The queue of downloads whose archives are to be unpacked.
    let unpackQueue: UnpackQueue

    init(
        library: Library, transfers: any Transferring, unpacking: any Unpacking,
        checking: any ContentChecking, partial: Directory,
        archives: ArchiveCache, clock: TimeSource,
        authorization: @escaping @Sendable (_ store: String, URL) -> String?,
        addresses: @escaping @Sendable (_ store: String) -> AddressPolicy
    ) {
        self.library = library
        librarySpace = LibrarySpace(library)
        areOnOneFileSystem = (try? library.isOnFileSystem(of: partial)) ?? false
        self.transfers = transfers
        self.unpacking = unpacking
        blockingWork = BlockingWork(label: "downloads.unpack", concurrent: true)
        unpackQueue = UnpackQueue(blockingWork)
        self.checking = checking
        partials = PartialDirectory(partial)
        self.archives = archives
        self.clock = clock
        self.authorization = authorization
        self.addresses = addresses
    }

    // MARK: Space

    /// Checks that the disk has `needed` free bytes for a download, and removes cached archives and partial files of
    /// failed downloads if it has not.
    ///
    /// - Parameter product: the product or file that needs the space, which the error names.
    /// - Throws: `space.disk-full` if even that does not make enough room.
    func requireSpace(_ needed: Int, for product: String) async throws {
        var free = try freeSpace()
        if free >= needed { return }
        await archives.free(needed - free)
        free = try freeSpace()
        if free >= needed { return }
        await partials.prune(to: PartialFileLimits(age: .zero, size: 0), now: clock.date())
        free = try freeSpace()
        if free >= needed { return }
        throw StoreError(
            .notEnoughSpace,
            [
                "what": product, "needed": ErrorArgument.size(needed),
                "free": ErrorArgument.size(free),
            ])
    }

    /// Checks that the disk has room for the rest of a whole archive, and for its content.
    ///
    /// Content that was compressed well is detected when it is written.
    ///
    /// - Parameters:
    ///   - size: the size of the archive in bytes; a store may claim any size at all.
    ///   - present: the number of its bytes that are on the disk.
    ///   - product: the product or file that needs the space, which the error names.
    /// - Throws: `space.disk-full`.
    func requireSpace(forArchive size: Int, present: Int, of product: String) async throws {
        let (twice, overflows) = size.multipliedReportingOverflow(by: 2)
        try await requireSpace(overflows ? Int.max : twice - present, for: product)
    }

    private func freeSpace() throws -> Int {
        let free = try library.freeSpace()
        return areOnOneFileSystem ? free : try min(free, partials.directory.freeSpace())
    }

    // MARK: Local files

    /// Copies a file of this machine as the whole archive of a download.
    ///
    /// - Parameter limit: the maximum size of an archive in bytes; `nil` is unlimited.
    /// - Throws: `space.download-limit`, `space.disk-full` before anything is written; a file error; `CancellationError`.
    func copyArchive(_ file: OpenFile, for operation: OperationID, limit: Int?) async throws -> OpenFile {
        let size = try file.status().size
        if let limit, size > limit { throw StoreError(archiveOf: file.path, exceeds: limit) }
        // The download checks that there is room for the content.
        try await requireSpace(size, for: file.path)
        return try await partials.copyArchive(file, for: operation, size: size)
    }

    // MARK: Cleaning up

    /// Moves the archive of a committed pack into the archive cache.
    ///
    /// That is done only if the archive is whole, not a local file, and has a known hash.
    func cacheArchive(_ fetched: FetchedArchive, of request: DownloadRequest) async {
        guard request.resource.sha256 != nil, !request.resource.url.isFileURL, case .whole = fetched.content else {
            return
        }
        await partials.moveArchive(
            of: request.operation, to: archives, as: fetched.archive.sha256, size: fetched.archive.size)
    }

    /// Removes the files of an ended operation, in staging (packs in preparation) and among partially fetched archives.
    func removeFiles(of operation: OperationID) async {
        librarySpace.release(operation)
        await library.discard(operation)
        await partials.remove(operation)
    }

    /// Removes the files of a failed operation, and keeps its partially fetched archive for the next download of it.
    func removeFiles(ofFailed request: DownloadRequest, keepingWithin limits: PartialFileLimits) async {
        if let sha256 = request.resource.sha256, limits.age > .zero, limits.size > 0 {
            await partials.keep(request.operation, as: sha256, within: limits, now: clock.date())
        }
        await removeFiles(of: request.operation)
    }

    /// Removes the staging directory of a suspended operation, in which its pack was being prepared.
    ///
    /// The fetched archive stays, and the next start unpacks it again.
    func removeStaging(of operation: OperationID) async {
        librarySpace.release(operation)
        await library.discard(operation, emptiesTrash: false)
    }
}
