import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

/// Documents that are small, and would take many times their size in memory.
@Suite struct LimitTests {
    private static let url = URL(string: "https://store.example/catalogue.json")!

    private func list(_ json: String, _ limits: CatalogueLimits = .standard) throws -> CatalogueProducts {
        guard case .products(let list) = try CatalogueDocument.parse(Data(json.utf8), url: Self.url, limits: limits)
        else { throw CancellationError() }
        return list
    }

    @Test func `the products of all shards together are within the limits`() throws {
        let documents = ["a", "b"].map { name in
            Data(#"{"format":2,"products":[{"productIdentifier":"\#(name)","productType":"sticker"}]}"#.utf8)
        }
        let shards = documents.map { data in
            IndexEntry.Shard(url: "shard.json", size: data.count, sha256: SHA256Digest(of: data), products: 1)
        }
        let index = try JSON.encode(IndexEntry(name: nil, shards: shards))
        func parse(_ limits: CatalogueLimits) throws -> [CatalogueProducts] {
            guard case .index(let catalogue) = try CatalogueDocument.parse(index, url: Self.url) else { return [] }
            return try CatalogueDocument.parse(shardsOf: catalogue, limits: limits) { shard in
                try #require(documents.first { SHA256Digest(of: $0) == shard.sha256 })
            }
        }
        #expect(try parse(CatalogueLimits(products: 2)).flatMap(\.items).map(\.productIdentifier) == ["a", "b"])
        for limits in [CatalogueLimits(products: 1), CatalogueLimits(memory: 100)] {
            let error = try #require(throws: StoreError.self) { try parse(limits) }
            #expect(error.code == .catalogueTooLarge)
        }
    }

    private func elements(_ count: Int) -> String {
        "[" + Array(repeating: #""a""#, count: count).joined(separator: ",") + "]"
    }

    @Test(arguments: [
        "mirrors", "productDetailsPreviewImagesURLsArray", "dependencies", "permissions", "authors", "locales",
        "categories", "tags",
    ])
    func `a product with a list of more than 1,000 elements has a defect, and the others have none`(
        member: String
    ) throws {
        func product(_ identifier: String, _ count: Int) -> String {
            #"{"productIdentifier":"\#(identifier)","productType":"sticker","productResourceURL":"a.zip","#
                + #""\#(member)":\#(elements(count))}"#
        }
        let items = try list("[\(product("a", 1_001)),\(product("b", 1_000))]").items
        #expect(items.map(\.defect) == ["its '\(member)' has more than 1000 elements", nil])
        #expect(items[0].mirrors.isEmpty && items[0].previews.isEmpty && items[0].dependencies.isEmpty)
        #expect(items[0].permissions.isEmpty && items[0].authors.isEmpty && items[0].locales.isEmpty)
        #expect(items[0].categories.isEmpty && items[0].tags.isEmpty)
    }

    @Test func `texts that no product has are treated like those of a wrong type`() throws {
        func text(_ length: Int) -> String { String(repeating: "n", count: length) }
        let languages = (0..<201).map { #""l\#($0)":"n""# }.joined(separator: ",")
        let items = try list(
            """
            [{"productIdentifier":"a","productName":"\(text(16 << 10))","version":"\(text(256))"},
            {"productIdentifier":"b","productName":"\(text(16 << 10))n","version":"\(text(257))"},
            {"productIdentifier":"c","productName":{\(languages)},"publisher":"\(text(20_000))"}]
            """
        ).items
        #expect(items.map { $0.productName.text().count } == [16 << 10, 1, 1])
        #expect(items.map { $0.version?.text.count } == [256, nil, nil])
        #expect(items[2].publisher == nil)
    }

    /// A search does not examine combining marks.
    @Test func `a product whose name consists of combining marks is one like any other`() throws {
        let name = String(repeating: "\u{301}", count: 5_000)
        let items = try list(#"[{"productIdentifier":"a","productName":"\#(name)"}]"#).items
        #expect(items.map { $0.productName.text().unicodeScalars.count } == [5_000])
    }

    @Test func `a document in UTF-16 is refused before its values are read`() throws {
        let text = "[\"\u{2201}\"" + String(repeating: ",0", count: 2_000_000) + "]"
        for isLittleEndian in [true, false] {
            let units = text.utf16.map { isLittleEndian ? $0.littleEndian : $0.bigEndian }
            let data = units.withUnsafeBytes { Data($0) }
            let error = #expect(throws: StoreError.self) { try CatalogueDocument.parse(data, url: Self.url) }
            #expect(error?.template == .catalogueNotJSON)
        }
    }

    @Test func `the memory of the products is limited`() throws {
        let name = String(repeating: "n", count: 10_000)
        func document(_ count: Int) -> String {
            "["
                + (0..<count).map { #"{"productIdentifier":"p\#($0)","productName":"\#(name)"}"# }.joined(
                    separator: ",")
                + "]"
        }
        let limits = CatalogueLimits(memory: 1 << 20)
        let error = #expect(throws: StoreError.self) { try list(document(100), limits) }
        #expect(error?.code == .catalogueTooLarge && error?.message.contains("memory") == true)
        #expect(try list(document(50), limits).items.count == 50)
        #expect(throws: Never.self) { try list(document(100)) }
    }

    @Test func `a mirror takes less memory than its text in the document`() throws {
        // As parsed addresses, 200,000 mirrors would take 140 MB.
        let product = #"{"productIdentifier":"%","mirrors":\#(elements(1_000))}"#
        let document = "[" + (0..<200).map { product.replacing("%", with: "p\($0)") }.joined(separator: ",") + "]"
        let items = try list(document, CatalogueLimits(memory: 1 << 20)).items
        #expect(items.map(\.mirrors.count) == Array(repeating: 1_000, count: 200))
        #expect(items[199].mirrors.last == URL(string: "https://store.example/a"))
    }

    @Test func `repeated identifiers lead to a limited number of warnings`() throws {
        let list = try list(
            "[" + Array(repeating: #"{"productIdentifier":"a"}"#, count: 301).joined(separator: ",") + "]")
        #expect(list.items.count == 1 && list.warnings.count == 101)
        #expect(list.warnings.last == "200 more entries repeat an identifier")
    }

    @Test func `a search examines the beginning of long texts`() throws {
        let tags = (0..<1_000).map { #""tag-\#($0)""# }.joined(separator: ",")
        let list = try list(#"[{"productIdentifier":"a","tags":[\#(tags)]}]"#)
        let catalogue = Catalogue(format: 1, url: Self.url, revision: SHA256Digest(of: []), list: list)
        #expect(catalogue.search(CatalogueQuery(words: ["tag-1"])).count == 1)
        #expect(catalogue.search(CatalogueQuery(words: ["tag-999"])).isEmpty)
    }

    @Test func `a details document is limited in size, and so are its lists`() throws {
        func details(_ json: String) throws -> ProductDetails {
            try DetailsDocument.parse(Data(json.utf8), url: Self.url, limits: CatalogueLimits(detailsSize: 100_000))
        }
        let error = #expect(throws: StoreError.self) {
            try details(#"{"productDetailsInfo":"\#(String(repeating: "a", count: 100_000))"}"#)
        }
        #expect(error?.code == .catalogueTooLarge)
        let member = "productDetailsPreviewImagesURLsArray"
        #expect(try details(#"{"\#(member)":\#(elements(1_000))}"#).previews.count == 1_000)
        #expect(try details(#"{"\#(member)":\#(elements(1_001))}"#).previews.isEmpty)
        // A description may be longer than any text of a catalogue.
        let info = String(repeating: "a", count: 50_000)
        #expect(try details(#"{"productDetailsInfo":"\#(info)"}"#).info.text() == info)
    }
}

/// Catalogues of several documents.
@Suite struct ShardLimitTests {
    private let folder: TemporaryFolder
    private let server = DocumentServer()

    init() throws { folder = try TemporaryFolder() }

    private func source(_ fetcher: any DocumentFetching, _ limits: CatalogueLimits = .standard) -> CatalogueSource {
        CatalogueSource(
            url: URL(string: DocumentServer.base)!, cache: CatalogueCache(directory: folder.directory),
            fetcher: fetcher, limits: limits)
    }

    @Test func `a shard that is named several times is read once`() async throws {
        var catalogue = try FormatTwo(SourceTests.products(3))
        let digest = try #require(catalogue.shards.keys.first?.dropFirst("/catalogue/".count).dropLast(".json".count))
        let size = try #require(catalogue.shards.values.first?.count)
        let shard = IndexEntry.Shard(
            url: "catalogue/\(digest).json", size: size, sha256: try #require(SHA256Digest(hex: String(digest))),
            products: 3)
        catalogue.index = try JSON.encode(IndexEntry(name: nil, shards: Array(repeating: shard, count: 60)))
        catalogue.put(on: server)
        let refreshed = try await source(server).refresh().catalogue
        #expect(refreshed.products.count == 3 && refreshed.warnings.isEmpty)
        #expect(server.takeRequests().count == 1 + 1)
    }

    @Test func `a shard with more products than its index states is refused`() async throws {
        var catalogue = try FormatTwo(SourceTests.products(200))
        let index = String(decoding: catalogue.index, as: UTF8.self)
        catalogue.index = Data(index.replacing(#""products":200"#, with: #""products":199"#).utf8)
        catalogue.put(on: server)
        let error = await #expect(throws: StoreError.self) { try await source(server).refresh() }
        #expect(error?.code == .catalogueMalformed && error?.message.contains("199 products") == true)
    }

    @Test func `the shards of a catalogue share one limit of memory`() async throws {
        let catalogue = try FormatTwo(SourceTests.products(600))
        #expect(catalogue.shards.count > 2)
        catalogue.put(on: server)
        // More than the products of a shard take, and less than those of all.
        let error = await #expect(throws: StoreError.self) {
            try await source(server, CatalogueLimits(memory: 60_000)).refresh()
        }
        #expect(error?.code == .catalogueTooLarge && error?.message.contains("memory") == true)
        #expect(try await source(server).refresh().catalogue.products.count == 600)
    }

    @Test func `shards are fetched at the same time only as far as one document may be large`() async throws {
        let catalogue = try FormatTwo(SourceTests.products(600))
        catalogue.put(on: server)
        let largest = try #require(catalogue.shards.values.map(\.count).max())
        let fetcher = CountingFetcher(server)
        _ = try await source(fetcher, CatalogueLimits(documentSize: largest)).refresh()
        #expect(fetcher.mostAtOnce <= largest)
        #expect(server.takeRequests().count == 1 + catalogue.shards.count)
    }
}

/// Counts the bytes of the documents that are fetched at the same time.
private final class CountingFetcher: DocumentFetching {
    private let server: DocumentServer
    private let bytes = Mutex((now: 0, most: 0))

    var mostAtOnce: Int { bytes.withLock { $0.most } }

    init(_ server: DocumentServer) { self.server = server }

    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument {
        bytes.withLock { bytes in
            bytes.now += sizeLimit
            bytes.most = max(bytes.most, bytes.now)
        }
        defer { bytes.withLock { $0.now -= sizeLimit } }
        for _ in 0..<100 { await Task.yield() }
        return try await server.fetch(
            url, ifNoneMatch: ifNoneMatch, ifModifiedSince: ifModifiedSince, sizeLimit: sizeLimit)
    }
}
