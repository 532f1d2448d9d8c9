package import StoreLibrary
package import StoreModel
import StoreSystem

extension StickersManager {
    /// An installed sticker with what a reference to it consists of.
    package struct Referable: Sendable {
        package let sticker: Sticker
        /// The name of the store that the pack was installed from.
        package let store: String
        package let version: Version?
        /// The hash of the sticker's image file, from the receipt of its pack.
        package let sha256: SHA256Digest
    }

    /// Returns an installed sticker with what a reference to it consists of.
    ///
    /// - Throws: `pack.not-installed`, `sticker.unknown`; `sticker.not-referable` if the pack was placed by hand.
    package func referable(_ name: StickerName) async throws -> Referable {
        let (pack, index) = try await sticker(name)
        guard let origin = pack.pack.origin, let known = try? await shown(pack.pack),
            let hashes = try? await hashes(of: known), known.content.stickers.indices.contains(index),
            let sha256 = hashes[known.content.stickers[index].file]
        else { throw StoreError(.stickerWithoutStore, ["product": name.productIdentifier]) }
        return Referable(
            sticker: known.sticker(at: index), store: origin.store, version: pack.pack.version, sha256: sha256)
    }

    /// Returns the installed sticker that a reference stands for, with its pack; `nil` if none has the image's hash.
    ///
    /// In another version of the pack, the image may be that of a sticker with another identifier. The files of a pack
    /// that was placed by hand are hashed, the sticker with the referenced identifier only.
    package func installed(_ reference: StickerReference) async throws -> (sticker: Sticker, pack: LibraryPack)? {
        guard let pack = try await library.pack(of: reference.productIdentifier), pack.kind == .sticker,
            let known = try? await shown(pack), let hashes = try? await hashes(of: known, only: reference.sticker)
        else { return nil }
        let same = known.content.stickers.indices.filter {
            hashes[known.content.stickers[$0].file] == reference.sha256
        }
        let best = same.first { known.content.stickers[$0].id == reference.sticker } ?? same.first
        return best.map { (known.sticker(at: $0), pack) }
    }

    /// Returns the hashes of the files of a pack: from the receipt, or of the image of one sticker of an unmanaged pack.
    private func hashes(of pack: KnownStickerPack, only sticker: String? = nil) async throws -> [String: SHA256Digest] {
        if let hashes = pack.hashes { return hashes }
        let (library, description, limit) = (library, pack.pack, images.limits.size)
        guard pack.pack.origin != nil else {
            guard let sticker, let index = pack.index(of: sticker) else { return [:] }
            let file = pack.content.stickers[index].file
            return try await work.run {
                let data = try library.directory(of: description).read(file, limit: limit)
                return [file: SHA256Digest(of: data)]
            }
        }
        let hashes = try await work.run {
            let receipt = try Receipt.read(from: library.directory(of: description))
            return Dictionary(receipt.files.map { ($0.path, $0.sha256) }) { first, _ in first }
        }
        if known[description.folder]?.pack.origin?.operation == description.origin?.operation {
            known[description.folder]?.hashes = hashes
        }
        return hashes
    }
}
