import Testing

@testable import StoreClient

@Suite struct HTTPResponseParserTests {
    /// Tests every chunk size.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a: b\"\r\n\r\nhello", "hello"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nSum: 1\r\n\r\n",
            "hello"
        ),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length:5\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello"),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""), ("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", ""),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", ""),
    ])
    func `a response is complete at its end, whatever chunks it is received in`(text: String, body: String) throws {
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var parser = HTTPResponseParser()
            var found: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                #expect(!parser.isComplete)
                found += try parser.take(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(parser.isComplete && parser.head != nil)
            #expect(String(decoding: found, as: UTF8.self) == body)
        }
    }

    @Test func `header fields are found regardless of case`() throws {
        var parser = HTTPResponseParser()
        let body = try parser.take(Array("HTTP/1.1 404 No\r\nX-A:\t b: c\r\n\r\n".utf8))
        #expect(body.isEmpty)
        #expect(parser.head?.status == 404)
        #expect(parser.head?["x-a"] == "b: c" && parser.head?["X-A"] == "b: c" && parser.head?["b"] == nil)
    }

    @Test func `a response without a length ends with the connection`() throws {
        var parser = HTTPResponseParser()
        let first = try parser.take(Array("HTTP/1.1 200 OK\r\n\r\nhel".utf8))
        let second = try parser.take(Array("lo".utf8))
        #expect(first + second == Array("hello".utf8))
        #expect(!parser.isComplete)
        let isWhole = parser.end()
        #expect(isWhole)
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    ])
    func `a truncated response is incomplete`(text: String) throws {
        var parser = HTTPResponseParser()
        _ = try parser.take(Array(text.utf8))
        let isWhole = parser.end()
        #expect(!isWhole)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 abc\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
    ])
    func `a malformed response is refused`(text: String) {
        var parser = HTTPResponseParser()
        #expect(throws: HTTPResponseParser.Malformed.self) { _ = try parser.take(Array(text.utf8)) }
    }

    @Test func `an endless head is refused`() {
        var parser = HTTPResponseParser()
        #expect(throws: HTTPResponseParser.Malformed.self) {
            _ = try parser.take(Array("HTTP/1.1 200 OK\r\n".utf8))
            while true { _ = try parser.take([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)) }
        }
    }
}
