import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct PageTokenTests {
    @Test(arguments: [[""], ["a", "b"], ["Á \u{1F642} \"/+?"], ["-inf", "name", "id", "store"], []])
    func `a position survives encoding and decoding`(place: [String]) {
        let cursor = PageToken(place)
        #expect(PageToken(cursor.text) == cursor)
        #expect(cursor.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test(arguments: ["", "a", "????", "e30", "WzFd", "null"])
    func `text that is not a token is rejected`(text: String) {
        #expect(PageToken(text) == nil)
    }

    @Test(arguments: ["", "a=1", "a=1&b=2", "a", "a=", "%61=%2b", "a=1+2", "&&a=b&"])
    func `query parameters are decoded once`(query: String) throws {
        let expected: [String: [String: String]] = [
            "": [:], "a=1": ["a": "1"], "a=1&b=2": ["a": "1", "b": "2"], "a": ["a": ""], "a=": ["a": ""],
            "%61=%2b": ["a": "+"], "a=1+2": ["a": "1 2"], "&&a=b&": ["a": "b"],
        ]
        #expect(try QueryParameters.parse(query) == expected[query])
    }

    @Test(arguments: ["a=1&a=1", "a=%zz", "a=%C3%28", "%=1", "a&a"])
    func `malformed and repeated query parameters are rejected`(query: String) {
        #expect(throws: StoreError.self) { try QueryParameters.parse(query) }
    }
}
