import FoundationEssentials
import StoreArchives
import StoreImages
import StoreModel
import StoreSettings
import StoreStickers
import StoreSystem
import StoreTransfers

/// Fetches single stickers out of the archives of packs, and keeps them in a cache by their hash.
///
/// Several requests for one sticker share one fetch.
struct StickerFetcher: Sendable {
    /// The number of stickers of one store that are fetched at once; each may need a whole archive.
    private static let limit = 4

    let directory: Directory
    let cache: ImageCache
    let transfers: any Transferring
    let unpacking: any Unpacking
    let credentials: StoreCredentials
    let addresses: StoreAddresses
    let settings: SettingsManager
    let clock: TimeSource
    private let fetches = SharedFetches<SHA256Digest, StickerImage?>()
    /// The limits of the stickers that are fetched at once.
    let limits = StoreConcurrencyLimits(StickerFetcher.limit)
    private let work = BlockingWork(label: "engine.stickers", concurrent: true)

    /// Creates a fetcher with a cache in a directory.
    init(
        cache directory: Directory, transfers: any Transferring, unpacking: any Unpacking,
        credentials: StoreCredentials, addresses: StoreAddresses, settings: SettingsManager, clock: TimeSource
    ) {
        self.directory = directory
        cache = ImageCache(directory)
        self.transfers = transfers
        self.unpacking = unpacking
        self.credentials = credentials
        self.addresses = addresses
        self.settings = settings
        self.clock = clock
    }

    // MARK: Cache

    /// Returns the sticker of a reference from the cache, which counts as a use of it; `nil` if it is not there.
    func cached(_ reference: StickerReference) async -> Sticker? {
        guard let content = await content(reference.sha256) else { return nil }
        return sticker(reference, content.image)
    }

    /// Returns an image in the cache with its media type; `nil` if it is not there.
    func cachedImage(_ sha256: SHA256Digest) async -> (data: Data, mediaType: String)? {
        await content(sha256).map { ($0.data, $0.mediaType) }
    }

    /// Evicts cached stickers until they are within the limit of the settings.
    func trimCache() async { await cache.trim(to: settings.current.stickersCacheSize) }

    private func content(_ sha256: SHA256Digest) async -> Content? {
        let limit = settings.current.imagesMaximumSize
        guard let entry = await cache.read(sha256.hex, use: clock.date(), limit: limit) else { return nil }
        let limits = ImageLimits(settings.current)
        // The cache is not trusted; another program may have changed it.
        return try? await work.run {
            guard SHA256Digest(of: entry.data) == sha256 else { throw CancellationError() }
            return try Content(entry.data, limits)
        }
    }

    /// The content of a sticker's file, with what is known of it.
    private struct Content {
        let data: Data
        let mediaType: String
        /// The properties of the image; without the size in pixels for an animation as TGS or WebM, as that of an installed
        /// sticker.
        let image: StickerImage

        /// Checks an image by the rules that apply to the images of a pack, and reads its properties.
        ///
        /// - Throws: an image error.
        init(_ data: Data, _ limits: ImageLimits) throws {
            self.data = data
            if AnimationFormat(head: Array(data.prefix(4))[...]) != nil {
                mediaType = try AnimationReader().read(Array(data)).format.mediaType
                image = StickerImage(mediaType: mediaType, width: 0, height: 0, size: data.count, animated: true)
                return
            }
            let facts = try ImageReader(limits: limits).read(Array(data))
            mediaType = facts.format.mediaType
            image = StickerImage(
                mediaType: mediaType, width: facts.width, height: facts.height, size: data.count,
                animated: facts.frames > 1)
        }
    }

    private func sticker(_ reference: StickerReference, _ image: StickerImage?) -> Sticker {
        let name = reference.sha256.hex
        let address = "/v1/stickers/cached/\(name)"
        return Sticker(
            id: reference.sticker, file: name, path: directory.path(of: name), url: address, thumbnail: address,
            emoji: reference.emoji.isEmpty ? [] : [reference.emoji], image: image)
    }

