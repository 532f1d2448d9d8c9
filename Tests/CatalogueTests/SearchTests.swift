import FoundationEssentials
import StoreCatalogue
import StoreModel
import Testing

@Suite
struct SearchTests {
    static let catalogue: Catalogue = {
        let json = #"""
            [{"productIdentifier":"org.example.cups","productType":"sticker","productName":{"en":"Cups","pt":"Chávenas"},
              "productResourceURL":"1.zip","tags":["Tea"],"categories":["Food"],"publisher":"Jane Dœ",
              "publishedAt":"2024-01-01T00:00:00Z","popularity":5,"productPrice":"1,99 €"},
             {"productIdentifier":"cats","productType":"sticker","productName":"Žofie's Łovely Cats",
              "productResourceURL":"2.zip",
              "publishedAt":"2024-03-01T00:00:00Z","productPrice":"10 EUR","popularity":"7"},
             {"productIdentifier":"dark","productType":"skin","productName":"Тёмная Ночь","productResourceURL":"3.zip"},
             {"productIdentifier":"gone","productType":"skin","productName":"Gone Cats",
              "productResourceURL":"4.zip","withdrawn":true},
             {"productIdentifier":"broken","productType":"plugin","productName":"Äpfel"}]
            """#
        let url = URL(string: "https://store.example/x.json")!
        guard case .products(let list)? = try? CatalogueDocument.parse(Data(json.utf8), url: url) else {
            preconditionFailure("the test's own document")
        }
        return Catalogue(format: 1, url: url, revision: SHA256Digest(of: json.utf8), list: list)
    }()

    func found(_ query: CatalogueQuery) -> [String] { Self.catalogue.search(query).map(\.productIdentifier) }

    @Test(arguments: [
        ("chavenas", "org.example.cups"), ("CHÁVENAS", "org.example.cups"), ("cha\u{301}venas", "org.example.cups"),
        ("zofie", "cats"), ("lovely", "cats"), ("темная", "dark"), ("НОЧЬ", "dark"), ("apfel", "broken"),
        ("A\u{308}PFEL", "broken"), ("tea", "org.example.cups"), ("food", "org.example.cups"),
        ("jane", "org.example.cups"), ("EXAMPLE.cup", "org.example.cups"),
    ])
    func `case and diacritics do not matter in any language of the name`(word: String, identifier: String) {
        #expect(found(CatalogueQuery(words: [word])) == [identifier])
    }

    @Test(
        arguments: [
            ("org.example.cups", ["org.example.cups"]), ("cups", ["org.example.cups"]),
            ("example.CUPS", ["org.example.cups"]),
            ("chavenas", ["org.example.cups"]), ("cup", []), ("ups", []), ("org", []), ("tea", []), ("cats", ["cats"]),
            ("zofie's lovely cats", ["cats"]), ("lovely", []), ("gone", []), ("", []), (".cups", []),
        ] as [(String, [String])])
    func `a product is named by its identifier, the end of that, or its whole name`(name: String, found: [String]) {
        #expect(self.found(CatalogueQuery(named: name)) == found)
    }

    @Test
    func `categories are counted without case and diacritics, and without withdrawn products`() throws {
        let json = #"""
            [{"productIdentifier":"a","productName":"A","productType":"sticker","productResourceURL":"a.zip",
              "categories":["Cafés","Cups","cups"]},
             {"productIdentifier":"b","productName":"B","productType":"skin","productResourceURL":"b.zip",
              "categories":["CAFES"]},
             {"productIdentifier":"c","productName":"C","productType":"skin","productResourceURL":"c.zip",
              "categories":["Cats","Cups"],"withdrawn":true},
             {"productIdentifier":"d","productName":"D","productType":"skin","productResourceURL":"d.zip"}]
            """#
        let url = try #require(URL(string: "https://store.example/x.json"))
        guard case .products(let list) = try CatalogueDocument.parse(Data(json.utf8), url: url) else {
            return #expect(Bool(false), "the test's own document")
        }
        var counts = CategoryCounts()
        counts.add(Catalogue(format: 1, url: url, revision: SHA256Digest(of: json.utf8), list: list))
        #expect(
            counts.categories == [
                ProductCategory(name: "Cafés", products: 2), ProductCategory(name: "Cups", products: 1),
            ])
        counts.add(Self.catalogue)
        #expect(counts.categories.map(\.name) == ["Cafés", "Cups", "Food"])
    }

    @Test
    func `every word must match somewhere`() {
        #expect(found(CatalogueQuery(words: ["cups", "tea"])) == ["org.example.cups"])
        #expect(found(CatalogueQuery(words: ["cups tea"])) == ["org.example.cups"])
        #expect(found(CatalogueQuery(words: ["cups", "cats"])) == [])
        #expect(found(CatalogueQuery(words: ["", " "])).count == 4)
    }

    @Test
    func `kind, category and price restrict the results, and withdrawn products do not match`() {
        #expect(found(CatalogueQuery(kind: .skin)) == ["dark"])
        #expect(found(CatalogueQuery(category: "food")) == ["org.example.cups"])
        #expect(found(CatalogueQuery(category: "foo")) == [])
        #expect(found(CatalogueQuery(freeOnly: true)) == ["broken", "dark"])
        #expect(found(CatalogueQuery(words: ["gone"])) == [])
        #expect(Self.catalogue["gone"]?.withdrawn == true)
        #expect(Self.catalogue["nothing"] == nil)
    }

    @Test
    func `results have the requested order`() {
        #expect(found(CatalogueQuery(sort: .name)) == ["broken", "org.example.cups", "cats", "dark"])
        let languages = ["pt"]
        #expect(found(CatalogueQuery(words: ["c"], languages: languages)) == ["org.example.cups", "cats"])
        #expect(found(CatalogueQuery(sort: .newest)) == ["cats", "org.example.cups", "broken", "dark"])
        #expect(found(CatalogueQuery(sort: .popular)) == ["cats", "org.example.cups", "broken", "dark"])
        #expect(found(CatalogueQuery(sort: .price)) == ["broken", "dark", "org.example.cups", "cats"])
    }
}
