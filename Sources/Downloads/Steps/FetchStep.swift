import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreTransfers

/// The step of a download that brings the archive of a product onto the disk.
///
/// The archive comes from the cache, in parts, or as a whole. The step can be cancelled, and uses what earlier attempts
/// have fetched.
struct FetchStep: Sendable {
    /// A function that receives the progress of fetching an archive.
    ///
    /// It receives how many bytes are on disk, of how many (`nil` if unknown), and the URL that they come from.
    typealias ProgressHandler = @Sendable (_ received: Int, _ expected: Int?, _ source: URL) -> Void

    let environment: StepEnvironment
    let request: DownloadRequest
    let settings: DownloadSettings
    let rate: TransferRate

    /// Fetches what is missing of the product's archive.
    ///
    /// - Parameters:
    ///   - partial: what earlier attempts have fetched; updated also when the step fails.
    ///   - progress: called shortly after a response began, unless the archive is complete by then, and at the end; in
    ///     between at most once per ``ProgressThrottle/interval``.
    /// - Returns: the archive, or the needed parts of it, on disk and verified.
    /// - Throws: a transfer error; `space.disk-full`; `space.download-limit`; `CancellationError`.
    func run(_ partial: inout PartialFetch, progress: @escaping ProgressHandler) async throws -> FetchedArchive {
        let partsStep = FetchPartsStep(fetch: self)
        if case .undecided = partial {
            let cached = try await cachedArchive()
            if let parts = try await partsStep.plan(mayFetch: cached == nil) {
                partial = .parts(parts, sources)
            } else if let cached {
                return cached
            } else {
                try await requireLibrarySpace(partsStep)
                partial = try await beginWhole()
            }
        }
        if case .parts(let parts, var sources) = partial {
            let fetched: FetchedArchive?
            do {
                // The next attempt uses what was learned of the sources.
                defer { partial = .parts(parts, sources) }
                fetched = try await partsStep.run(parts, from: &sources, progress: progress)
            }
            if let fetched { return fetched }
            partial = try await beginWhole()
        }
        if case .unopened(let sources) = partial { partial = try await beginWhole(from: sources) }
        guard case .whole(let file, var sources, let isContinued) = partial else { throw CancellationError() }
        do {
            let fetched = try await fetchWhole(into: file, from: &sources, progress: progress)
            partial = .whole(file, sources, isContinued: isContinued)
            return fetched
        } catch {
            // Others may need the space while this download waits, and it can't wait with thousands of open files.
            try? file.releaseReservedSpace()
            partial =
                file.size == 0 && !isContinued ? .unopened(sources) : .whole(file, sources, isContinued: isContinued)
            throw error
        }
    }

    /// Checks the user's limit for the size of all packs before the archive is fetched, if its store states the pack's size.
    ///
    /// The unpacked pack is checked in any case. Without a limit, no request is made for the size.
    ///
    /// - Throws: `space.library-limit`; an error of the transfer of the entry table; `CancellationError`.
    private func requireLibrarySpace(_ parts: FetchPartsStep) async throws {
        guard settings.librarySize != nil, let reference = request.product.entryTable,
            request.resource == request.product.resource,
            let size = try await parts.fetchEntryTable(reference)?.table.contentSize
        else { return }
        try await environment.librarySpace.require(size, for: request, limit: settings.librarySize)
    }

    private func cachedArchive() async throws -> FetchedArchive? {
        guard let sha256 = request.resource.sha256,
            let cached = try await environment.archives.open(sha256, size: request.resource.size)
        else { return nil }
        try await environment.requireSpace(cached.size, for: request.product.productIdentifier)
        return FetchedArchive(
            content: .whole(cached.file),
            archive: Receipt.Archive(address: request.resource.address, size: cached.size, sha256: sha256, etag: nil),
            size: cached.size)
    }

    private func beginWhole(from sources: MirrorList? = nil) async throws -> PartialFetch {
        let (file, isContinued) = try await environment.partials.openArchive(
            request.operation, sha256: request.resource.sha256)
        return .whole(file, sources ?? self.sources, isContinued: isContinued)
    }

    private var sources: MirrorList {
        MirrorList(request.resource.url, mirrors: request.product.mirrors(of: request.resource))
    }

    private func fetchWhole(
        into file: PartialFile, from sources: inout MirrorList, progress: @escaping ProgressHandler
    ) async throws -> FetchedArchive {
        if let size = request.resource.size {
            let product = request.product.productIdentifier
            if let limit = settings.archiveSize, size > limit { throw StoreError(archiveOf: product, exceeds: limit) }
            try await environment.requireSpace(forArchive: size, present: file.size, of: product)
        }
        let throttle = ProgressThrottle()
        do {
            let received = try await environment.transfers.download(
                from: &sources, into: file,
                expecting: ExpectedContent(size: request.resource.size, sha256: request.resource.sha256),
                request: { transferRequest($0, throttle) }, progress: { progress($1.received, $1.expected, $0) })
            return FetchedArchive(
                content: .whole(file.file),
                archive: Receipt.Archive(
                    address: request.resource.address, size: received.size, sha256: received.sha256, etag: received.etag
                ),
                size: received.size)
        } catch let error as StoreError where error.isTransferFailure {
            guard error.code == .transferTooLong, let limit = settings.archiveSize else { throw error }
            throw StoreError(archiveOf: request.product.productIdentifier, exceeds: limit)
        }
    }

    /// Returns the transfer request for a URL of the product, with the limits and the credentials that apply to it.
    ///
    /// - Parameter throttle: the throttle of progress reports; `nil` gives the transfer its own.
    func transferRequest(_ url: URL, _ throttle: ProgressThrottle? = nil) -> TransferRequest {
        var transfer = TransferRequest(
            url, sizeLimit: settings.archiveSize, timeouts: settings.timeouts, rate: rate,
            bandwidthClass: request.product.kind.rawValue)
        transfer.headers["Authorization"] = environment.authorization(request.store, url)
        transfer.addresses = environment.addresses(request.store)
        transfer.progressThrottle = throttle
        return transfer
    }
}

extension StoreError {
    /// Creates the error `space.download-limit`: an archive is larger than the user's limit in bytes.
    ///
    /// - Parameter product: the product, or the path of a file of this machine.
    init(archiveOf product: String, exceeds limit: Int) {
        self.init(.downloadTooLarge, ["product": .untrusted(product), "limit": .bytes(limit)])
    }
}
