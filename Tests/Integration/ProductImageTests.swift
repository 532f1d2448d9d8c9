import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// A page that shows a store with the daemon's interface alone, so that it never contacts the store.
@Suite(.hangGuard) struct ProductImageTests {
    private let store: IconStore
    private let home: TestHome

    init() throws { (store, home) = (try IconStore(token: "s3cr3t"), try TestHome()) }

    private func addStore() async throws {
        let token = home.folder.path + "/token"
        try Data("s3cr3t\n".utf8).write(to: URL(filePath: token))
        try await home.must(
            "store", "add", "shop", store.origin.url.absoluteString, "--unsigned", "--token-file", token)
    }

    private func icon(_ identifier: String) async throws -> [UInt8] {
        let client = try StoreClient(homeDirectory: home.path, startingDaemon: .never)
        return Array(try await client.image(.icon, of: identifier, store: "shop").image)
    }

    @Test func `listing products makes no request for each, and an icon is fetched once, also across restarts`()
        async throws
    {
        let products = (0..<50).map { IconStore.Product("p\($0)", icon: ImageForge.png($0 + 1, 1)) }
        store.publish(products)
        try await addStore()
        let before = store.origin.requests.count
        let list = try await home.must("search", "--json").json["products"]?.elements ?? []
        #expect(list.count == 50 && list.allSatisfy { $0["icon"].text?.hasPrefix("/v1/products/shop/p") == true })
        // One request finds out whether the catalogue is current; its shard is the same.
        #expect(
            store.origin.requests.dropFirst(before).map(\.path).filter { $0 != "/shard.json" } == ["/catalogue.json"])

        let socket = home.path + "/run/stored.sock"
        for _ in 1...2 {
            for product in list {
                #expect(try DaemonWire.get(try #require(product["icon"].text), at: socket).status == 200)
            }
        }
        #expect(try await icon("p7") == products[7].icon)
        try await home.must("daemon", "stop")
        try await home.must("daemon", "start")
        #expect(try await icon("p7") == products[7].icon)
        for product in products { #expect(store.requests(forIconOf: product.identifier) == 1) }
        #expect(store.origin.requests.allSatisfy { $0.headers["authorization"] == "Bearer s3cr3t" })

        store.publish([.init("p7", icon: ImageForge.png(100, 100))])
        try await home.must("refresh")
        #expect(try await icon("p7") == ImageForge.png(100, 100))
        #expect(store.requests(forIconOf: "p7") == 2)
        try await home.must("daemon", "stop")
    }

    @Test func `an icon that is a page, a drawing with a script, or has another hash is refused with a code`()
        async throws
    {
        var wrong = IconStore.Product("hash", icon: ImageForge.png())
        wrong.sha256 = SHA256Digest(of: [1])
        store.publish([
            .init("page", icon: Array("<html><script>run()</script></html>".utf8)),
            .init("drawing", icon: ImageForge.svg("<script>run()</script>")), wrong,
        ])
        try await addStore()
        for (product, code) in [
            ("page", ErrorCode.imageUnknown), ("drawing", .svgActive), ("hash", .contentHashMismatch),
        ] {
            let error = await #expect(throws: ErrorReport.self) { try await icon(product) }
            #expect(error?.code == code, "\(product)")
        }
        #expect(home.entries("cache/images").isEmpty)
        try await home.must("daemon", "stop")
    }

    @Test func `search and info say which products have to be bought`() async throws {
        var priced = IconStore.Product("gold", icon: ImageForge.png())
        priced.price = "1.99 EUR"
        store.publish([priced, .init("free", icon: ImageForge.png())])
        try await addStore()
        let found = try await home.must("search")
        let rows = found.output.split(separator: "\n").filter { $0.contains("Not Purchased") }
        #expect(rows.count == 1 && rows.first?.hasPrefix("gold") == true, "\(found)")
        #expect(try await home.must("info", "gold").output.contains("Not Purchased"))
        let info = try await home.must("info", "gold", "--json").json
        #expect(info["state"]?.elements.map(\.text) == ["Not Purchased"])
        #expect(info["images"]?["icon"].text?.hasPrefix("/v1/products/shop/gold/icon?sha256=") == true)
        try await home.must("purchases", "grant", "gold")
        #expect(try await home.must("info", "gold", "--json").json["state"]?.elements.map(\.text) == ["Purchased"])
        #expect(try await !home.must("search").output.contains("Not Purchased"))
        try await home.must("daemon", "stop")
    }
}
