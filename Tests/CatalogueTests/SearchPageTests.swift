import FoundationEssentials
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCatalogue

/// Pages of results, compared with sorting all results.
@Suite struct SearchPageTests {
    /// Returns a catalogue of products with few different names, dates, prices and numbers.
    private func catalogue(_ count: Int, _ random: inout SeededGenerator) throws -> Catalogue {
        let products = (0..<count).map { number in
            let name = ["Cups", "cats", "Ärger", "Zoo", "cûps"].randomElement(using: &random)!
            let popularity = Int.random(in: 0...3, using: &random)
            let price = ["free", "1 EUR", "0.5", "ask"].randomElement(using: &random)!
            return """
                {"productIdentifier":"p\(number)","productName":{"en":"\(name)","de":"\(number % 7) \(name)"},
                 "productType":"sticker","productResourceURL":"\(number).zip","popularity":\(popularity),
                 "productPrice":"\(price)","publishedAt":"2024-01-0\(1 + number % 3)T00:00:00Z",
                 "withdrawn":\(Int.random(in: 0..<20, using: &random) == 0)}
                """
        }
        let json = "[\(products.joined(separator: ","))]"
        let url = URL(string: "https://store.example/x.json")!
        guard case .products(let list) = try CatalogueDocument.parse(Data(json.utf8), url: url) else {
            throw StoreError(.catalogueEmpty, ["document": url])
        }
        return Catalogue(format: 1, url: url, revision: SHA256Digest(of: json.utf8), list: list)
    }

    /// Searches with few and with many results, in pages that are smaller and larger than a result.
    @Test(arguments: [300, 5000], SearchOrder.allCases)
    func `pages one after another are all results in their order`(count: Int, sort: SearchOrder) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let catalogue = try catalogue(count, &random)
        let searches: [(words: [String], languages: [String])] = [
            ([], ["en"]), (["c"], ["de"]), (["cups"], []), (["ä"], ["de", "en"]), (["p1"], ["en"]),
        ]
        for (words, languages) in searches {
            let query = CatalogueQuery(words: words, sort: sort, languages: languages)
            let expected = catalogue.search(query, in: "shop", after: nil, limit: .max)
            #expect(zip(expected, expected.dropFirst()).allSatisfy { $0.cursor < $1.cursor }, "seed \(seed)")
            #expect(expected.allSatisfy { !catalogue.products[$0.position].withdrawn })
            let limit = Int.random(in: 1...900, using: &random)
            var all: [Int] = []
            var after: SearchCursor?
            while true {
                let page = catalogue.search(query, in: "shop", after: after, limit: limit)
                #expect(page.count <= limit)
                all += page.map(\.position)
                guard let last = page.last else { break }
                after = last.cursor
            }
            #expect(all == expected.map(\.position), "\(words) in pages of \(limit), seed \(seed)")
        }
    }

    @Test func `no more than some orders are kept, and each is right`() throws {
        var random = SeededGenerator(seed: 1)
        let catalogue = try catalogue(1000, &random)
        for _ in 0..<2 {
            for language in ["de", "en", "fr", "es", "ca", "ar"] {
                let query = CatalogueQuery(languages: [language])
                let all = catalogue.search(query, in: "", after: nil, limit: .max)
                let page = catalogue.search(query, in: "", after: nil, limit: 50)
                #expect(page.map(\.position) == all.prefix(50).map(\.position), "\(language)")
            }
        }
    }
}
