public import FoundationEssentials
import StoreCatalogue
import StoreImages
import StoreLibrary
public import StoreModel
import StoreSettings
import StoreStickers

/// The part of the engine that makes references to stickers for messages, and finds or fetches what they stand for.
///
/// A sticker that is not installed is fetched only from a store that the user added, and only when ``fetch(_:)`` is
/// called, which a front-end does at the user's request: a request to a store shows its publisher that, when and where a
/// message was read. ``resolve(_:)`` makes no request, unless the setting `stickers.fetchAutomatically` allows it.
///
/// ```swift
/// let references = manager.stickerReferences
/// let reference = try await references.reference(
///     to: StickerName(productIdentifier: "org.example.cups", sticker: "smile"))
/// var found = try await references.resolve(reference)
/// if found.state == .available { found = try await references.fetch(reference) }
/// print(found.sticker?.path ?? found.emoji ?? found.productIdentifier)
/// ```
public struct StickerReferences: Sendable {
    let stickers: StickersManager
    let stores: StoreRegistry
    let settings: SettingsManager
    let fetcher: StickerFetcher

    /// Returns a reference to an installed sticker, for a message.
    ///
    /// - Throws: `pack.not-installed`, `sticker.unknown`; `sticker.not-referable` if the pack was placed by hand, or comes
    ///   from a file or from a store that the user has removed.
    public func reference(to name: StickerName) async throws -> StickerReference {
        let found = try await stickers.referable(name)
        guard let key = await stores.key(of: found.store) else {
            guard found.store != Receipt.localFiles else {
                throw StoreError(.stickerWithoutStore, ["product": name.productIdentifier])
            }
            throw StoreError(.stickerStoreRemoved, ["product": name.productIdentifier, "store": found.store])
        }
        let emoji = found.sticker.emoji.first.flatMap { text in
            text.utf8.count <= StickerReference.maximumEmojiLength ? text : nil
        }
        guard
            let reference = StickerReference(
                store: key, productIdentifier: name.productIdentifier, version: found.version?.text,
                sticker: name.sticker, sha256: found.sha256, emoji: emoji ?? "")
        else {
            throw StoreError(
                .stickerReferenceTooLong, ["product": name.productIdentifier, "sticker": .untrusted(name.sticker)])
        }
        return reference
    }

    /// Returns what a sticker reference stands for on this machine.
    ///
    /// No request is made, unless the setting `stickers.fetchAutomatically` is on and the sticker is available: then it
    /// is fetched, and a failure of that leaves the state ``StickerResolution/State/available``.
    ///
    /// - Throws: a file error.
    public func resolve(_ reference: StickerReference) async throws -> StickerResolution {
        let found = try await lookUp(reference)
        guard settings.current.stickersFetchAutomatically, found.resolution.state == .available else {
            return found.resolution
        }
        do {
            return try await fetch(reference)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return found.resolution
        }
    }

    /// Fetches the sticker that a reference stands for, and nothing else of its pack, unless it is on this machine.
    ///
    /// It is fetched from the store that the reference names, if the user has added it: by the entry table of the pack's
    /// archive and one range request. If the server can't send ranges, the whole archive is fetched within the limit of
    /// the settings. The image is verified by the reference's hash, and by the rules for images in packs; a TGS or WebM is
    /// recognized by its first bytes, and only the confined processes that draw thumbnails read it.
    ///
    /// - Returns: the state ``StickerResolution/State/cached``, or that of an installed sticker.
    /// - Throws: `sticker.unavailable`, `sticker.archive-too-large`; the errors of a transfer, of an archive
    ///   (`archive.…`) and of an image (`content.…`); `CancellationError`.
    public func fetch(_ reference: StickerReference) async throws -> StickerResolution {
        var found = try await lookUp(reference)
        if found.resolution.state == .unknownProduct {
            // The store may offer the product only since its catalogue was fetched.
            let names = await stores.names(of: reference.store)
            _ = await stores.catalogues(of: Set(names), maximumAge: .zero)
            found = try await lookUp(reference)
        }
        let (product, store) = (reference.productIdentifier, found.store ?? "")
        switch found.resolution.state {
        case .installed, .replaced, .cached: return found.resolution
        case .unknownStore: throw StoreError(.stickerStoreUnknown, ["product": .untrusted(product)])
        case .withdrawn: throw StoreError(.stickerWithdrawn, ["product": .untrusted(product), "store": store])
        case .unknownProduct, .available: break
        }
        guard let item = found.item else {
            throw StoreError(.stickerProductUnknown, ["product": .untrusted(product), "store": store])
        }
        let sticker = try await fetcher.fetch(reference, item, from: store)
        return StickerResolution(
            reference: reference, state: .cached, sticker: sticker, pack: found.resolution.pack)
    }

    /// The image of a fetched sticker, for a client that can't read files.
    ///
    /// - Parameter sha256: the hash of the image.
    /// - Returns: the content and its media type; `nil` if it is not in the cache.
    public func cachedImage(_ sha256: SHA256Digest) async -> (data: Data, mediaType: String)? {
        await fetcher.cachedImage(sha256)
    }

    // MARK: Looking up

    private struct Found {
        var resolution: StickerResolution
        /// The store that offers or withdrew the pack, or that does not offer it; `nil` if the store is not known.
        var store: String?
        var item: ProductItem?
    }

    /// Looks a reference up on this machine, without a request.
    private func lookUp(_ reference: StickerReference) async throws -> Found {
        let offer = await offer(of: reference)
        if let (sticker, pack) = try await stickers.installed(reference) {
            let description = StickerResolution.Pack(
                productIdentifier: pack.productIdentifier, store: pack.origin?.store, name: pack.name,
                version: pack.version, size: pack.size, price: pack.origin?.price ?? .free, installed: true)
            let state: StickerResolution.State = pack.version?.text == reference.version ? .installed : .replaced
            return Found(
                resolution: StickerResolution(
                    reference: reference, state: state, sticker: sticker, pack: description),
                store: offer.store, item: offer.item)
        }
        let isInstalled = (try? await stickers.pack(reference.productIdentifier)) != nil
        let pack = offer.item.map { item in
            StickerResolution.Pack(
                productIdentifier: item.productIdentifier, store: offer.store, name: item.productName,
                version: item.version, size: item.resource?.size, price: item.productPrice, installed: isInstalled)
        }
        let cached = await fetcher.cached(reference)
        let state: StickerResolution.State =
            if cached != nil {
                .cached
            } else if offer.store == nil {
                .unknownStore
            } else if let item = offer.item {
                item.withdrawn ? .withdrawn : .available
            } else {
                .unknownProduct
            }
        return Found(
            resolution: StickerResolution(reference: reference, state: state, sticker: cached, pack: pack),
            store: offer.store, item: offer.item)
    }

    /// Returns the store that a reference names, and the product as the store's cached catalogue describes it.
    private func offer(of reference: StickerReference) async -> (store: String?, item: ProductItem?) {
        let names = await stores.names(of: reference.store)
        let catalogues = await stores.cached(of: Set(names))
        for name in names {
            if let item = catalogues.first(where: { $0.store == name })?.catalogue?[reference.productIdentifier],
                item.kind == .sticker
            {
                return (name, item)
            }
        }
        return (names.first, nil)
    }
}
