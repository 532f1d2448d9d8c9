import FoundationEssentials
import Logging
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEngine
@testable import StoreTransfers

/// Stores at public addresses that refer to hosts at local ones.
///
/// All servers of the tests are on this machine: the store's own port counts as public.
@Suite(.hangGuard) struct LocalAddressTests {
    private let home: EngineHome
    /// A server of the machine or its network, with the same archive.
    private let inner: Origin

    init() throws { (home, inner) = (try EngineHome(), try Origin()) }

    /// Opens a manager with a store that was public when it was added.
    private func open(_ store: TableStore) async throws -> StoreManager {
        inner.serve(TableStore.archive, store.zip)
        return try await open(store.origin)
    }

    /// Opens a manager with a store on a server that was public when it was added.
    ///
    /// - Parameter proxied: the URL of the store for which the server is the proxy, in a list that does not say whether
    ///   the store is local; `nil` is a store on the server itself.
    private func open(_ origin: Origin, proxyOf proxied: String? = nil) async throws -> StoreManager {
        let config = try home.folder.directory.createDirectory("config")
        let (url, local) = (proxied ?? origin.url.absoluteString, proxied == nil ? #","local":false"# : "")
        try config.put(
            "stores.json", #"{"stores":[{"name":"main","url":"\#(url)","unsigned":true,"priority":0\#(local)}]}"#)
        let port = origin.port
        var configuration = TransferConfiguration(proxy: proxied.map { _ in origin.url.absoluteString })
        configuration.isPublicAddress = { $0.port == port }
        return try await StoreManager.open(
            places: home.places, overrides: EngineHome.always, transfers: TransferEngine(configuration: configuration),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private var innerArchive: URL { inner.url(TableStore.archive) }

    enum Reference: String, CaseIterable {
        case archive, mirror, redirect
    }

    @Test(arguments: Reference.allCases)
    func `a public store's archive at a local address is not requested`(reference: Reference) async throws {
        let store = try TableStore(
            TableStore.images(2), mirrors: reference == .mirror ? [innerArchive] : [],
            archiveAt: reference == .archive ? innerArchive : nil)
        switch reference {
        case .archive: break
        case .mirror: store.origin.remove(TableStore.archive)
        case .redirect: store.origin.always(TableStore.archive, .redirect(to: innerArchive.absoluteString))
        }
        let manager = try await open(store)
        let refused = try await manager.installed("a")
        #expect(refused.state == .failed)
        // Of several mirrors, the error of the first is reported.
        #expect(refused.error?.code == (reference == .mirror ? .transferHTTPStatus : .transferLocalAddress))
        #expect(inner.connectionCount == 0)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        #expect(try await manager.installed("a").state == .finished)
        await manager.close()
    }

    @Test(arguments: ["/catalogue.json", "/shard.json", nil])
    func `a public store's catalogue at a local address is not requested`(redirected: String?) async throws {
        let store = try TableStore(TableStore.images(2))
        if let redirected {
            store.origin.always(redirected, .redirect(to: inner.url(redirected).absoluteString))
        } else {
            store.origin.serve(
                "/catalogue.json",
                #"{"format":2,"products":1,"shards":[{"url":"\#(inner.url("/shard.json"))","size":10,"#
                    + #""sha256":"\#(SHA256Digest(of: []).hex)","products":1}]}"#)
        }
        let manager = try await open(store)
        let summary = try #require(try await manager.stores.refresh().first)
        #expect(summary.error?.code == .transferLocalAddress)
        #expect(inner.connectionCount == 0)
        await manager.close()
    }

    @Test func `a public store's details and previews at local addresses are not requested`() async throws {
        let store = try Origin()
        store.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productType":"sticker","productResourceURL":"a.zip","#
                + #""productDetailsURL":"\#(inner.url("/details.json"))","#
                + #""productDetailsPreviewImagesURLsArray":["\#(inner.url("/preview.png"))"]}]"#)
        inner.serve("/details.json", #"{"productDetailsInfo":"inner"}"#)
        inner.serve("/preview.png", ImageForge.png())
        let manager = try await open(store)
        let overview = try await manager.products.product("a", store: nil, languages: [])
        #expect(overview.details == nil && overview.warnings.count == 1)
        #expect(overview.warnings.first?.contains("is not public") == true)
        #expect(
            await failure { _ = try await manager.products.image(.preview(0), of: "a", store: nil) }
                == .transferLocalAddress)
        #expect(inner.connectionCount == 0)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        let allowed = try await manager.products.product("a", store: nil, languages: [])
        #expect(allowed.details?.info.text() == "inner" && allowed.warnings.isEmpty)
        #expect(try await manager.products.image(.preview(0), of: "a", store: nil).mediaType == "image/png")
        await manager.close()
    }

    @Test func `a public store's details are not followed to a local address`() async throws {
        let store = try Origin()
        store.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productType":"sticker","productResourceURL":"a.zip","#
                + #""productDetailsURL":"details.json"}]"#)
        store.always("/details.json", .redirect(to: inner.url("/details.json").absoluteString))
        inner.serve("/details.json", #"{"productDetailsInfo":"inner"}"#)
        let manager = try await open(store)
        let overview = try await manager.products.product("a", store: nil, languages: [])
        #expect(overview.details == nil && overview.warnings.first?.contains("is not public") == true)
        #expect(store.requests(to: "/details.json").count == 1 && inner.connectionCount == 0)
        await manager.close()
    }

    @Test func `a public store's entry table at a local address is not requested`() async throws {
        let store = try TableStore(TableStore.images(2))
        inner.serve(TableStore.table, Array(try JSON.encode(store.entries)))
        store.origin.always(TableStore.table, .redirect(to: inner.url(TableStore.table).absoluteString))
        let manager = try await open(store)
        try await manager.installed("a")
        // Without the table, the whole archive is fetched.
        #expect(try await repair(manager).state == .finished)
        #expect(store.asked(from: 1) == [nil] && inner.connectionCount == 0)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        #expect(try await repair(manager).state == .finished)
        #expect(store.asked(from: 2).map { $0 != nil } == [true] && inner.requests(to: TableStore.table).count == 1)
        await manager.close()
    }

    /// Damages a file of the installed pack and repairs it.
    private func repair(_ manager: StoreManager) async throws -> DownloadStatus {
        try home.packs.put("a.stickers/0.png", String(repeating: "?", count: 5000))
        return try await manager.end(of: manager.packs.repair("a"))
    }

    @Test func `an entity tag at a local address is not requested for a public store`() async throws {
        let store = try Origin()
        store.serve(
            "/catalogue.json",
            #"[{"productIdentifier":"a","productType":"sticker","productResourceURL":"a.zip"}]"#)
        store.serve(TableStore.archive, TableStore.images(1).build())
        inner.serve(TableStore.archive, TableStore.images(2).build())
        let manager = try await open(store)
        #expect(try await manager.installed("a").state == .finished)
        store.always(TableStore.archive, .redirect(to: innerArchive.absoluteString))
        #expect(try await manager.updates.available().updates.isEmpty)
        #expect(store.requests.last?.method == "HEAD" && inner.connectionCount == 0)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        #expect(try await manager.updates.available().updates.map(\.productIdentifier) == ["a"])
        await manager.close()
    }

    @Test func `a store that was removed counts as public when its packs are repaired`() async throws {
        let store = try TableStore(TableStore.images(2), archiveAt: innerArchive)
        let manager = try await open(store)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        #expect(try await manager.installed("a").state == .finished)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "false")
        try await manager.stores.remove("main")
        let before = inner.requests.count
        let refused = try await repair(manager)
        #expect(refused.state == .failed && refused.error?.code == .transferLocalAddress)
        #expect(inner.requests.count == before)
        _ = try await manager.set(.networkAllowLocalAddresses, to: "true")
        #expect(try await repair(manager).state == .finished)
        await manager.close()
    }

    @Test func `a public store of a list that does not say so may not refer to local addresses`() async throws {
        let proxy = try Origin()
        let archive = innerArchive.absoluteString
        proxy.handle("http://store.invalid/catalogue.json") { _ in
            OriginReply(
                body: Array(
                    #"[{"productIdentifier":"a","productType":"sticker","productResourceURL":"\#(archive)"}]"#.utf8))
        }
        let manager = try await open(proxy, proxyOf: "http://store.invalid/")
        let refused = try await manager.installed("a")
        #expect(refused.state == .failed && refused.error?.code == .transferLocalAddress)
        #expect(inner.connectionCount == 0 && !proxy.requests.contains { $0.path == archive })
        await manager.close()
    }

    @Test func `a store at a local address may refer to local addresses`() async throws {
        let store = try TableStore(TableStore.images(2), archiveAt: innerArchive)
        inner.serve(TableStore.archive, store.zip)
        let manager = try await store.open(home)
        #expect(try await manager.packs.pack("a").version?.text == "1")
        #expect(
            try home.folder.directory.text("config/stores.json").replacing(" ", with: "").contains(#""local":true"#))
        await manager.close()
    }

    @Test func `the first response decides whether a store is local`() throws {
        let url = try #require(URL(string: "https://store.example/"))
        func response(isLocal: Bool) -> TransferResponse {
            TransferResponse(status: 404, headers: [:], effectiveURL: url, isFromLocalHost: isLocal)
        }
        for isLocal in [false, true] {
            let scope = StoreScope(adding: url)
            #expect(scope.policy == .publicIfFirstIs && scope.isLocal == nil)
            scope.record(response(isLocal: isLocal))
            #expect(scope.policy == (isLocal ? .any : .publicOnly) && scope.isLocal == isLocal)
            // Another address of the same name changes nothing.
            scope.record(response(isLocal: !isLocal))
            #expect(scope.isLocal == isLocal)
        }
    }

    @Test func `the first response decides about a store of a list that does not say whether it is local`() throws {
        let url = try #require(URL(string: "https://store.corp/"))
        var configuration = try StoreConfiguration.checked(name: "a", url: url, unsigned: true, priority: 0)
        let undecided = StoreScope(configuration)
        #expect(undecided.policy == .publicIfFirstIs && undecided.isLocal == nil)
        undecided.record(TransferResponse(status: 200, headers: [:], effectiveURL: url, isFromLocalHost: true))
        #expect(undecided.policy == .any)
        for local in [true, false] {
            configuration.local = local
            #expect(StoreScope(configuration).isLocal == local)
        }
    }

    @Test func `only requests for the catalogue may decide whether a store is local`() async throws {
        let addresses = StoreAddresses(
            settings: try await SettingsManager(home.places, environment: [:], overrides: [:]))
        let url = try #require(URL(string: "https://store.corp/"))
        let scope = StoreScope(adding: url)
        addresses.set(["a": scope])
        #expect(addresses.policy(in: scope) == .publicIfFirstIs)
        #expect(addresses.policy(for: "a") == .publicOnly)
        scope.record(TransferResponse(status: 200, headers: [:], effectiveURL: url, isFromLocalHost: true))
        #expect(addresses.policy(for: "a") == .any)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://localhost:8080/", "http://[fd00::1]/", "http://192.168.1.2/x",
        "file:///srv/store/",
    ])
    func `the URL of a local store says so`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(StoreScope(adding: url).policy == .any)
        let configuration = try StoreConfiguration.checked(name: "a", url: url, unsigned: true, priority: 0)
        #expect(StoreScope(configuration).policy == .any)
    }
}
