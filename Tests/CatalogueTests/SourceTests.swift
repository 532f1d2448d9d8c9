import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreCatalogue

@Suite
struct SourceTests {
    let folder: TemporaryFolder
    let server = DocumentServer()

    init() throws { folder = try TemporaryFolder() }

    func source(_ address: String = "", limits: CatalogueLimits = .standard) -> CatalogueSource {
        CatalogueSource(
            url: URL(string: DocumentServer.base + address)!, cache: CatalogueCache(directory: folder.directory),
            fetcher: server, limits: limits)
    }

    static func products(_ count: Int) -> [CatalogueEntry] { (0..<count).map { FormatTwo.product("p\($0)") } }

    @Test(arguments: ["", "/", "/catalogue.json"])
    func `a directory URL with or without a slash, and the document's URL, lead to the catalogue`(address: String)
        async throws
    {
        try FormatTwo(Self.products(3), name: "Shop").put(on: server)
        let refreshed = try await source(address).refresh()
        #expect(refreshed.changed)
        #expect(refreshed.catalogue.products.count == 3)
        #expect(refreshed.catalogue.name == "Shop")
        #expect(refreshed.catalogue.format == 2)
        #expect(server.takeRequests().first?.path == "/catalogue.json")
    }

    @Test
    func `a document of another name is found without a catalogue.json below it, and is requested first afterwards`()
        async throws
    {
        server.put(Data(#"[{"productIdentifier":"a","productResourceURL":"a.zip"}]"#.utf8), at: "/feed", etag: "1")
        let catalogue = try await source("/feed").refresh().catalogue
        #expect(catalogue.format == 1)
        #expect(catalogue["a"]?.resource?.url.absoluteString == "https://store.example/a.zip")
        #expect(server.takeRequests().map(\.path) == ["/feed/catalogue.json", "/feed"])
        #expect(try await source("/feed").refresh().changed == false)
        #expect(server.takeRequests().map(\.path) == ["/feed"])
    }

    @Test
    func `URLs are relative to the document's URL after redirects`() async throws {
        server.put(Data(#"[{"productIdentifier":"a","productResourceURL":"a.zip"}]"#.utf8), at: "/new/list.json")
        server.redirect("/old.json", to: "/new/list.json")
        let catalogue = try await source("/old.json").refresh().catalogue
        #expect(catalogue["a"]?.resource?.url.absoluteString == "https://store.example/new/a.zip")
    }

    @Test
    func `an unchanged catalogue costs one request, with and without the previous one in memory`() async throws {
        try FormatTwo(Self.products(600)).put(on: server, etag: "\"1\"")
        let first = try await source().refresh()
        #expect(server.takeRequests().count == 1 + 4)

        let second = try await source().refresh(previous: first.catalogue)
        #expect(!second.changed)
        #expect(server.takeRequests() == [.init(path: "/catalogue.json", ifNoneMatch: "\"1\"")])

        let third = try await source().refresh()
        #expect(!third.changed)
        #expect(third.catalogue.products.count == 600)
        #expect(server.takeRequests().count == 1)
    }

    @Test
    func `a server without entity tags also costs one request, and nothing counts as changed`() async throws {
        try FormatTwo(Self.products(10)).put(on: server)
        let first = try await source().refresh()
        _ = server.takeRequests()
        #expect(try await source().refresh(previous: first.catalogue).changed == false)
        #expect(try await source().refresh().changed == false)
        #expect(server.takeRequests().count == 2)
    }

    @Test
    func `a new entity tag of unchanged content is stored`() async throws {
        let catalogue = try FormatTwo(Self.products(10))
        catalogue.put(on: server, etag: "\"1\"")
        let first = try await source().refresh()
        catalogue.put(on: server, etag: "\"2\"")
        #expect(try await source().refresh(previous: first.catalogue).changed == false)
        // A clock that was set back can lead to the first tag for another content.
        try FormatTwo(Self.products(11)).put(on: server, etag: "\"1\"")
        let third = try await source().refresh(previous: first.catalogue)
        #expect(third.changed && third.catalogue.products.count == 11)
        #expect(
            server.takeRequests().filter { $0.path == "/catalogue.json" }.map(\.ifNoneMatch) == [nil, "\"1\"", "\"2\""])
    }

    @Test
    func `after the cache was deleted, one refresh fetches the document, and the next ones are conditional`()
        async throws
    {
        try FormatTwo(Self.products(10)).put(on: server, etag: "\"1\"")
        let first = try await source().refresh()
        for entry in try folder.directory.entries() { try folder.directory.removeTree(entry.name) }
        _ = server.takeRequests()
        for _ in 0..<2 { #expect(try await source().refresh(previous: first.catalogue).changed == false) }
        #expect(server.takeRequests().map(\.ifNoneMatch) == [nil, "\"1\""])
        // Without the previous catalogue, only its shard is missing.
        #expect(try await source().refresh().catalogue.products.count == 10)
        #expect(server.takeRequests().map(\.ifNoneMatch) == ["\"1\"", nil])
    }

    @Test
    func `one changed product costs the index and one shard`() async throws {
        var products = Self.products(600)
        try FormatTwo(products).put(on: server, etag: "\"1\"")
        let first = try await source().refresh()
        _ = server.takeRequests()
        products[17].popularity = 1
        let after = try FormatTwo(products)
        after.put(on: server, etag: "\"2\"")
        let second = try await source().refresh(previous: first.catalogue)
        #expect(second.changed)
        #expect(second.catalogue["p17"]?.popularity == 1)
        #expect(server.takeRequests().count == 2)
        // Cached files that nothing refers to any more are removed.
        let kept = try folder.directory.openDirectory("shards").entries().map { "/catalogue/" + $0.name }
        #expect(
            Set(kept) == Set(after.shards.keys.flatMap { [$0, $0.replacing(".json", with: ".products")] }))
    }

    @Test
    func `a cached catalogue is available without network, and the cache may be deleted or damaged`() async throws {
        #expect(await source().cached() == nil)
        try FormatTwo(Self.products(300)).put(on: server, etag: "\"1\"")
        _ = try await source().refresh()
        _ = server.takeRequests()
        #expect(await source().cached()?.products.count == 300)
        #expect(server.takeRequests().isEmpty)

        let shards = try folder.directory.openDirectory("shards")
        let name = try #require(try shards.entries().first { $0.name.hasSuffix(".json") }?.name)
        try shards.replace(name, with: Data("[]".utf8))
        try shards.removeTree(name.replacing(".json", with: ".products"))
        #expect(await source().cached() == nil)
        #expect(try await source().refresh().catalogue.products.count == 300)
        #expect(server.takeRequests().count == 2)
        #expect(await source().cached()?.products.count == 300)

        try folder.directory.replace("catalogue.json", with: Data("{}".utf8))
        #expect(await source().cached() == nil)
        #expect(try await source().refresh().catalogue.products.count == 300)
        for entry in try folder.directory.entries() { try folder.directory.removeTree(entry.name) }
        #expect(try await source().refresh().catalogue.products.count == 300)
    }

    @Test(arguments: [true, false])
    func `a cached document is parsed once, and again where its compiled form is damaged`(isFormatTwo: Bool)
        async throws
    {
        if isFormatTwo {
            try FormatTwo(Self.products(300)).put(on: server)
        } else {
            server.put(try JSON.encode(Self.products(300)), at: "/catalogue.json")
        }
        let catalogue = try await source().refresh().catalogue
        func compiled() throws -> [String] {
            try folder.directory.openDirectory("shards").entries().map(\.name).filter { $0.hasSuffix(".products") }
        }
        let names = try compiled().sorted()
        #expect(names.isEmpty == false && (isFormatTwo || names.count == 1))
        let shards = try folder.directory.openDirectory("shards")
        let good = try names.map { try shards.read($0) }
        // The documents of the shards are not read. A catalogue of format 1 has none: it is one document itself.
        let documents = try shards.entries().map(\.name).filter { $0.hasSuffix(".json") }
        #expect(documents.count == (isFormatTwo ? names.count : 0))
        for name in documents { try shards.rename(name, to: shards, as: name + ".kept") }
        #expect(await source().cached()?.list == catalogue.list)
        for name in documents { try shards.rename(name + ".kept", to: shards, as: name) }
        for (name, content) in zip(names, good) {
            for damaged in [Data(), Data("{}".utf8), content.dropLast(), content + [0]] {
                try shards.replace(name, with: damaged)
                #expect(await source().cached()?.list == catalogue.list)
                #expect(try shards.read(name) == content)
            }
        }
        // With other limits, it is made anew; and those of documents that are gone are removed.
        var limits = CatalogueLimits.standard
        limits.products = 300
        #expect(await source(limits: limits).cached()?.list == catalogue.list)
        #expect(try zip(names, good).allSatisfy { try shards.read($0) != $1 })
        try FormatTwo(Self.products(3)).put(on: server)
        _ = try await source().refresh()
        #expect(try Set(compiled()).isDisjoint(with: names) && compiled().count == 1)
    }

    @Test func `a catalogue from the cache stays the same when the cache is replaced and deleted`() async throws {
        server.put(try JSON.encode(Self.products(3_000)), at: "/catalogue.json")
        let fetched = try await source().refresh().catalogue
        let shards = try folder.directory.openDirectory("shards")
        let name = try #require(try shards.names().first { $0.hasSuffix(".products") })
        #expect(try #require(try shards.status(of: name)).size > CatalogueCache.mappedSize)
        let cached = try #require(await source().cached())
        server.put(try JSON.encode(Self.products(3)), at: "/catalogue.json")
        #expect(try await source().refresh().catalogue.products.count == 3)
        #expect(try shards.status(of: name) == nil)
        for entry in try folder.directory.entries() { try folder.directory.removeTree(entry.name) }
        #expect(cached.list == fetched.list && cached.products.count == 3_000)
    }

    @Test func `a file of compiled products that is too large is not read`() async throws {
        server.put(try JSON.encode(Self.products(3)), at: "/catalogue.json")
        let catalogue = try await source().refresh().catalogue
        let shards = try folder.directory.openDirectory("shards")
        let name = try #require(try shards.names().first { $0.hasSuffix(".products") })
        let content = try shards.read(name)
        for size in [CatalogueLimits.standard.memory + (2 << 20), 1 << 40] {
            try shards.removeTree(name)
            try shards.createFile(name).truncate(to: size)
            #expect(await source().cached()?.list == catalogue.list)
            #expect(try shards.read(name) == content)
        }
    }

    @Test
    func `a shard with a wrong hash is refused, and the cached catalogue stays`() async throws {
        try FormatTwo([FormatTwo.product("a")]).put(on: server)
        _ = try await source().refresh()
        let next = try FormatTwo([FormatTwo.product("a", version: "2.0.0")])
        for (path, data) in next.shards {
            for lie in [Data(data.reversed()), Data(data.dropLast()), data + Data(" ".utf8), Data("<html>".utf8)] {
                next.put(on: server)
                server.put(lie, at: path)
                let error = await #expect(throws: StoreError.self) { try await source().refresh() }
                #expect(error?.code == .catalogueHashMismatch)
            }
            server.remove(path)
            let error = await #expect(throws: StoreError.self) { try await source().refresh() }
            #expect(error?.code == .catalogueMissing)
            #expect(error?.code.exitCode == .network)
        }
        #expect(await source().cached()?["a"]?.version == Version("1.0.0"))
        next.put(on: server)
        #expect(try await source().refresh().catalogue["a"]?.version == Version("2.0.0"))
    }

    @Test
    func `a missing catalogue and one that is too large are errors`() async throws {
        var error = await #expect(throws: StoreError.self) { try await source("/nothing").refresh() }
        #expect(error?.code == .catalogueMissing)
        server.put(Data("[                           ]".utf8), at: "/catalogue.json")
        error = await #expect(throws: StoreError.self) {
            try await source(limits: CatalogueLimits(documentSize: 10)).refresh()
        }
        #expect(error?.code == .catalogueTooLarge)
        server.fail(with: ErrorReport(code: ErrorCode("transfer.refused", .network), message: "down"))
        await #expect(throws: ErrorReport.self) { try await source().refresh() }
        let bad = CatalogueSource(
            url: URL(string: "ftp://x/y")!, cache: CatalogueCache(directory: folder.directory), fetcher: server)
        error = await #expect(throws: StoreError.self) { try await bad.refresh() }
        #expect(error?.code == .catalogueBadAddress)
    }
}
