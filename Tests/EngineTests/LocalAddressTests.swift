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
        let config = try home.folder.directory.createDirectory("config")
        try config.put(
            "stores.json",
            #"{"stores":[{"name":"main","url":"\#(store.origin.url)","unsigned":true,"priority":0,"local":false}]}"#)
        let port = store.origin.port
        var configuration = TransferConfiguration()
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

    @Test func `a public store's shard at a local address is not requested`() async throws {
        let store = try TableStore(TableStore.images(2))
        store.origin.always("/shard.json", .redirect(to: inner.url("/shard.json").absoluteString))
        let manager = try await open(store)
        let summary = try #require(try await manager.stores.refresh().first)
        #expect(summary.error?.code == .transferLocalAddress)
        #expect(inner.connectionCount == 0)
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
        #expect(addresses.policy(for: "a", at: innerArchive) == .publicOnly)
        scope.record(TransferResponse(status: 200, headers: [:], effectiveURL: url, isFromLocalHost: true))
        #expect(addresses.policy(for: "a", at: innerArchive) == .any)
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
