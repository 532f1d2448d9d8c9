import FoundationEssentials
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEngine

@Suite(.hangGuard) struct StickerReferenceTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    /// Returns the image of ``TableStore/images(_:in:deflated:)`` with a number.
    private static func image(_ number: Int) -> [UInt8] { ImageForge.bytes(5_000, seed: UInt64(number)) }

    private func reference(
        _ store: TableStore, _ number: Int = 3, version: String? = "1", hash: SHA256Digest? = nil
    ) throws -> StickerReference {
        try #require(
            StickerReference(
                store: StoreKey(address: store.origin.url), productIdentifier: "a", version: version,
                sticker: "\(number)", sha256: hash ?? SHA256Digest(of: Self.image(number)), emoji: "🙂"))
    }

    /// Returns a manager that uses a store, without any pack.
    private func open(
        _ store: TableStore, _ overrides: [SettingKey: String] = EngineHome.always
    ) async throws -> StoreManager {
        let manager = try await home.open(overrides)
        _ = try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0)
        return manager
    }

    @Test func `a reference to an installed sticker is resolved by the receiver to the same image`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await store.open(home)
        let made = try await manager.stickerReferences.reference(
            to: StickerName(productIdentifier: "a", sticker: "3"))
        #expect(
            try made
                == {
                    var expected = try reference(store)
                    expected.emoji = ""
                    return expected
                }())
        #expect(!made.text.contains("127.0.0.1"))
        let found = try await manager.stickerReferences.resolve(made)
        #expect(found.state == .installed && found.sticker?.id == "3" && found.pack?.installed == true)
        #expect(found.emoji == nil)
        #expect(found.sticker?.path == home.folder.path + "/data/packs/a.stickers/3.png")
        #expect(found.sticker?.image?.size == 5_000)
        // Another version has the same image, under another identifier.
        var older = try #require(StickerReference(text: made.text))
        older.version = "0.9"
        older.sticker = "old-name"
        let replaced = try await manager.stickerReferences.resolve(older)
        #expect(replaced.state == .replaced && replaced.sticker?.id == "3")
        await manager.close()
    }

    @Test func `resolving makes no request, whatever the state is`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await open(store)
        let before = store.origin.requests.count
        let known = try reference(store)
        var foreign = known
        foreign.store = StoreKey(address: try #require(URL(string: "http://127.0.0.1:\(store.origin.port)/other/")))
        var signed = known
        signed.store = .root(known.store.digest)
        var other = known
        other.productIdentifier = "b"
        let resolve = manager.stickerReferences.resolve
        let available = try await resolve(known)
        #expect(available.state == .available && available.sticker == nil && available.emoji == "🙂")
        #expect(available.pack?.store == "main" && available.pack?.size == store.zip.count)
        #expect(available.pack?.installed == false && available.pack?.version?.text == "1")
        #expect(try await resolve(foreign).state == .unknownStore)
        #expect(try await resolve(signed).state == .unknownStore)
        let unknown = try await resolve(other)
        #expect(unknown.state == .unknownProduct && unknown.pack == nil && unknown.emoji == "🙂")
        #expect(store.origin.requests.count == before)
        // Fetching from a store that the user has not added makes none either.
        let error = await #expect(throws: StoreError.self) { try await manager.stickerReferences.fetch(foreign) }
        #expect(error?.code == .stickerUnavailable)
        #expect(store.origin.requests.count == before)
        await manager.close()
    }

    @Test(arguments: [
        ("1.tgs", AnimationForge.disc(from: 100), "application/x-tgsticker"),
        ("1.webm", AnimationForge.webm(), "video/webm"),
    ])
    func `an animation is fetched, and shown by its thumbnails`(
        file: String, animation: [UInt8], mediaType: String
    ) async throws {
        let store = try TableStore(ZipForge().file(file, animation))
        let manager = try await open(store)
        let references = manager.stickerReferences
        var reference = try reference(store, 1, hash: SHA256Digest(of: animation))
        let sticker = try #require(try await references.fetch(reference).sticker)
        // A front-end that can play it knows by that how.
        let properties = StickerImage(
            mediaType: mediaType, width: 0, height: 0, size: animation.count, animated: true)
        #expect(sticker.image == properties && sticker.thumbnail == sticker.url && sticker.id == "1")
        #expect(try Data(contentsOf: URL(filePath: sticker.path)) == Data(animation))
        let image = try #require(await references.cachedImage(reference.sha256))
        #expect(image.data == Data(animation) && image.mediaType == mediaType)
        reference.sticker = "other"
        let other = try #require(try await references.resolve(reference).sticker)
        #expect(other.id == "other" && other.url == sticker.url)
        await manager.close()
    }

    @Test(arguments: [false, true])
    func `only the sticker's bytes are fetched, by one request once the table is known`(deflated: Bool) async throws {
        let store = try TableStore(TableStore.images(40, in: "pack/", deflated: deflated))
        let manager = try await open(store)
        let before = store.origin.requests.count
        let references = manager.stickerReferences
        let found = try await references.fetch(reference(store, 3))
        #expect(found.state == .cached && found.pack?.productIdentifier == "a" && found.pack?.installed == false)
        let sticker = try #require(found.sticker)
        #expect(try Data(contentsOf: URL(filePath: sticker.path)) == Data(Self.image(3)))
        #expect(
            sticker.image
                == StickerImage(
                    mediaType: "image/gif", width: 1, height: 1, size: 5_000, animated: false))
        #expect(store.origin.requests.dropFirst(before).map(\.path) == [TableStore.table, TableStore.archive])
        let entry = store.entries.entries[3]
        #expect(store.asked() == ["bytes=\(entry.offset)-\(entry.offset + entry.compressedSize - 1)"])
        // The table is known now, and the first sticker is in the cache.
        _ = try await references.fetch(reference(store, 7))
        #expect(try await references.fetch(reference(store, 3)).state == .cached)
        #expect(try await references.resolve(reference(store, 3, version: "0")).state == .cached)
        #expect(
            store.origin.requests.dropFirst(before).map(\.path)
                == [TableStore.table, TableStore.archive, TableStore.archive])
        #expect(store.origin.bytesSent(of: TableStore.archive) < 2 * (5_000 + 1_024))
        #expect(try home.folder.directory.openDirectory("cache/stickers").names().count == 3)
        // Nothing was installed.
        #expect(try await manager.stickers.packs().isEmpty)
        let image = try #require(await references.cachedImage(SHA256Digest(of: Self.image(3))))
        #expect(image.data == Data(Self.image(3)) && image.mediaType == "image/gif")
        await manager.close()
    }

    @Test func `of one store, only some stickers are fetched at once`() async throws {
        let store = try TableStore(TableStore.images(20))
        // More connections than fetches at once.
        let manager = try await open(store, EngineHome.always.merging([.networkConnectionsPerHost: "32"]) { $1 })
        let references = try (0..<8).map { try reference(store, $0, hash: SHA256Digest(of: Self.image($0))) }
        _ = try await manager.stickerReferences.fetch(references[0])
        store.origin.always(TableStore.archive, .stallBeforeAnswer)
        let fetches = references.dropFirst().map { reference in
            Task { try await manager.stickerReferences.fetch(reference).state }
        }
        await store.origin.untilStalled(4)
        try await eventually { await manager.stickerReferences.fetcher.limits["main"].waitingCount == 3 }
        #expect(store.asked().count == 5)
        store.origin.release()
        for fetch in fetches { #expect(try await fetch.value == .cached) }
        #expect(store.asked().count == 8)
        await manager.close()
    }

    @Test func `a sticker whose transfer does not end fails after a time limit`() async throws {
        let store = try TableStore(TableStore.images(20))
        try await open(store).close()
        store.origin.always(TableStore.archive, .stallAfter(1))
        let manager = try await home.open(EngineHome.always.merging([.catalogueRefreshTimeout: "1"]) { $1 })
        let error = await #expect(throws: StoreError.self) {
            try await manager.stickerReferences.fetch(reference(store))
        }
        #expect(error?.code == .transferTimeout)
        store.origin.release()
        await manager.close()
    }

    @Test func `the setting alone lets a lookup fetch the sticker`() async throws {
        let store = try TableStore(TableStore.images(20))
        let manager = try await open(store)
        #expect(try await manager.stickerReferences.resolve(reference(store)).state == .available)
        _ = try await manager.set(.stickersFetchAutomatically, to: "true")
        #expect(try await manager.stickerReferences.resolve(reference(store)).state == .cached)
        // A failure leaves the sticker available.
        store.origin.remove(TableStore.archive)
        #expect(try await manager.stickerReferences.resolve(reference(store, 4)).state == .available)
        await manager.close()
    }

    @Test(arguments: [true, false])
    func `the whole archive is fetched within the limit where ranges are not to be had`(hasTable: Bool) async throws {
        let store = try TableStore(TableStore.images(20, in: "pack/", deflated: true), hasTable: hasTable)
        store.origin.always(TableStore.archive, .ignoreRange)
        let manager = try await open(store)
        _ = try await manager.set(.stickersMaximumArchiveSize, to: "\(store.zip.count - 1)")
        let error = await #expect(throws: StoreError.self) {
            try await manager.stickerReferences.fetch(reference(store))
        }
        #expect(error?.code == .stickerArchiveTooLarge)
        _ = try await manager.set(.stickersMaximumArchiveSize, to: "\(store.zip.count)")
        let found = try await manager.stickerReferences.fetch(reference(store))
        let path = try #require(found.sticker?.path)
        #expect(found.state == .cached && FileManager.default.contents(atPath: path) == Data(Self.image(3)))
        #expect(store.asked().last == .some(nil))
        await manager.close()
    }

    @Test func `what is not the referenced image is refused, and not kept`() async throws {
        let store = try TableStore(
            TableStore.images(3).file("3.png", Array("MZ no image".utf8)).file("4.png", Self.image(4))
                .file("5.tgs", AnimationForge.gzip(Array("{}".utf8))))
        let manager = try await open(store)
        let fetch = manager.stickerReferences.fetch
        // The bytes on the server are not those of the table.
        store.origin.script(TableStore.archive, [[.bytes(OriginBytes.random(store.zip.count, seed: 9))]])
        var error = await #expect(throws: StoreError.self) { try await fetch(reference(store, 4)) }
        #expect(error?.isArchiveRejection == true, "\(String(describing: error))")
        error = await #expect(throws: StoreError.self) {
            try await fetch(reference(store, hash: SHA256Digest(of: "MZ no image".utf8)))
        }
        #expect(error?.code == .imageUnknown)
        // The rules for animations of packs apply, too.
        error = await #expect(throws: StoreError.self) {
            try await fetch(
                reference(store, 5, hash: SHA256Digest(of: AnimationForge.gzip(Array("{}".utf8)))))
        }
        #expect(error?.code == .imageDamaged)
        // The present version does not have the image of the reference.
        error = await #expect(throws: StoreError.self) {
            try await fetch(reference(store, hash: SHA256Digest(of: "older".utf8)))
        }
        #expect(error?.code == .stickerUnavailable)
        let kept = try home.folder.directory.openDirectory("cache/stickers").names()
        #expect(kept.allSatisfy { $0.hasPrefix("table-") } && kept.count == 1)
        #expect(try await fetch(reference(store, 4)).state == .cached)
        // A cached file that another program has changed is not shown.
        try home.folder.directory.put("cache/stickers/\(SHA256Digest(of: Self.image(4)).hex)", "other")
        #expect(try await manager.stickerReferences.resolve(reference(store, 4)).state == .available)
        await manager.close()
    }

    @Test func `a sticker of a pack without a store in use has no reference`() async throws {
        let store = try TableStore(TableStore.images(3))
        let manager = try await store.open(home)
        try home.packs.put("mine.stickers/1.png", Data(ImageForge.png()))
        for product in ["mine", "a"] {
            if product == "a" { try await manager.stores.remove("main") }
            let error = await #expect(throws: StoreError.self) {
                try await manager.stickerReferences.reference(
                    to: StickerName(productIdentifier: product, sticker: "1"))
            }
            #expect(error?.code == .stickerNotReferable)
            #expect(
                error?.message.contains(product == "a" ? "its store 'main' was removed" : "not from a store") == true)
        }
        // What is installed is shown even if the store is not in use any more.
        #expect(try await manager.stickerReferences.resolve(reference(store, 1)).state == .installed)
        await manager.close()
    }

    // MARK: Signed stores

    private static func add(
        _ shop: SignedOrigin, _ root: Data?, to manager: StoreManager
    ) async throws {
        _ = try await manager.stores.add(
            name: "shop", url: shop.origin.url, unsigned: root == nil, root: root.map { .data($0) })
    }

    @Test func `references to a signed store have the fingerprint of its root, and older ones still resolve`()
        async throws
    {
        let product = "org.shop.cups"
        let name = StickerName(productIdentifier: product, sticker: "1")
        let shop = try SignedOrigin { $0.products[0].image = Data(ImageForge.png(2, 2)) }
        var manager = try await home.open()
        try await Self.add(shop, nil, to: manager)
        try await manager.installed(product)
        let unsigned = try await manager.stickerReferences.reference(to: name)
        #expect(unsigned.store == StoreKey(address: shop.origin.url))

        try await Self.add(shop, shop.root, to: manager)
        let signed = try await manager.stickerReferences.reference(to: name)
        #expect(signed.store == .root(try #require(SHA256Digest(hex: shop.fingerprint))))
        #expect(signed.text.contains("~r") && unsigned.text.contains("~a"))
        // The root that the store has now is another one, but the key is that of the first one.
        try shop.rotate(.root)
        try shop.publish()
        #expect(try await manager.stores.refresh().first?.signature?.rootVersion == 2)
        #expect(try await manager.stickerReferences.reference(to: name).store == signed.store)
        await manager.close()

        // Also for a receiver that does not have the pack, and after a restart.
        manager = try await home.open()
        _ = try await manager.packs.uninstall(product)
        var foreign = unsigned
        foreign.store = .root(SHA256Digest(of: "another root".utf8))
        #expect(try await manager.stickerReferences.resolve(foreign).state == .unknownStore)
        for reference in [unsigned, signed] {
            let found = try await manager.stickerReferences.resolve(reference)
            #expect(found.state == .available && found.pack?.store == "shop")
        }
        await manager.close()
    }

    @Test func `a store that is added with another root keeps the references to its former one`() async throws {
        let product = "org.shop.cups"
        let shop = try SignedOrigin()
        let manager = try await home.open()
        try await Self.add(shop, shop.root, to: manager)
        var reference = try #require(
            StickerReference(
                store: .root(SHA256Digest(of: shop.root)), productIdentifier: product, version: "1", sticker: "1",
                sha256: SHA256Digest(of: "1".utf8), emoji: "🙂"))
        let later = try shop.rotate(.targets)
        try shop.publish()
        for _ in 1...2 {
            try await Self.add(shop, later, to: manager)
            #expect(await manager.stores.list().first?.signature?.fingerprint == SHA256Digest(of: later).hex)
            #expect(try await manager.stickerReferences.resolve(reference).state == .available)
        }
        // The key of an unsigned store is no root.
        reference.store = .root(StoreKey(address: shop.origin.url).digest)
        #expect(try await manager.stickerReferences.resolve(reference).state == .unknownStore)
        await manager.close()
    }

    @Test func `the cache of stickers is limited, and the oldest go first`() async throws {
        let store = try TableStore(
            (0..<4).reduce(ZipForge()) { $0.file("\($1).png", ImageForge.bytes(400_000, seed: UInt64($1))) })
        var overrides = EngineHome.always
        overrides[.stickersCacheSize] = "\(1 << 20)"
        let manager = try await open(store, overrides)
        for number in 0..<4 {
            let hash = SHA256Digest(of: ImageForge.bytes(400_000, seed: UInt64(number)))
            _ = try await manager.stickerReferences.fetch(reference(store, number, hash: hash))
        }
        let cache = try home.folder.directory.openDirectory("cache/stickers")
        let sizes = try cache.names().map { try #require(try cache.status(of: $0)).size }
        #expect(sizes.reduce(0, +) <= 1 << 20 && sizes.count { $0 == 400_000 } >= 1)
        let newest = SHA256Digest(of: ImageForge.bytes(400_000, seed: 3))
        #expect(try await manager.stickerReferences.resolve(reference(store, 3, hash: newest)).state == .cached)
        await manager.close()
    }
}
