import FoundationEssentials
import StoreModel
import Testing

@Suite struct MirrorCopyTests {
    private func copies(_ file: String, of archive: String, mirrors: [String]) throws -> [String] {
        var item = ProductItem(productIdentifier: "a", kind: .sticker, productName: "A", productPrice: .free)
        item.resource = ContentReference(url: try #require(URL(string: archive)))
        item.mirrors = mirrors.compactMap { URL(string: $0) }
        return item.copies(of: ContentReference(url: try #require(URL(string: file)))).map(\.absoluteString)
    }

    @Test func `a mirror has the files beside the archive at the same path`() throws {
        #expect(
            try copies(
                "https://store.example/cups/tables/1.json", of: "https://store.example/cups/archives/1.zip",
                mirrors: ["https://a.example/copy/archives/1.zip", "http://b.example:8080/cups/archives/1.zip"])
                == ["https://a.example/copy/tables/1.json", "http://b.example:8080/cups/tables/1.json"])
    }

    @Test func `a file elsewhere, and a mirror with other names, have no copies`() throws {
        #expect(
            try copies(
                "https://other.example/1.json", of: "https://store.example/archives/1.zip",
                mirrors: ["https://a.example/archives/1.zip", "https://a.example/elsewhere.bin"]
            ).isEmpty)
        #expect(
            try copies(
                "https://store.example/1.json", of: "https://store.example/1.zip", mirrors: ["file:///x/1.zip"])
                == ["file:///x/1.json"])
        #expect(try copies("https://s.example/1.json", of: "https://s.example/1.zip", mirrors: []).isEmpty)
    }
}
