import FoundationEssentials
import StoreArchives
import StoreModel
import StoreSettings
import StoreSystem
import StoreTransfers

/// The fetch of the image of one sticker out of the archive of its pack, which is on a server.
struct StickerArchive: Sendable {
    /// The name of the directory in the scratch directory into which files are unpacked.
    private static let contentName = "content"
    /// The name of the unpacked image, where only that is unpacked.
    private static let imageName = "image"

    let reference: StickerReference
    let item: ProductItem
    /// The reference to the pack's archive.
    let resource: ContentReference
    let store: String
    /// An empty directory, which the caller removes with everything in it.
    let scratch: Directory
    let fetcher: StickerFetcher

    private var settings: Settings { fetcher.settings.current }

    /// Returns the image, verified by the hash in the reference.
    ///
    /// - Throws: `sticker.unavailable`, `sticker.archive-too-large`; the errors of a transfer and of an archive;
    ///   `CancellationError`.
    func data() async throws -> Data {
        guard let table = try await fetcher.entryTable(of: item, from: store) else {
            return try await dataOfWhole(with: nil)
        }
        let entries = table.entries.filter { $0.sha256 == reference.sha256 }
        guard let entry = entries.first(where: { $0.path.hasSuffix(reference.sticker) }) ?? entries.first else {
            throw replaced
        }
        guard entry.size <= sizeLimit else {
            throw StoreError(.imageFileTooLarge, ["size": .bytes(entry.size), "limit": .bytes(sizeLimit)])
        }
        guard let size = resource.size, entry.isVerifiable, entry.lies(within: size), entry.compressedSize > 0 else {
            return try await dataOfWhole(with: nil)
        }
        do {
            return try await data(of: entry, size: size)
        } catch let error as StoreError where error.code == .transferRangeMismatch {
            return try await dataOfWhole(with: entry)
        }
    }

    /// The maximum size of the image in bytes: one that does not fit into the cache could not be shown.
    private var sizeLimit: Int { min(settings.imagesMaximumSize, settings.stickersCacheSize) }

    private var replaced: StoreError {
        StoreError(.stickerReplaced, ["product": .untrusted(reference.productIdentifier)])
    }

    private var sources: MirrorList { MirrorList(resource.url, mirrors: item.mirrors(of: resource)) }

    // MARK: One entry

    /// Fetches the bytes of one entry by one range request, and unpacks it.
    private func data(of entry: EntryTable.Entry, size: Int) async throws -> Data {
        let file = try await fetcher.run { [scratch] _ in try scratch.createFile("part", mode: 0o600) }
        var sources = sources
        try await fetcher.transfers.withFailover(&sources) { url in
            try await fetcher.transfers.fetch(
                entry.offset..<entry.offset + entry.compressedSize, of: fetcher.request(url, of: store), size: size,
                into: file, progress: { _ in })
        }
        return try await unpack(entry, of: file)
    }

    private func unpack(_ entry: EntryTable.Entry, of archive: OpenFile) async throws -> Data {
        try await fetcher.run { [scratch, unpacking = fetcher.unpacking] cancellation in
            let selected = SelectedEntry(path: Self.imageName, entry: entry)
            let content = try scratch.createDirectory(Self.contentName)
            try unpacking.unpack([selected], of: archive, into: content, cancellation: cancellation)
            return try content.read(Self.imageName, limit: entry.size)
        }
    }

    // MARK: The whole archive

    /// Fetches the whole archive, and unpacks one entry of it.
    ///
    /// - Parameter entry: the entry; `nil` looks for a file with the image's hash among all files of the archive.
    private func dataOfWhole(with entry: EntryTable.Entry?) async throws -> Data {
        let limit = settings.stickersMaximumArchiveSize
        let tooLarge = StoreError(
            .stickerArchiveLimit,
            [
                "product": .untrusted(reference.productIdentifier), "store": store,
                "size": .bytes(resource.size ?? limit), "limit": .bytes(limit),
            ])
        guard resource.size ?? 0 <= limit else { throw tooLarge }
        let partial = PartialFile(
            try await fetcher.run { [scratch] _ in try scratch.createFile("archive", mode: 0o600) })
        var sources = sources
        do {
            _ = try await fetcher.transfers.download(
                from: &sources, into: partial,
                expecting: ExpectedContent(size: resource.size, sha256: resource.sha256),
                request: { url in
                    var request = fetcher.request(url, of: store)
                    request.sizeLimit = limit
                    return request
                }, progress: { _, _ in })
        } catch let error as StoreError where error.code == .transferTooLong {
            throw tooLarge
        }
        if let entry { return try await unpack(entry, of: partial.file) }
        let (limits, size) = (ArchiveLimits(settings), sizeLimit)
        return try await fetcher.run { [scratch, reference, replaced, unpacking = fetcher.unpacking] cancellation in
            let content = try scratch.createDirectory(Self.contentName)
            let report = try unpacking.unpack(partial.file, into: content, limits: limits, cancellation: cancellation)
            guard let file = report.files.first(where: { $0.sha256 == reference.sha256 }) else { throw replaced }
            return try content.read(file.path, limit: size)
        }
    }
}
