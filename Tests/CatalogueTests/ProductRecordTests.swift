import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreCatalogue

/// The compact form in which catalogues hold products in memory.
@Suite struct ProductRecordTests {
    /// Returns a product with every property.
    private static func full(_ number: Int) -> ProductItem {
        let digest = SHA256Digest(of: [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)])
        func file(_ name: String, named: Bool = true) -> ContentReference {
            let path = named ? "\(digest.hex)\(name)" : name
            return ContentReference(
                url: URL(string: "https://store.example/content/\(path)")!, size: number, sha256: digest)
        }
        var item = ProductItem(
            productIdentifier: "org.example.p\(number)", kind: .sticker,
            productName: LocalizedText(byLanguage: ["en": "Cups \(number)", "pt": "Chávenas"]),
            version: Version("1.\(number)"), productPrice: Price("2,99 €"), resource: file(".zip"))
        item.entryTable = file(".table.json")
        item.filesSHA256 = number % 3 == 0 ? nil : digest
        item.image = file("image.png", named: false)
        item.details = file("")
        item.sprite = ContentReference(url: URL(string: "http://other.example/?q=%C3%A4&b=%20")!)
        item.previews = [
            file("1.png"), ContentReference(url: URL(string: "https://store.example/content/x")!, size: 0),
        ]
        item.mirrors = [URL(string: "https://a.example/x")!, URL(string: "https://a.example/y/")!]
        item.dependencies = ["a", "b"]
        item.permissions = [.code, Permission(rawValue: "network")]
        item.publisher = "Jane Dœ"
        item.license = "CC-BY-4.0"
        item.authors = ["Jane", "Joe"]
        item.locales = ["pt-BR"]
        item.categories = ["Food", ""]
        item.tags = ["tea", "ÄÖÜ", String(repeating: "t", count: 300)]
        item.publishedAt = Date(timeIntervalSinceReferenceDate: -1.5)
        item.popularity = Int.max
        item.withdrawn = number % 2 == 1
        item.defect = "it has none"
        return item
    }

    private static let bare = ProductItem(
        productIdentifier: "", kind: .skin, productName: LocalizedText(byLanguage: [:]))

    private func list(_ items: [ProductItem]) -> CatalogueProducts {
        var list = CatalogueProducts()
        for item in items { list.append(ProductRecord(item)) }
        list.trim()
        return list
    }

    @Test func `the price of a version is known if the product has it, in any spelling, and is not withdrawn`() {
        var (withdrawn, unversioned) = (Self.full(4), Self.full(6))
        withdrawn.version = Version("1.2")
        withdrawn.withdrawn = true
        unversioned.version = nil
        let items = list([Self.full(2), withdrawn, unversioned, Self.bare]).items
        let offered = ["1.2", "1.2.0", "1.3", "1.20", ""].map { version in
            items.indices.map { items.price(at: $0, of: Version(version)) }
        }
        let (first, none): ([Price?], [Price?]) = ([Price("2,99 €"), nil, nil, nil], [nil, nil, nil, nil])
        #expect(offered == [first, first, none, none, none])
    }

    @Test func `a product is what it was before it was packed`() {
        let items = [Self.full(1), Self.bare, Self.full(1000)]
        let list = list(items)
        #expect(Array(list.items) == items)
        for (packed, item) in zip(list.items, items) {
            // Versions are equal although their texts differ.
            #expect(packed.version?.text == item.version?.text)
            #expect(packed.mirrors.map(\.absoluteString) == item.mirrors.map(\.absoluteString))
            #expect(packed.sprite?.url.absoluteString == item.sprite?.url.absoluteString)
        }
        let summary = list.items.summary(at: 0)
        #expect(summary.productIdentifier == items[0].productIdentifier && summary.resource == items[0].resource)
        #expect(summary.version == items[0].version && summary.defect == items[0].defect)
        #expect(summary.image == items[0].image && summary.publisher == items[0].publisher)
        #expect(summary.mirrors.isEmpty && summary.tags.isEmpty)
    }

    @Test func `an ordinary product with five files takes less than 600 bytes`() {
        var item = Self.full(1)
        (item.previews, item.mirrors, item.tags) = ([], [], ["tea", "cups"])
        item.sprite = item.image
        #expect(ProductRecord(item).memory < 600)
    }

    @Test func `products are found by their identifiers, and those of another document with the same one are left out`()
    {
        let numbers = 0..<3_000
        var first = list(numbers.map(Self.full))
        let second = list((2_990..<3_005).map(Self.full))
        first.append(contentsOf: second)
        #expect(first.items.count == 3_005 && first.searchTexts.count == 3_005)
        #expect(first.warnings.count == 10 && first.warnings[0].contains("org.example.p2990"))
        for number in 0..<3_005 {
            #expect(first.position(of: "org.example.p\(number)") == number)
            #expect(first.items.identifier(at: number) == "org.example.p\(number)")
        }
        #expect(first.position(of: "org.example.p3005") == nil && CatalogueProducts().position(of: "a") == nil)
        #expect(first.items[3_004] == Self.full(3_004))
        // Lists that share memory with another one do not change it.
        first.append(ProductRecord(Self.bare))
        #expect(second.items.count == 15 && second.position(of: "") == nil && first.position(of: "") == 3_005)
    }

    // MARK: Compiled products

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mapped(_ data: Data) throws -> FileBytes {
        try folder.directory.replaceUnsynced("file", with: data)
        return .mapped(try folder.directory.openFile("file").map())
    }

    private static let url = URL(string: "https://store.example/catalogue.json")!
    private static let source = CompiledSource(shard(), .standard)

    private static func shard(
        url: URL = url, size: Int = 9, sha256: SHA256Digest = SHA256Digest(of: [1]), products: Int = 2
    ) -> CatalogueIndex.Shard {
        CatalogueIndex.Shard(url: url, size: size, sha256: sha256, products: products)
    }

    @Test func `compiled products are read unchanged`() throws {
        var products = list((0..<300).map(Self.full) + [Self.bare])
        products.append(ProductRecord(Self.full(7)))
        let file = products.compiled(from: Self.source)
        let budget = CatalogueBudget(.standard)
        let read = try #require(try CatalogueProducts.read(mapped(file), from: Self.source, budget: budget))
        #expect(Array(read.items) == Array(products.items))
        #expect(read.items.withdrawn == 150 && read.warnings == products.warnings && read.warnings.count == 1)
        #expect(read.searchTexts.count == 301)
        #expect((0..<301).allSatisfy { read.searchTexts.string($0) == products.searchTexts.string($0) })
        #expect((0..<300).allSatisfy { (number: Int) in read.position(of: "org.example.p\(number)") == number })
        #expect(read.position(of: "") == 300 && read.position(of: "org.example.p300") == nil)
        #expect(budget.memory == products.items.map { ProductRecord($0).memory }.reduce(0, +))
        let empty = CatalogueProducts().compiled(from: Self.source)
        #expect(try CatalogueProducts.read(mapped(empty), from: Self.source, budget: budget)?.items.isEmpty == true)
    }

    @Test func `a damaged file, and one of another document, URL or limit, count as missing`() throws {
        let file = list([Self.full(1), Self.full(2)]).compiled(from: Self.source)
        func read(_ file: Data, _ source: CompiledSource = Self.source) throws -> CatalogueProducts? {
            try CatalogueProducts.read(mapped(file), from: source, budget: CatalogueBudget(source.limits))
        }
        for length in 0..<file.count { #expect(try read(file.prefix(length)) == nil) }
        for position in file.indices {
            var damaged = file
            damaged[position] ^= 0x40
            #expect(try read(damaged) == nil)
        }
        var limits = CatalogueLimits.standard
        limits.products = 2
        for other in [
            Self.shard(url: Self.url.appending(path: "a")), Self.shard(size: 10), Self.shard(products: 3),
            Self.shard(sha256: SHA256Digest(of: [2])),
        ] { #expect(try read(file, CompiledSource(other, .standard)) == nil) }
        #expect(try read(file, CompiledSource(Self.shard(), limits)) == nil)
        let state = CatalogueCache.State(requestURL: Self.url, url: Self.url, sha256: SHA256Digest(of: [1]))
        #expect(try read(file, CompiledSource(state, .standard)) == nil)
    }

    @Test func `compiled products count for the limits of the catalogue`() {
        let file = list([Self.full(1), Self.full(2)]).compiled(from: Self.source)
        var limits = CatalogueLimits.standard
        limits.products = 1
        #expect {
            try CatalogueProducts.read(mapped(file), from: Self.source, budget: CatalogueBudget(limits))
        } throws: { ($0 as? StoreError)?.code == .catalogueTooLarge }
    }

    /// If this fails, increase `CompiledSource.formatVersion`, and change the hash: a daemon would otherwise use what an
    /// earlier release has compiled.
    @Test func `the compiled format matches its version`() throws {
        let parsed = try CatalogueDocument.parse(
            Data(
                #"""
                {"products": [{"productIdentifier": "org.example.cups", "productName": {"en": "Cups", "pt": "Chávenas"},
                  "productType": "sticker", "productPrice": 1.5, "version": "1.2", "publisher": "Jane", "license": "MIT",
                  "productResourceURL": "a/cups.zip", "productImageURL": "//images.example/c%20.png", "mirrors": ["m/"],
                  "previews": ["1.png"], "tags": ["Tea"], "categories": ["Food"], "permissions": ["code"], "popularity": 7,
                  "publishedAt": "2026-01-02T03:04:05Z", "withdrawn": true, "dependencies": ["b"]}, {}, {"version": 1}]}
                """#.utf8), url: Self.url)
        guard case .products(var products) = parsed else {
            Issue.record("it is no list of products")
            return
        }
        products.append(contentsOf: list([Self.full(1), Self.full(2), Self.bare]))
        let file = products.compiled(from: Self.source)
        #expect(CompiledSource.formatVersion == 3)
        #expect(
            SHA256Digest(of: file.dropFirst(32).dropLast(32)).hex
                == "e25c3567a609e6c402e4a2f14ce484719b3d832b36a0f7690d9dd7d861d60d74")
    }

    @Test func `blocks of bytes keep byte strings of any length`() {
        var random = SeededGenerator(seed: 7)
        let strings = (0..<500).map { number in
            (0..<(number == 250 ? 1_000_000 : Int.random(in: 0...3_000, using: &random))).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        }
        var blocks = ByteBlocks()
        for (number, string) in strings.enumerated() {
            blocks.append(string)
            if number % 100 == 0 { blocks.trim() }
        }
        #expect(blocks.count == strings.count && zip(0..., strings).allSatisfy { blocks.string($0) == $1 })
        var joined = ByteBlocks()
        joined.append([1])
        joined.append(blocks, at: [499, 3])
        joined.append([2])
        #expect((0..<4).map { joined.string($0) } == [[1], strings[499], strings[3], [2]])
        var empty = ByteBlocks()
        empty.append([])
        #expect(empty.count == 1 && empty.string(0) == [])
    }

    @Test func `byte strings in a mapped file are equal to the same ones in memory`() throws {
        var mapped = ByteBlocks(try mapped(Data("one, two, three".utf8)))
        for range in [0..<3, 5..<8, 8..<8] { mapped.append(at: range) }
        var copied = ByteBlocks()
        for text in ["one", "two", ""] { copied.append(text.utf8) }
        #expect(mapped == copied && mapped.hashValue == copied.hashValue)
        // What is appended later is in memory, also an empty string, and the file stays.
        for text in ["", "four"] {
            mapped.append(text.utf8)
            #expect(mapped != copied)
            copied.append(text.utf8)
            #expect(mapped == copied)
        }
        var joined = ByteBlocks()
        joined.append([0])
        joined.append(mapped, at: [4, 1])
        #expect((0..<3).map { joined.string($0) } == [[0], Array("four".utf8), Array("two".utf8)])
    }
}

extension ByteBlocks {
    fileprivate func string(_ index: Int) -> [UInt8] { withBytes(at: index) { Array($0) } }
}
