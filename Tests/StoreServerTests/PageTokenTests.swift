import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct PageTokenTests {
    @Test(arguments: [[""], ["a", "b"], ["Á \u{1F642} \"/+?"], ["-inf", "name", "id", "store"], []])
    func aPlaceComesBack(place: [String]) {
        let cursor = PageToken(place)
        #expect(PageToken(cursor.text) == cursor)
        #expect(cursor.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test(arguments: ["", "a", "????", "e30", "WzFd", "null"])
    func whatIsNoCursorIsNone(text: String) {
        #expect(PageToken(text) == nil)
    }

    @Test(arguments: ["", "a=1", "a=1&b=2", "a", "a=", "%61=%2b", "a=1+2", "&&a=b&"])
    func parametersAreDecodedOnce(query: String) throws {
        let expected: [String: [String: String]] = [
            "": [:], "a=1": ["a": "1"], "a=1&b=2": ["a": "1", "b": "2"], "a": ["a": ""], "a=": ["a": ""],
            "%61=%2b": ["a": "+"], "a=1+2": ["a": "1 2"], "&&a=b&": ["a": "b"],
        ]
        #expect(try QueryParameters.read(query) == expected[query])
    }

    @Test(arguments: ["a=1&a=1", "a=%zz", "a=%C3%28", "%=1", "a&a"])
    func parametersThatAreNoneAreRefused(query: String) {
        #expect(throws: ServerError.self) { try QueryParameters.read(query) }
    }
}
