public import FoundationEssentials
import Logging
import StoreImages
public import StoreLibrary
public import StoreModel
import StoreSettings
public import StoreSystem
public import StoreWorker

/// Makes thumbnails and contact sheets in confined processes, and keeps the thumbnails in a cache.
///
/// A thumbnail is cached by the hash of its image and its size, so that an image which is in several packs, or in several
/// versions of one, has it once. It is made when it is first requested; further requests for it wait for that.
public final class ThumbnailMaker: ThumbnailMaking {
    /// The number of thumbnails that are made at once: enough for a tray, and few enough for a machine to stay usable.
    private static let limit = 2
    /// The number of image files that are in memory at once while their thumbnails are made, or wait for that.
    static let imageLimit = 8
    /// The age of a cached thumbnail's last use from which it is removed.
    private static let maximumAge = Duration.seconds(30 * 86_400)

    private let service: WorkerService
    private let cache: ImageCache
    private let settings: SettingsManager
    private let clock: TimeSource
    private let log: Logger
    private let running = SharedFetches<String, Thumbnail>()
    private let drawing = ConcurrencyLimit(ThumbnailMaker.limit)
    /// The limit of images that are read from files to be drawn.
    let imagesInMemory = ConcurrencyLimit(ThumbnailMaker.imageLimit)
    private let failures = FailedThumbnails()
    private let reading = BlockingWork(label: "engine.thumbnails.reading", concurrent: true)
    private let work = BlockingWork(label: "engine.thumbnails", concurrent: true)

    /// Creates a maker with a cache in a directory.
    init(
        cache directory: Directory, service: WorkerService, settings: SettingsManager, clock: TimeSource, log: Logger
    ) {
        self.service = service
        cache = ImageCache(directory, maximumAge: Self.maximumAge)
        self.settings = settings
        self.clock = clock
        self.log = log
    }

    /// Applies changed settings: evicts cached thumbnails until they are within their limit.
    func applySettings() async {
        service.apply(WorkerService.Settings(thumbnails: settings.current))
        await cache.trim(to: settings.current.imagesThumbnailCacheSize)
    }

    /// Ends the processes that have nothing to do; there are no thumbnails afterwards.
    func close() { service.close() }

    /// Whether thumbnails can be made, and how the processes are confined that make them.
    ///
    /// No process is started to find that out: one loads a hundred libraries. Before the first one it says that the program was
    /// found, and what the kernel can restrict.
    public var availability: WorkerAvailability { service.expectedAvailability }

    public func thumbnail(
        of path: String, in directory: Directory, size: ThumbnailSize, isAnimated: Bool
    ) async throws -> Thumbnail {
        // The image is not kept in memory for this, so that a cached thumbnail need not wait for others to be drawn.
        let name = Self.name(try await read(path, in: directory).sha256, size, isAnimated)
        if let error = failures.error(of: name, at: clock.date()) { throw error }
        if let thumbnail = await cached(name, size) { return thumbnail }
        return try await imagesInMemory.run { [self] in
            let (image, sha256) = try await read(path, in: directory)
            return try await thumbnail(of: image, sha256, size, isAnimated, path: path)
        }
    }

    /// Reads an image file and computes its hash.
    private func read(_ path: String, in directory: Directory) async throws -> (image: Data, sha256: SHA256Digest) {
        let limit = settings.current.imagesMaximumSize
        return try await reading.run {
            let data = try directory.openFile(path).readAll(limit: limit)
            return (data, SHA256Digest(of: data))
        }
    }

    /// Returns the name of a thumbnail in the cache.
    private static func name(_ sha256: SHA256Digest, _ size: ThumbnailSize, _ isAnimated: Bool) -> String {
        "\(sha256.hex)-\(size.pixels)\(isAnimated ? "-animated" : "").webp"
    }

    /// Returns a thumbnail of an image that is in no file of its own, such as one of a compiled emoji set.
    ///
    /// - Throws: `thumbnail.failed`, `thumbnail.unavailable`; `CancellationError`.
    public func thumbnail(of image: Data, size: ThumbnailSize, isAnimated: Bool) async throws -> Thumbnail {
        try await thumbnail(of: image, SHA256Digest(of: image), size, isAnimated, path: "an image")
    }

