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
