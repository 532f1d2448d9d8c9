import FoundationEssentials
import Testing

@testable import StoreServer

@Suite struct ResponseCacheTests {
    private let documents = ResponseCache<Int>()

    /// Requests a document from the cache.
    ///
    /// - Returns: the document, and whether it had to be encoded.
    private func ask(_ query: String, languages: [String] = [], mark: Int, for text: String) -> (String, made: Bool) {
        var made = false
        let document = documents.document(for: .init(query: query, languages: languages), version: mark) {
            made = true
            return Data(text.utf8)
        }
        return (String(buffer: document.bytes), made)
    }

    @Test func `a document is encoded again when its version changes`() {
        #expect(ask("", mark: 1, for: "a") == ("a", true))
        #expect(ask("", mark: 1, for: "b") == ("a", false))
        #expect(ask("", mark: 2, for: "c") == ("c", true))
        #expect(ask("", mark: 2, for: "d") == ("c", false))
        // An earlier version is not cached any more.
        #expect(ask("", mark: 1, for: "e") == ("e", true))
    }

    @Test func `each query and language has an entry of its own`() {
        #expect(ask("kind=skin", mark: 1, for: "a") == ("a", true))
        #expect(ask("kind=skin", languages: ["pt"], mark: 1, for: "b") == ("b", true))
        #expect(ask("kind=skin", mark: 1, for: "c") == ("a", false))
        #expect(ask("kind=skin", languages: ["pt"], mark: 1, for: "d") == ("b", false))
    }

    @Test func `the least recently used entries are evicted`() {
        for number in 0..<100 { #expect(ask("after=\(number)", mark: 1, for: "a").made) }
        #expect(!ask("after=99", mark: 1, for: "a").made)
        #expect(ask("after=0", mark: 1, for: "a").made)
    }

    @Test func `a failed encoding is not cached`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try documents.document(for: .init(query: "", languages: []), version: 1) { throw Failure() }
        }
        #expect(ask("", mark: 1, for: "a") == ("a", true))
    }
}
