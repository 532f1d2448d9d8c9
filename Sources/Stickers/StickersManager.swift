public import StoreLibrary
public import StoreModel
import StoreSystem

/// A reader of the installed sticker packs with their stickers.
///
/// Unmanaged packs, which a user placed by hand, are among them.
///
/// ```swift
/// let manager = StickersManager(library: library)
/// for pack in try await manager.packs() {
///     print(pack.productIdentifier, pack.count)
/// }
/// let cups = try await manager.pack("org.example.cups")
/// print(cups.stickers.map(\.id))
/// ```
public actor StickersManager {
    private let library: Library
    private let work = BlockingWork(label: "stickers")

    private struct Read {
        let pack: LibraryPack
        let stickerPack: StickerPack
    }
    /// A cache of the sticker packs that were read, by directory; an installed pack changes only by being replaced.
    private var read: [String: Read] = [:]

    /// Creates a reader of the sticker packs in a library, which is all installed packs.
    public init(library: Library) { self.library = library }

    /// Returns all installed sticker packs that can be read, ordered by directory.
    ///
    /// - Throws: an error of the file system, if the directory of the installed packs can't be listed.
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

    /// Returns the installed sticker pack of the product with this identifier.
    ///
    /// - Throws: `pack.not-installed`, also if the product is of another kind; `content.bad-information`.
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