    // MARK: Fetching

    /// Fetches the image of a reference out of the archive of its pack, and adds it to the cache.
    ///
    /// - Parameter store: the store that offers the product, which the user has added.
    func fetch(_ reference: StickerReference, _ item: ProductItem, from store: String) async throws -> Sticker {
        let image = try await fetches.value(for: reference.sha256) { [self] in
            try await limits[store].run { try await fetchImage(of: reference, item, from: store) }
        }
        return sticker(reference, image)
    }

    private func fetchImage(
        of reference: StickerReference, _ item: ProductItem, from store: String
    ) async throws -> StickerImage? {
        let data = try await data(of: reference, item, from: store)
        let limits = ImageLimits(settings.current)
        let content = try await work.run {
            do {
                return try Content(data, limits)
            } catch let error as StoreError where error.isImageError {
                throw StoreError(.imageInPack, ["path": .untrusted(reference.sticker)], cause: error)
            }
        }
        await cache.store(data, as: reference.sha256.hex, at: clock.date(), limit: settings.current.stickersCacheSize)
        return content.image
    }

    private func data(of reference: StickerReference, _ item: ProductItem, from store: String) async throws -> Data {
        guard let resource = item.resource else {
            throw StoreError(
                .stickerProductUnknown, ["product": .untrusted(reference.productIdentifier), "store": store])
        }
        let temporary = "new-\(OperationID(at: clock.date()).rawValue)"
        let scratch = try await work.run { [directory] in try directory.createDirectory(temporary) }
        let archive = StickerArchive(
            reference: reference, item: item, resource: resource, store: store, scratch: scratch, fetcher: self)
        let result: Result<Data, any Error>
        do {
            result = .success(try await archive.data())
        } catch {
            result = .failure(error)
        }
        try? await work.run { [directory] in try directory.removeTree(temporary) }
        return try result.get()
    }

    /// Returns the entry table of an archive, from the cache or else from the store; `nil` if there is no valid one.
    ///
    /// - Throws: a transfer error; `CancellationError`.
    func entryTable(of item: ProductItem, from store: String) async throws -> EntryTable? {
        guard let reference = item.entryTable, let sha256 = reference.sha256 else { return nil }
        let limit = settings.current.archivesMaximumTableSize
        let name = "table-" + sha256.hex
        if let entry = await cache.read(name, use: clock.date(), limit: limit),
            let table = try? await read(entry.data, sha256)
        {
            return table
        }
        var transfer = request(reference.url, of: store)
        transfer.sizeLimit = min(reference.size ?? limit, limit)
        let (response, body) = try await transfers.fetch(transfer)
        try response.requireSuccess()
        guard let table = try? await read(body, sha256) else { return nil }
        await cache.store(body, as: name, at: clock.date(), limit: settings.current.stickersCacheSize)
        return table
    }

    private func read(_ data: Data, _ sha256: SHA256Digest) async throws -> EntryTable? {
        try await work.run {
            guard SHA256Digest(of: data) == sha256 else { return nil }
            let table = try JSON.read(EntryTable.self, from: data)
            return table.format == 1 ? table : nil
        }
    }

    /// Returns a request to a store, with the limits, the credentials and the addresses that apply to it.
    func request(_ url: URL, of store: String) -> TransferRequest {
        var request = TransferRequest(
            url, timeouts: TransferTimeouts(interactive: settings.current),
            bandwidthClass: ProductKind.sticker.rawValue)
        request.headers["Authorization"] = credentials.authorization(for: store, at: url)
        request.addresses = addresses.policy(for: store)
        return request
    }

    /// Runs blocking work (`body`) of a fetch, such as unpacking.
    func run<Value: Sendable>(_ body: @escaping @Sendable (CancellationFlag) throws -> Value) async throws -> Value {
        try await work.runCancellable(body)
    }
}
