import StoreEmoji
import StoreImages
import StoreLibrary
import StoreModel
import StorePlugins
import StoreSettings
import StoreSkins
import StoreStickerPacks
import StoreSystem
import StoreWorker

/// A checker that has confined processes read the files of packs of the kinds that this package implements.
///
/// Packs of other kinds, which an application has added, are checked in this process: the processes don't know them.
struct ConfinedContentChecker: ContentChecking {
    private let service: WorkerService
    private let images: ImageLimits
    private let skinSize: Int

    init(_ service: WorkerService, _ settings: Settings) {
        self.service = service
        images = ImageLimits(settings)
        skinSize = settings.skinsMaximumSize
    }

    func check(_ pack: Directory, as kind: any ContentKind, cancellation: CancellationFlag) throws {
        let isChecked =
            try kind.isKnownToWorkers && service.check(pack, by: rules(of: kind), cancellation: cancellation)
        if !isChecked { try kind.check(pack, cancellation: cancellation) }
    }

    func check(_ packs: SharedFileTrees, as kind: any MemoryCheckableKind, cancellation: CancellationFlag) throws {
        let isChecked =
            try kind.isKnownToWorkers && service.check(packs, by: rules(of: kind), cancellation: cancellation)
        if !isChecked { try ContentChecker().check(packs, as: kind, cancellation: cancellation) }
    }

    private func rules(of kind: any ContentKind) -> ContentRules {
        ContentRules(kind: kind.kind, images: images, skinSize: skinSize)
    }
}

extension ContentKind {
    /// Whether the program of the confined processes implements this kind, too.
    ///
    /// That is decided here and not by what a process reports: it could otherwise ask for its pack to be read in this process.
    fileprivate var isKnownToWorkers: Bool {
        self is StickerKind || self is SkinKind || self is EmojiKind || self is PluginKind
    }
}

extension ContentKinds {
    /// Whether the program of the confined processes implements all of these kinds, too.
    var areKnownToWorkers: Bool {
        words.allSatisfy { self[ProductKind(rawValue: $0)]?.isKnownToWorkers == true }
    }
}
