public import StoreLibrary
public import StoreModel
import StoreSystem

/// Knows the installed sticker packs, also those that someone put into the packs' folder by hand: their information,
/// their stickers, and how many there are.
public actor StickersManager {
    private let library: Library
    private let work = BlockingWork(label: "stickers")

    private struct Read {
        let pack: LibraryPack
        let stickerPack: StickerPack
    }
    /// What was read of installed packs, which only change by being replaced. By folder.
    private var read: [String: Read] = [:]

    public init(library: Library) { self.library = library }

    /// All sticker packs, in the order of their folders. A folder put there by hand whose information can't be read
    /// is left out: there is nothing to show of it.
    ///
    /// - Throws: what the disk says.
    public func packs() async throws -> [StickerPack] {
        let installed = try await library.all().filter { $0.kind == .sticker }
        var packs: [StickerPack] = []
        for pack in installed {
            if let stickerPack = try? await stickerPack(of: pack) { packs.append(stickerPack) }
        }
        let folders = Set(installed.map(\.folder))
        read = read.filter { folders.contains($0.key) }
        return packs
    }

    /// The sticker pack of a product.
    ///
    /// - Throws: `pack.not-installed`, also where the product is of another kind; `content.bad-information`.
    public func pack(_ productIdentifier: String) async throws -> StickerPack {
        guard let pack = try await library.pack(of: productIdentifier), pack.kind == .sticker else {
            throw StoreError(.stickerPackNotInstalled, ["product": productIdentifier])
        }
        return try await stickerPack(of: pack)
    }

    private func stickerPack(of pack: LibraryPack) async throws -> StickerPack {
        if let known = read[pack.folder], known.pack == pack { return known.stickerPack }
        let directory = try library.directory(of: pack)
        let path = library.path(of: pack)
        let made = try await work.run {
            let information = try PackInformation.read(from: directory)
            let reader = StickerPackReader(directory)
            let stickers = try reader.stickers()
            return StickerPack(
                productIdentifier: pack.productIdentifier, name: pack.name, publisher: information.publisher,
                license: information.license, version: pack.version,
                operation: pack.origin?.operation, path: path,
                cover: try reader.cover() ?? stickers.first?.file, stickers: stickers)
        }
        if pack.origin != nil { read[pack.folder] = Read(pack: pack, stickerPack: made) }
        return made
    }
}
