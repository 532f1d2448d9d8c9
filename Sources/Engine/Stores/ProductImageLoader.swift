import FoundationEssentials
import StoreImages
import StoreModel
import StoreSettings
import StoreSystem
import StoreTransfers

/// Loads the images of the stores' products: from the cache, else from the store, with its token and addresses.
///
/// An image is checked each time, as images in packs are: neither the cache nor what a server declares it to be counts.
actor ProductImageLoader {
    /// A checked image, and the media type of its content.
    typealias Image = (data: Data, mediaType: String)

    private struct Key: Hashable, Sendable {
        let store: String
        let reference: ContentReference
        /// The number of stores that were forgotten before.
        let forgottenCount: Int
    }

    /// The number of images of one store that are fetched and checked at once; each takes up to twice its size in
    /// memory.
    private static let limit = 4
    /// The queue for checking images, which takes a while for large ones.
    private static let checking = BlockingWork(label: "engine.images.checking", concurrent: true)

    private let cache: ImageCache
    private let transfers: any Transferring
    private let credentials: StoreCredentials
    private let addresses: StoreAddresses
    private let settings: SettingsManager
    private let clock: TimeSource
    /// The images that are being loaded; further requests for one of them wait for it.
    private let running = SharedFetches<Key, Image>()
    /// The limit of cached images that are read and checked at once.
    private let reading = ConcurrencyLimit(ProductImageLoader.limit)
    /// The limits of the images that are fetched at once.
    private let limits = StoreConcurrencyLimits(ProductImageLoader.limit)
    /// The number of stores that were forgotten so far.
    ///
    /// What was requested before is neither cached nor returned to later requests.
    private var forgottenCount = 0

    /// Creates a loader that caches images in a directory.
    init(
        cache: Directory, transfers: any Transferring, credentials: StoreCredentials, addresses: StoreAddresses,
        settings: SettingsManager, clock: TimeSource
    ) {
        self.cache = ImageCache(cache)
        self.transfers = transfers
        self.credentials = credentials
        self.addresses = addresses
        self.settings = settings
        self.clock = clock
    }

    /// Returns an image of a store.
    ///
    /// The fetch is cancelled when every task that requested the image is cancelled.
    ///
    /// - Throws: `content.hash-mismatch` where the image does not have the hash of the catalogue; `content.…` where it
    ///   is no image, or one that packs must not contain; the errors of a transfer.
    func image(_ reference: ContentReference, of store: String) async throws -> Image {
        let key = Key(store: store, reference: reference, forgottenCount: forgottenCount)
        return try await running.value(for: key) { [self] in try await load(key) }
    }

    /// The maximum size of an image in bytes.
    private var sizeLimit: Int { min(settings.current.imagesMaximumSize, TransferEngine.documentLimit) }

    /// Evicts cached images until they are within the limit of the settings.
    func trimCache() async { await cache.trim(to: settings.current.imagesCacheSize) }

    /// Removes a store's cached images that have no hash, after the store was added or removed or its credentials changed.
    ///
    /// Images with a hash stay: they are verified when they are read.
    func forget(_ store: String) async {
        forgottenCount += 1
        limits.forget(store)
        await cache.removeImages(of: store)
    }

    private func load(_ key: Key) async throws -> Image {
        let (store, reference) = (key.store, key.reference)
        let cacheSize = settings.current.imagesCacheSize
        // A file on this machine is not kept twice.
        guard cacheSize > 0, !reference.url.isFileURL else { return try await fetch(reference, of: store) }
        let name = ImageCache.name(of: reference, in: store)
        let now = clock.date()
        let entry = try await reading.run { [self] in
            try await readCached(name, reference, use: reference.sha256 == nil ? nil : now)
        }
        if let entry, reference.sha256 != nil || isCurrent(entry.time, at: now) { return entry.image }
        do {
            let image = try await fetch(reference, of: store)
            if forgottenCount == key.forgottenCount {
                await cache.store(image.data, as: name, at: now, limit: cacheSize)
            }
            return image
        } catch let error as StoreError where error.isTransient || error.lacksNetwork {
            // Without the store, an older image is of more use than none.
            guard let entry else { throw error }
            return entry.image
        }
    }

    /// Reads an image from the cache, and checks it; `nil` if it is not there, or not what it should be.
    private func readCached(
        _ name: String, _ reference: ContentReference, use: Date?
    ) async throws -> (image: Image, time: Date)? {
        guard let entry = await cache.read(name, use: use, limit: sizeLimit),
            let image = try? await Self.checked(entry.data, reference, ImageLimits(settings.current))
        else { return nil }
        return (image, entry.time)
    }

    /// Returns whether an image without a hash is used without asking the store for it; not if the clock was set back.
    private func isCurrent(_ time: Date, at now: Date) -> Bool {
        let age = now.timeIntervalSince(time)
        // File systems round times.
        return age >= -1 && age < settings.current.imagesRefreshAfter.seconds
    }

    private func fetch(_ reference: ContentReference, of store: String) async throws -> Image {
        try await limits[store].run { [self] in
            var request = TransferRequest(
                reference.url, sizeLimit: await sizeLimit,
                timeouts: TransferTimeouts(interactive: settings.current))
            request.headers["Authorization"] = credentials.authorization(for: store, at: reference.url)
            request.addresses = addresses.policy(for: store)
            let (response, data) = try await transfers.fetch(request)
            try response.requireSuccess()
            return try await Self.checked(data, reference, ImageLimits(settings.current))
        }
    }

    private static func checked(
        _ data: Data, _ reference: ContentReference, _ limits: ImageLimits
    ) async throws -> Image {
        let mediaType = try await checking.run {
            guard reference.sha256.map({ $0 == SHA256Digest(of: data) }) ?? true else {
                throw StoreError(.productImageHashMismatch, ["url": reference.url])
            }
            do {
                return try ImageReader(limits: limits).read(Array(data)).format.mediaType
            } catch let error as StoreError where error.isImageError {
                throw StoreError(.productImageRefused, ["url": reference.url], cause: error)
            }
        }
        return (data, mediaType)
    }
}
