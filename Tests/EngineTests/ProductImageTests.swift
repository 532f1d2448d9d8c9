import FoundationEssentials
import Logging
import StoreModel
import StoreSettings
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEngine
@testable import StoreTransfers

/// The images of products: fetched, checked, and cached on the disk.
@Suite(.hangGuard) struct ProductImageTests {
    private let home: EngineHome
    private let store: IconStore

    init() throws { (home, store) = (try EngineHome(), try IconStore()) }

    /// Opens a manager with the store under the name `main`.
    private func open(clock: TimeSource = .system) async throws -> StoreManager {
        let manager = try await home.open(clock: clock)
        try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true)
        return manager
    }

    private func icon(_ identifier: String, _ manager: StoreManager) async throws -> [UInt8] {
        Array(try await manager.products.image(.icon, of: identifier, store: "main").data)
    }

    private func cached() throws -> [String] { try home.folder.directory.openDirectory("cache/images").names() }

    @Test func `an icon is fetched once for all requests, also after a restart, and no catalogue for it`() async throws
    {
        let image = ImageForge.png()
        store.publish([.init("a", icon: image)])
        let manager = try await open()
        let catalogues = store.origin.requests(to: "/catalogue.json").count
        async let first = icon("a", manager)
        async let second = icon("a", manager)
        #expect(try await [first, second] == [image, image])
        #expect(try await icon("a", manager) == image)
        await manager.close()
        let reopened = try await home.open()
        #expect(try await icon("a", reopened) == image)
        await reopened.close()
        #expect(store.requests(forIconOf: "a") == 1)
        #expect(store.origin.requests(to: "/catalogue.json").count == catalogues)
    }

    @Test func `an icon with a new hash in the catalogue is fetched`() async throws {
        store.publish([.init("a", icon: ImageForge.png())])
        let manager = try await open()
        #expect(try await icon("a", manager) == ImageForge.png())
        store.publish([.init("a", icon: ImageForge.png(2, 2))])
        _ = try await manager.stores.refresh()
        #expect(try await icon("a", manager) == ImageForge.png(2, 2))
        #expect(store.requests(forIconOf: "a") == 2)
        await manager.close()
    }

    @Test(arguments: [
        (Array("<html><script>run()</script></html>".utf8), ErrorCode.imageUnknown),
        (ImageForge.svg("<script>run()</script>"), .svgActive), (Array(ImageForge.png().prefix(30)), .imageDamaged),
    ])
    func `an icon that is no image, or one with active content, is neither returned nor cached`(
        bytes: [UInt8], code: ErrorCode
    ) async throws {
        store.publish([.init("a", icon: bytes)])
        let manager = try await open()
        #expect(await failure { _ = try await icon("a", manager) } == code)
        #expect(try cached().isEmpty)
        await manager.close()
    }

    @Test func `an icon with another hash than that of the catalogue is neither returned nor cached`() async throws {
        var product = IconStore.Product("a", icon: ImageForge.png())
        product.sha256 = SHA256Digest(of: [1])
        store.publish([product])
        let manager = try await open()
        #expect(await failure { _ = try await icon("a", manager) } == .contentHashMismatch)
        #expect(try cached().isEmpty)
        await manager.close()
    }

    @Test func `a store that is away is not taken for a product without an icon`() async throws {
        store.origin.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productType":"sticker","productResourceURL":"a.zip","#
                + #""productDetailsURL":"details.json"}]"#)
        store.origin.always("/details.json", .status(503))
        let manager = try await open()
        #expect(await failure { _ = try await icon("a", manager) } == .transferHTTPStatus)
        await manager.close()
    }

    @Test func `an icon whose transfer does not end fails after a time limit`() async throws {
        store.publish([.init("a", icon: ImageForge.png())])
        try await open().close()
        // The time without anything received is an hour.
        store.origin.always(IconStore.icon(of: "a"), .stallAfter(1))
        let manager = try await home.open(EngineHome.always.merging([.catalogueRefreshTimeout: "1"]) { $1 })
        #expect(await failure { _ = try await icon("a", manager) } == .transferTimeout)
        store.origin.release()
        await manager.close()
    }

    @Test func `a damaged file of the cache is fetched again`() async throws {
        store.publish([.init("a", icon: ImageForge.png())])
        let manager = try await open()
        _ = try await icon("a", manager)
        let name = try #require(try cached().first)
        try home.folder.directory.put("cache/images/" + name, Data(ImageForge.png(2, 2)))
        #expect(try await icon("a", manager) == ImageForge.png())
        #expect(store.requests(forIconOf: "a") == 2)
        await manager.close()
    }

    @Test func `an icon without a hash is fetched again when it is old, and used while the store is away`() async throws
    {
        var product = IconStore.Product("a", icon: ImageForge.png())
        product.sha256 = nil
        store.publish([product])
        let clock = AdjustableClock()
        let manager = try await open(clock: clock.source)
        _ = try await icon("a", manager)
        _ = try await icon("a", manager)
        #expect(store.requests(forIconOf: "a") == 1)
        product.icon = ImageForge.png(2, 2)
        store.publish([product])
        clock.advance(by: 86_401)
        #expect(try await icon("a", manager) == ImageForge.png(2, 2))
        #expect(store.requests(forIconOf: "a") == 2)
        clock.advance(by: 86_401)
        store.origin.always(IconStore.icon(of: "a"), .status(503))
        #expect(try await icon("a", manager) == ImageForge.png(2, 2))
        #expect(store.requests(forIconOf: "a") == 3)
        store.origin.always(IconStore.icon(of: "a"), .status(404))
        #expect(await failure { _ = try await icon("a", manager) } == .transferHTTPStatus)
        await manager.close()
    }

    @Test(arguments: [true, false])
    func `an icon without a hash is not served for a store that was added again, or with another token`(
        isRemoved: Bool
    ) async throws {
        var product = IconStore.Product("a", icon: ImageForge.png())
        product.sha256 = nil
        store.publish([product])
        let manager = try await open()
        #expect(try await icon("a", manager) == ImageForge.png())
        product.icon = ImageForge.png(2, 2)
        store.publish([product])
        #expect(try await icon("a", manager) == ImageForge.png())
        if isRemoved {
            try await manager.stores.remove("main")
            #expect(try cached().isEmpty)
        }
        try await manager.stores.add(
            name: "main", url: store.origin.url, unsigned: true, token: isRemoved ? nil : "other")
        #expect(try await icon("a", manager) == ImageForge.png(2, 2))
        await manager.close()
    }

    @Test func `the cache stays within its limit, and the least recently used images leave first`() async throws {
        let products = (1...5).map { IconStore.Product("p\($0)", icon: ImageForge.bytes(1_000, seed: UInt64($0))) }
        store.publish(products)
        // Times of use have a resolution of one second.
        let clock = AdjustableClock()
        let manager = try await open(clock: clock.source)
        _ = try await manager.set(.imagesCacheSize, to: "3000")
        for product in products {
            clock.advance(by: 1)
            #expect(try await icon(product.identifier, manager) == product.icon)
            #expect(try cached().count <= 3)
        }
        _ = try await icon("p5", manager)
        _ = try await icon("p1", manager)
        #expect(store.requests(forIconOf: "p5") == 1 && store.requests(forIconOf: "p1") == 2)
        _ = try await manager.set(.imagesCacheSize, to: "0")
        #expect(try cached().isEmpty)
        _ = try await icon("p1", manager)
        #expect(try store.requests(forIconOf: "p1") == 3 && cached().isEmpty)
        await manager.close()
    }

    @Test func `a public store's icon at a local address is not requested`() async throws {
        let inner = try Origin()
        inner.serve("/icon.png", ImageForge.png())
        var product = IconStore.Product("a", icon: ImageForge.png())
        product.address = inner.url("/icon.png").absoluteString
        store.publish([product])
        try home.folder.directory.put(
            "config/stores.json",
            #"{"stores":[{"name":"main","url":"\#(store.origin.url)","unsigned":true,"priority":0,"local":false}]}"#)
        let port = store.origin.port
        var configuration = TransferConfiguration()
        configuration.isPublicAddress = { $0.port == port }
        let manager = try await StoreManager.open(
            places: home.places, overrides: EngineHome.always, transfers: TransferEngine(configuration: configuration),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(await failure { _ = try await icon("a", manager) } == .transferLocalAddress)
        #expect(inner.connectionCount == 0)
        await manager.close()
    }

    @Test func `the previews of a product without previews in the catalogue need one request for its details`()
        async throws
    {
        for number in 0..<3 { store.origin.serve("/\(number).png", ImageForge.png(number + 1, 1)) }
        store.origin.serve(
            "/details.json",
            #"{"productDetailsInfo":"A","productDetailsPreviewImagesURLsArray":["0.png","1.png","2.png"]}"#)
        store.origin.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productResourceURL":"a.zip","productDetailsURL":"details.json"}]"#)
        let manager = try await open()
        for number in 0..<3 {
            let image = try await manager.products.image(.preview(number), of: "a", store: "main")
            #expect(Array(image.data) == ImageForge.png(number + 1, 1) && image.mediaType == "image/png")
        }
        #expect(store.origin.requests(to: "/details.json").count == 1)
        #expect(
            await failure { _ = try await manager.products.image(.preview(3), of: "a", store: "main") } == .noPreview)
        #expect(await failure { _ = try await manager.products.image(.icon, of: "a", store: "main") } == .noImage)
        await manager.close()
    }

    @Test func `previews that are requested together need one request for the details`() async throws {
        for number in 0..<3 { store.origin.serve("/\(number).png", ImageForge.png(number + 1, 1)) }
        store.origin.serve(
            "/details.json",
            #"{"productDetailsInfo":"A","productDetailsPreviewImagesURLsArray":["0.png","1.png","2.png"]}"#)
        store.origin.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productResourceURL":"a.zip","productDetailsURL":"details.json"}]"#)
        store.origin.always("/details.json", .stallBeforeAnswer)
        let manager = try await open()
        let requests = (0..<3).map { number in
            Task { try await manager.products.image(.preview(number), of: "a", store: "main").data }
        }
        let cancelled = Task { try await manager.products.image(.preview(0), of: "a", store: "main").data }
        try await eventually { await manager.products.recentDetails.fetches.waitingCount == 4 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await store.origin.untilStalled()
        store.origin.release()
        for (number, request) in requests.enumerated() {
            #expect(try await Array(request.value) == ImageForge.png(number + 1, 1))
        }
        #expect(store.origin.requests(to: "/details.json").count == 1)
        await manager.close()
    }

    @Test func `a product without a details document is asked for it once for each catalogue`() async throws {
        func publish(_ name: String) {
            store.origin.serve(
                "/catalogue.json",
                #"[{"productIdentifier":"a","productName":"\#(name)","productResourceURL":"a.zip","#
                    + #""productDetailsURL":"details.json"}]"#)
        }
        publish("A")
        let manager = try await open()
        for image in [ProductImage.icon, .preview(0), .sprite] {
            let code = await failure { _ = try await manager.products.image(image, of: "a", store: "main") }
            #expect(code == (image == .preview(0) ? .noPreview : .noImage))
        }
        #expect(store.origin.requests(to: "/details.json").count == 1)
        // The new catalogue may come with a document.
        publish("B")
        store.origin.serve(
            "/details.json", #"{"productDetailsInfo":"A","productDetailsPreviewImagesURLsArray":["0.png"]}"#)
        store.origin.serve("/0.png", ImageForge.png())
        _ = try await manager.stores.refresh()
        let preview = try await manager.products.image(.preview(0), of: "a", store: "main")
        #expect(Array(preview.data) == ImageForge.png())
        #expect(store.origin.requests(to: "/details.json").count == 2)
        await manager.close()
    }
}

/// A clock whose time of day stands still until a test advances it.
private final class AdjustableClock: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

    var source: TimeSource {
        TimeSource(
            date: { self.date.withLock { $0 } }, now: TimeSource.system.now, sleep: TimeSource.system.sleep,
            jitter: TimeSource.system.jitter)
    }

    func advance(by seconds: Double) { date.withLock { $0 += seconds } }
}
