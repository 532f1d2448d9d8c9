import FoundationEssentials
import Testing

@testable import StoreServer

@Suite struct ResponseCacheTests {
    private let cache = ResponseCache<Int>()

    /// Requests a document from the cache.
    ///
    /// - Returns: the document, and whether it had to be encoded.
    private func document(_ query: String, languages: [String] = [], version: Int, for text: String) -> (
        String, wasEncoded: Bool
    ) {
        var wasEncoded = false
        let document = cache.document(for: .init(query: query, languages: languages), version: version) {
            wasEncoded = true
            return Data(text.utf8)
        }
        return (String(buffer: document.bytes), wasEncoded)
    }

    @Test func `a document is encoded again when its version changes`() {
        #expect(document("", version: 1, for: "a") == ("a", true))
        #expect(document("", version: 1, for: "b") == ("a", false))
        #expect(document("", version: 2, for: "c") == ("c", true))
        #expect(document("", version: 2, for: "d") == ("c", false))
        // An earlier version is not cached any more.
        #expect(document("", version: 1, for: "e") == ("e", true))
    }

    @Test func `each query and language has an entry of its own`() {
        #expect(document("kind=skin", version: 1, for: "a") == ("a", true))
        #expect(document("kind=skin", languages: ["pt"], version: 1, for: "b") == ("b", true))
        #expect(document("kind=skin", version: 1, for: "c") == ("a", false))
        #expect(document("kind=skin", languages: ["pt"], version: 1, for: "d") == ("b", false))
    }

    @Test func `the least recently used entries are evicted`() {
        for number in 0..<100 { #expect(document("after=\(number)", version: 1, for: "a").wasEncoded) }
        #expect(!document("after=99", version: 1, for: "a").wasEncoded)
        #expect(document("after=0", version: 1, for: "a").wasEncoded)
    }

    @Test func `of a long document only the tag is cached`() {
        let long = String(repeating: "a", count: 2 << 20)
        let key = ResponseCache<Int>.Key(query: "", languages: [])
        #expect(cache.tag(for: key, version: 1) == nil)
        #expect(document("", version: 1, for: long).wasEncoded)
        #expect(cache.tag(for: key, version: 1)?.text == EntityTag(of: Data(long.utf8)).text)
        #expect(cache.tag(for: key, version: 2) == nil)
        #expect(document("", version: 1, for: long).wasEncoded)
    }

    @Test func `a failed encoding is not cached`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try cache.document(for: .init(query: "", languages: []), version: 1) { throw Failure() }
        }
        #expect(document("", version: 1, for: "a") == ("a", true))
    }
}
