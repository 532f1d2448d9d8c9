import StoreLibrary
import StoreModel

/// The content of a sticker pack's directory as its information file describes it, without where the directory is.
struct StickerPackContent: Sendable {
    let publisher: String?
    let license: String?
    /// The path of the cover image, relative to the pack's directory; `nil` if there is no image at all.
    let cover: String?
    /// The stickers in order; ``Sticker/path``, ``Sticker/url`` and ``Sticker/image`` have no value.
    let stickers: [Sticker]
}

/// A sticker pack that was read from its directory, with its search index and the properties of its images.
struct KnownStickerPack: Sendable {
    let pack: LibraryPack
    /// The absolute path of the pack's directory.
    let path: String
    /// The version of the directory of an unmanaged pack when it was read; `nil` for an installed pack.
    ///
    /// An installed pack changes only by being replaced.
    let version: UnmanagedVersion?
    let content: StickerPackContent
    let index: StickerIndex
    /// The properties of the images that were read, by the path in the pack; `nil` before any was read.
    var images: [String: StickerImage]?
    /// The hashes of the files of an installed pack, as its receipt has them, by path; `nil` before it was read.
    var hashes: [String: SHA256Digest]?

    /// Returns the sticker at an index, with the path and URL of its file and what is known of its image.
    func sticker(at index: Int) -> Sticker {
        var sticker = content.stickers[index]
        sticker.path = path + "/" + sticker.file
        sticker.url = url(of: sticker.file)
        sticker.image = images?[sticker.file]
        return sticker
    }

    /// Returns the index of the sticker with an identifier; `nil` if the pack has none.
    func index(of sticker: String) -> Int? { content.stickers.firstIndex { $0.id == sticker } }

    /// Returns the path of a file of the pack in the daemon's API.
    ///
    /// It names the version of an installed pack, so that a client never gets the file of another one.
    private func url(of file: String) -> String {
        let segments = file.split(separator: "/").map { PathSegment.encode(String($0)) }
        let path = "/v1/packs/\(PathSegment.encode(pack.productIdentifier))/files/" + segments.joined(separator: "/")
        return path + (pack.origin.map { "?operation=" + PathSegment.encode($0.operation.rawValue) } ?? "")
    }

    /// The pack with all its stickers, as documents contain it.
    var document: StickerPack {
        StickerPack(
            productIdentifier: pack.productIdentifier, name: pack.name, publisher: content.publisher,
            license: content.license, version: pack.version, operation: pack.origin?.operation, path: path,
            cover: content.cover, stickers: content.stickers.indices.map(sticker))
    }
}
