import StoreLibrary
import StoreModel
import StoreStickerPacks

/// A sticker pack that was read from its directory, with the properties of its images.
struct KnownStickerPack: Sendable {
    let pack: LibraryPack
    /// The absolute path of the pack's directory.
    let path: String
    /// The version of the directory of an unmanaged pack when it was read; `nil` for an installed pack.
    ///
    /// An installed pack changes only by being replaced.
    let version: UnmanagedVersion?
    let content: StickerPackContent
    /// A number that no other content of a pack has, by which a search index knows what it contains.
    ///
    /// It remains the same when a pack is read again and its name and content are the same.
    var number = 0
    /// The path of the pack in the daemon's API.
    private let address: String
    /// The query that names the version of an installed pack, so that a client never gets the file of another one.
    private let query: String
    /// The properties of the images that were read, by the path in the pack; `nil` before any was read.
    var images: [String: StickerImage]?
    /// The hashes of the files of an installed pack, as its receipt has them, by path; `nil` before it was read.
    var hashes: [String: SHA256Digest]?

    init(pack: LibraryPack, path: String, version: UnmanagedVersion?, content: StickerPackContent) {
        self.pack = pack
        self.path = path
        self.version = version
        self.content = content
        address = "/v1/packs/" + PathSegment.encode(pack.productIdentifier)
        query = pack.origin.map { "?operation=" + PathSegment.encode($0.operation.rawValue) } ?? ""
    }

    /// Returns the sticker at an index, with the path and URL of its file and what is known of its image.
    func sticker(at index: Int) -> Sticker {
        var sticker = content.stickers[index]
        let file = sticker.file.split(separator: "/").map { PathSegment.encode(String($0)) }.joined(separator: "/")
        sticker.path = path + "/" + sticker.file
        sticker.url = address + "/files/" + file + query
        sticker.thumbnail = address + "/thumbnails/" + file + query
        sticker.image = images?[sticker.file]
        return sticker
    }

    /// Returns the index of the sticker with an identifier; `nil` if the pack has none.
    func index(of sticker: String) -> Int? { content.stickers.firstIndex { $0.id == sticker } }

    /// The pack with all its stickers, as documents contain it.
    var document: StickerPack {
        StickerPack(
            productIdentifier: pack.productIdentifier, name: pack.name, publisher: content.publisher,
            license: content.license, version: pack.version, operation: pack.origin?.operation, path: path,
            cover: content.cover, stickers: content.stickers.indices.map(sticker))
    }
}
