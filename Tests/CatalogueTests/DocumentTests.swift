import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreTestSupport
import Testing

@Suite
struct DocumentTests {
    static let url = URL(string: "https://store.example/catalogue.json")!

    /// Returns an index with one shard.
    static func index(url: String = "x", size: Int = 1, sha256: String = zeros, products: Int = 1) -> String {
        let shard = #"{"url":"\#(url)","size":\#(size),"sha256":"\#(sha256)","products":\#(products)}"#
        return #"{"format":2,"products":1,"shards":[\#(shard)]}"#
    }
    static let zeros = String(repeating: "0", count: 64)

    func code(_ text: String, limits: CatalogueLimits = .standard) -> (ErrorCode, String)? {
        do {
            _ = try CatalogueDocument.parse(Data(text.utf8), url: Self.url, limits: limits)
            return nil
        } catch {
            return (error.code, error.message)
        }
    }

    @Test
    func `a web page is recognized as one`() {
        let found = code("\u{FEFF}\n <!DOCTYPE html><html><body>Not found</body></html>")
        #expect(found?.0 == .catalogueMalformed)
        #expect(found?.1.contains("web page") == true)
        #expect(found?.0.exitCode == .refused)
    }

    @Test(arguments: [
        "", "   ", "hello", "17", "null", #""text""#, "{}", "[", #"{"products":"#, #"{"products":{}}"#, "[1 2]",
        #"{"products":[{"productIdentifier":"a"}]"#, #"{"format":2}"#, #"{"format":2,"products":1,"shards":[{}]}"#,
        #"{"format":2,"products":1,"shards":{}}"#, #"{"format":2,"products":[]}"#,
        index(size: -1), index(sha256: "00"), index(url: "file:///x"), index(products: -1),
    ])
    func `a document that is no catalogue is malformed`(text: String) {
        #expect(code(text)?.0 == .catalogueMalformed)
    }

    @Test(arguments: [
        #"{"products":[],"products":[]}"#,
        #"[{"productIdentifier":"a","productPrice":"0","productPrice":"9 EUR"}]"#,
        #"[{"productIdentifier":"a","permissions":[],"permissions":["network"]}]"#,
    ])
    func `a document in which a member occurs twice is malformed`(text: String) {
        #expect(code(text)?.0 == .catalogueMalformed)
        #expect(code(text)?.1.contains("occurs twice") == true)
    }

    @Test
    func `an unknown format is refused`() {
        #expect(code(#"{"format":3,"products":[]}"#)?.0 == .catalogueUnsupportedFormat)
        #expect(code(#"{"format":"2.1","products":[]}"#)?.0 == .catalogueUnsupportedFormat)
    }

    @Test
    func `endless nesting is refused before parsing`() {
        for opening in ["[", #"{"a":"#] {
            let text = "[" + String(repeating: opening, count: 200_000)
            #expect(code(text)?.0 == .catalogueMalformed)
            #expect(code(text)?.1.contains("nested") == true)
        }
        // Brackets in strings do not count as nesting.
        #expect(code(#"[{"productName":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"{{{{"}]"#) == nil)
    }

    @Test
    func `too many bytes, values, products and shards are refused`() {
        let small = CatalogueLimits(documentSize: 100, totalSize: 50, products: 3, shards: 2, values: 20, nesting: 8)
        #expect(code("[" + String(repeating: " ", count: 100) + "]", limits: small)?.0 == .catalogueTooLarge)
        #expect(code("[0" + String(repeating: ",0", count: 20) + "]", limits: small)?.0 == .catalogueTooLarge)
        #expect(code("[{},{},{},{}]", limits: small)?.0 == .catalogueTooLarge)
        #expect(code("[{},{},{}]", limits: small) == nil)
        func index(_ shards: [(size: Int, products: Int)]) -> String {
            let list = shards.map {
                #"{"url":"a.json","size":\#($0.size),"sha256":"\#(Self.zeros)","products":\#($0.products)}"#
            }
            return #"{"format":2,"products":0,"shards":[\#(list.joined(separator: ","))]}"#
        }
        let limits = CatalogueLimits(documentSize: 1000, totalSize: 50, products: 3, shards: 2)
        #expect(code(index([(25, 1), (25, 2)]), limits: limits) == nil)
        #expect(code(index([(26, 1), (25, 2)]), limits: limits)?.0 == .catalogueTooLarge)
        #expect(code(index([(25, 2), (25, 2)]), limits: limits)?.0 == .catalogueTooLarge)
        #expect(code(index([(1, 1), (1, 1), (1, 1)]), limits: limits)?.0 == .catalogueTooLarge)
        // The sums must not overflow.
        #expect(code(index([(1, Int.max), (1, Int.max)]), limits: limits)?.0 == .catalogueTooLarge)
        #expect(code(index([(Int.max, 1), (Int.max, 1)]), limits: limits)?.0 == .catalogueTooLarge)
    }

    @Test
    func `random damage to a document leads to an error or a list`() {
        let good = Array(
            #"{"products":[{"productIdentifier":"a","productName":{"en":"A"},"tags":["x"]},{"b":null}]}"#.utf8)
        var random = SeededGenerator(seed: 20_240_611)
        for _ in 0..<2_000 {
            var bytes = good
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array(#"{}[]",:0n"#.utf8).randomElement(using: &random)!, at: place)
                }
            }
            do {
                _ = try CatalogueDocument.parse(Data(bytes), url: Self.url)
            } catch {
                #expect(
                    [.catalogueMalformed, .catalogueUnsupportedFormat].contains(error.code),
                    "seed 20240611: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}
