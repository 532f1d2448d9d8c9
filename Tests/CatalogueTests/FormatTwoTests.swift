import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreTestSupport
import Testing

@Suite
struct FormatTwoTests {
    static let url = URL(string: "https://store.example/s/catalogue.json")!

    func parseAll(_ documents: FormatTwo) throws -> [ProductItem] {
        guard case .index(let index) = try CatalogueDocument.parse(documents.index, url: Self.url) else {
            throw StoreError(.catalogueInvalid, ["document": "the document", "reason": "it is not of format 2"])
        }
        return try index.shards.flatMap { shard in
            try CatalogueDocument.parse(documents.shards[String(shard.url.path.dropFirst(2))]!, of: shard).items
        }
    }

    @Test
    func `every written member is parsed again`() throws {
        var entry = FormatTwo.product("org.example.cups", version: "1.2.3")
        entry.productName = LocalizedText(byLanguage: ["en": "Cups", "pt": "Chávenas"])
        entry.productPrice = Price("1.99 EUR")
        entry.entryTable = FormatTwo.file("tables/a.json")
        entry.filesSHA256 = SHA256Digest(of: "files".utf8).hex
        entry.image = FormatTwo.file("images/a.png")
        entry.details = FormatTwo.file("details/a.json")
        entry.sprite = FormatTwo.file("images/s.png")
        entry.previews = [FormatTwo.file("images/1.png"), FormatTwo.file("images/2.png")]
        entry.mirrors = ["https://mirror.example/a.zip"]
        entry.dependencies = ["org.example.base"]
        entry.publisher = "Example"
        entry.license = "CC-BY-4.0"
        entry.authors = ["A", "B"]
        entry.locales = ["en", "pt"]
        entry.categories = ["food"]
        entry.tags = ["cup", "tea"]
        entry.publishedAt = Date(timeIntervalSince1970: 1_700_000_000)
        entry.popularity = 12
        let again = try JSON.decode(CatalogueEntry.self, from: JSON.encode(entry))
        #expect(again == entry)

        let item = try parseAll(FormatTwo([entry]))[0]
        #expect(item.defect == nil)
        #expect(item.version?.text == "1.2.3")
        #expect(item.resource?.url.absoluteString == "https://store.example/s/archives/org.example.cups-1.2.3.zip")
        #expect(item.resource?.sha256 == SHA256Digest(of: "archives/org.example.cups-1.2.3.zip".utf8))
        #expect(item.filesSHA256 == SHA256Digest(of: "files".utf8))
        #expect(item.previews.map(\.url.lastPathComponent) == ["1.png", "2.png"])
        #expect(item.sprite?.size == "images/s.png".utf8.count)
        #expect(item.dependencies == ["org.example.base"])
        #expect(item.publishedAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(item.mirrors.map(\.absoluteString) == ["https://mirror.example/a.zip"])
    }

    @Test
    func `the same product gives the same bytes`() throws {
        let products = (0..<40).map { FormatTwo.product("p\($0)") }
        #expect(try FormatTwo(products).index == FormatTwo(products).index)
    }

    @Test
    func `a product without version, size or hash is listed with a defect`() throws {
        var noVersion = FormatTwo.product("no-version")
        noVersion.version = nil
        var noHash = FormatTwo.product("no-hash")
        noHash.resource?.sha256 = nil
        var noSize = FormatTwo.product("no-size")
        noSize.resource?.size = nil
        var noResource = FormatTwo.product("no-resource")
        noResource.resource = nil
        var badFiles = FormatTwo.product("bad-files")
        badFiles.filesSHA256 = "abc"
        var withdrawn = noResource
        withdrawn.productIdentifier = "withdrawn"
        withdrawn.withdrawn = true
        let items = try parseAll(
            FormatTwo([noVersion, noHash, noSize, noResource, badFiles, withdrawn, FormatTwo.product("good")]))
        let defects = Dictionary(uniqueKeysWithValues: items.map { ($0.productIdentifier, $0.defect) })
        for identifier in ["no-version", "no-hash", "no-size", "no-resource"] {
            #expect(defects[identifier] != .some(nil), "\(identifier)")
        }
        #expect(defects["withdrawn"] == .some(nil))
        #expect(defects["good"] == .some(nil))
    }

    @Test
    func `a picture without a hash is ignored in format 2`() throws {
        var entry = FormatTwo.product("a")
        entry.image = FileEntry(url: "x.png", size: 3)
        let item = try parseAll(FormatTwo([entry]))[0]
        #expect(item.image == nil)
        #expect(item.defect == nil)
    }

    @Test
    func `a shard is parsed only if it has the size and hash of the index`() throws {
        let documents = try FormatTwo([FormatTwo.product("a")])
        guard case .index(let index) = try CatalogueDocument.parse(documents.index, url: Self.url) else {
            Issue.record("the document is not an index")
            return
        }
        let shard = index.shards[0]
        var data = documents.shards.values.first!
        #expect(throws: Never.self) { try CatalogueDocument.parse(data, of: shard) }
        let flipped = data.startIndex + data.count / 2
        data[flipped] ^= 1
        #expect(hashMismatch(data, shard))
        #expect(hashMismatch(Data(data.dropLast()), shard))
        #expect(hashMismatch(Data("<html>".utf8), shard))
        #expect(hashMismatch(Data(), shard))
    }

    private func hashMismatch(_ data: Data, _ shard: CatalogueIndex.Shard) -> Bool {
        do {
            _ = try CatalogueDocument.parse(data, of: shard)
            return false
        } catch {
            return error.code == .catalogueHashMismatch
        }
    }

    @Test
    func `each shard lists about 256 products or fewer`() {
        #expect([0, 1, 256].map { CatalogueSharding(productCount: $0).count } == [1, 1, 1])
        #expect(CatalogueSharding(productCount: 257).count == 2)
        #expect(CatalogueSharding(productCount: 1_000).count == 4)
        #expect(CatalogueSharding(productCount: 200_000).count == 1024)
        let sharding = CatalogueSharding(productCount: 200_000)
        var sizes = [Int](repeating: 0, count: sharding.count)
        for number in 0..<200_000 { sizes[sharding.shard(of: "org.example.\(number)")] += 1 }
        #expect(sizes.max()! < 300)
        #expect(sizes.min()! > 100)
    }

    @Test(arguments: [1, 300, 2_000])
    func `a changed product changes one shard`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        var products = (0..<count).map { FormatTwo.product("product-\($0)") }
        var before = try FormatTwo(products)
        for round in 0..<10 {
            let changed = Int.random(in: 0..<count, using: &random)
            products[changed].popularity = round
            let after = try FormatTwo(products)
            let gone = Set(before.shards.keys).subtracting(after.shards.keys)
            let new = Set(after.shards.keys).subtracting(before.shards.keys)
            #expect(gone.count == 1 && new.count == 1, "seed \(count), round \(round)")
            before = after
        }
    }
}