    private func thumbnail(
        of image: Data, _ sha256: SHA256Digest, _ size: ThumbnailSize, _ isAnimated: Bool, path: String
    ) async throws -> Thumbnail {
        let name = Self.name(sha256, size, isAnimated)
        if let error = failures.error(of: name, at: clock.date()) { throw error }
        return try await running.value(for: name) { [self] in
            if let thumbnail = await cached(name, size) { return thumbnail }
            do {
                let thumbnail = try await draw(image, size, isAnimated)
                await cache.store(
                    thumbnail.data, as: name, at: clock.date(), limit: settings.current.imagesThumbnailCacheSize)
                return thumbnail
            } catch let error as StoreError {
                // Without the program nothing is known of the image.
                if error.code == .thumbnailFailed { failures.add(error, of: name, at: clock.date()) }
                log.info("'\(path.displayable)': \(error.message)")
                throw error
            }
        }
    }

    public func contactSheet(of paths: [String], in directory: Directory) async throws -> Data {
        let paths = paths.prefix(ContactSheet.maximumImages)
        var images = [Data?](repeating: nil, count: paths.count)
        try await withThrowingTaskGroup(of: (Int, Data?).self) { group in
            var rest = paths.enumerated().makeIterator()
            func addNext() {
                guard let (index, path) = rest.next() else { return }
                group.addTask { [self] in
                    do {
                        let thumbnail = try await thumbnail(of: path, in: directory, size: .medium, isAnimated: false)
                        return (index, thumbnail.data)
                    } catch let error as StoreError where error.code != .thumbnailUnavailable {
                        return (index, nil)
                    }
                }
            }
            // Each holds its image in memory while it waits.
            for _ in 0..<2 * Self.limit { addNext() }
            while let (index, data) = try await group.next() {
                images[index] = data
                addNext()
            }
        }
        let sheet = ContactSheet(images, pixels: ThumbnailSize.medium.pixels)
        let picture = try await drawing.run { [work, service] in
            try await work.runCancellable { cancellation in
                try service.draw(sheet.task, of: sheet.file(), cancellation: cancellation)
            }
        }
        return Data(picture.bytes)
    }

    /// Reads a thumbnail from the cache; `nil` if there is none, or something else in its place.
    private func cached(_ name: String, _ size: ThumbnailSize) async -> Thumbnail? {
        let task = PictureTask.thumbnail(pixels: size.pixels, isAnimated: true)
        guard let entry = await cache.read(name, use: clock.date(), limit: task.sizeLimit) else { return nil }
        return try? await reading.run {
            Thumbnail(data: entry.data, mediaType: try task.check(Array(entry.data)).format.mediaType)
        }
    }

    /// Throws `thumbnail.failed` for an image that by its first bytes has no thumbnail.
    private static func requireDrawable(_ head: ArraySlice<UInt8>) throws(StoreError) {
        if AnimationFormat(head: head) != nil { return }
        guard let format = ImageFormat(head: head) else {
            throw StoreError(.thumbnailImageInvalid, cause: StoreError(.imageUnknown))
        }
        guard format != .svg else { throw StoreError(.thumbnailFormatUnsupported, ["format": format.title]) }
    }

    private func draw(_ image: Data, _ size: ThumbnailSize, _ isAnimated: Bool) async throws -> Thumbnail {
        // No process is needed to find out that these are not drawn.
        try Self.requireDrawable(Array(image.prefix(ImageFormat.headLength))[...])
        let task = PictureTask.thumbnail(pixels: size.pixels, isAnimated: isAnimated)
        let picture = try await drawing.run { [work, service] in
            try await work.runCancellable { cancellation in
                let file = try OpenFile.inMemory()
                try file.write(image)
                return try service.draw(task, of: file, cancellation: cancellation)
            }
        }
        return Thumbnail(data: Data(picture.bytes), mediaType: picture.facts.format.mediaType)
    }
}
