import FoundationEssentials
import StoreImages
import StoreLibrary
import StoreModel
import StoreSystem

extension StickersManager {
    /// Reads the properties of the images of a pack, from the database or else from the files.
    ///
    /// They are kept in memory, and those of an installed pack in the database, by the pack's version. An image that can't
    /// be read has none. A failure to keep them is no failure to read them.
    func readImages(of pack: KnownStickerPack) async throws -> KnownStickerPack {
        var pack = pack
        if storedImages == nil { storedImages = try? await database.stickerImages() }
        let folder = pack.pack.folder
        let operation = pack.pack.origin?.operation
        if let stored = storedImages?.removeValue(forKey: folder), stored.operation == operation,
            let images = try? JSON.decode([String: StickerImage].self, from: stored.images)
        {
            pack.images = images
        }
        let (library, reader, description, before) = (library, images, pack.pack, pack.images ?? [:])
        // Images that could not be read are tried again.
        let files = Set(pack.content.stickers.map(\.file)).filter { before[$0] == nil }
        if files.isEmpty {
            pack.images = before
            keep(pack)
            return pack
        }
        let found = try await work.run { () -> [String: StickerImage] in
            let directory = try library.directory(of: description)
            var found = before
            for file in files { found[file] = StickerImage(of: file, in: directory, reader: reader) }
            return found
        }
        pack.images = found
        keep(pack)
        if found != before, let operation, let data = try? JSON.encode(found), let installed = try? await library.all()
        {
            try? await database.keep(
                stickerImages: data, of: folder, by: operation, installed: Set(installed.map(\.folder)))
        }
        return pack
    }

    /// Keeps a pack with its images, unless another version of it was read meanwhile.
    private func keep(_ pack: KnownStickerPack) {
        if known[pack.pack.folder]?.number == pack.number { known[pack.pack.folder] = pack }
    }
}

extension StickerImage {
    /// Reads the properties of an image or animation in a pack; `nil` if it can't be read, or is neither.
    init?(of file: String, in directory: Directory, reader: ImageReader) {
        guard let open = try? directory.openFile(file), let size = try? open.status().size,
            let head = try? open.read(count: min(size, ImageFormat.headLength), at: 0)
        else { return nil }
        if let format = ImageFormat(head: head[...]) {
            guard let facts = try? reader.read(open, head: head, size: size, as: format) else { return nil }
            self.init(facts, size: size)
        } else if let format = AnimationFormat(head: head[...]) {
            // Only confined processes read more of an animation.
            self.init(mediaType: format.mediaType, width: 0, height: 0, size: size, animated: true)
        } else {
            return nil
        }
    }

    /// Creates the properties of a sticker's image from those of an image file with a size in bytes.
    init(_ facts: ImageFacts, size: Int) {
        self.init(
            mediaType: facts.format.mediaType, width: facts.width, height: facts.height, size: size,
            animated: facts.frames > 1)
    }
}
