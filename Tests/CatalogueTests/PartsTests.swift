import FoundationEssentials
import StoreModel
import Testing

@testable import StoreCatalogue

@Suite struct PartsTests {
    private let url = URL(string: "https://store.example/catalogue.json")!

    /// Returns a catalogue of products with these identifiers.
    private func catalogue(_ identifiers: String...) throws -> Catalogue {
        let products = identifiers.map { #"{"productIdentifier":"\#($0)","productName":"A","productType":"sticker"}"# }
        let data = Data("[\(products.joined(separator: ","))]".utf8)
        guard case .products(let list) = try CatalogueDocument.parse(data, url: url) else {
            throw StoreError(.unexpectedError, ["error": "no list of products"])
        }
        return Catalogue(
            format: 2, url: url, revision: SHA256Digest(of: data), list: list, memory: 100 * identifiers.count)
    }

    private func refuse(_ identifier: String) throws(StoreError) {
        if identifier.hasPrefix("b.") { throw StoreError(.unexpectedError, ["error": "\(identifier)"]) }
    }

    @Test func `parts are merged, and only a refused product is left out`() throws {
        var parts = CatalogueParts(limits: .standard)
        try parts.append(catalogue("a.1", "b.1")) { _ in }
        try parts.append(catalogue("c.1", "b.2"), accept: refuse)
        let merged = try #require(parts.catalogue)
        #expect(merged.products.map(\.productIdentifier) == ["a.1", "b.1", "c.1"])
        #expect(merged["c.1"] != nil && merged["b.2"] == nil)
        #expect(parts.refusals.count == 1 && parts.refusals[0].contains("b.2"))
    }

    @Test func `the revision changes with a part and with what is left out`() throws {
        func revision(_ accept: (String) throws(StoreError) -> Void, _ second: Catalogue? = nil) throws -> SHA256Digest?
        {
            var parts = CatalogueParts(limits: .standard)
            try parts.append(catalogue("a.1", "b.1"), accept: accept)
            if let second { try parts.append(second) { _ in } }
            return parts.catalogue?.revision
        }
        let all = try revision { _ in }
        #expect(try revision(refuse) != all)
        #expect(try revision({ _ in }, catalogue("c.1")) != revision({ _ in }, catalogue("c.2")))
        #expect(try all == catalogue("a.1", "b.1").revision)
    }

    @Test func `a part that exceeds a limit of the whole is left out`() throws {
        var parts = CatalogueParts(limits: CatalogueLimits(products: 3))
        try parts.append(catalogue("a.1", "a.2")) { _ in }
        #expect(throws: StoreError.self) { try parts.append(catalogue("c.1", "c.2")) { _ in } }
        try parts.append(catalogue("d.1")) { _ in }
        #expect(parts.catalogue?.products.count == 3)
        var small = CatalogueParts(limits: CatalogueLimits(memory: 150))
        try small.append(catalogue("a.1")) { _ in }
        #expect(throws: StoreError.self) { try small.append(catalogue("c.1")) { _ in } }
    }
}
