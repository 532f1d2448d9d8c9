import FoundationEssentials
import StoreModel
import Testing

@testable import StoreTransfers

@Suite struct HeaderTests {
    @Test func `header names are compared regardless of case`() {
        var headers: TransferHeaders = ["Content-Length": "5", "ETag": "\"a\""]
        #expect(headers["content-length"] == "5")
        #expect(headers["CONTENT-LENGTH"] == "5")
        #expect(headers["content_length"] == nil)
        headers["etag"] = "\"b\""
        #expect(headers.map(\.name) == ["Content-Length", "etag"])
        headers["ETAG"] = nil
        #expect(headers["etag"] == nil)
    }

    @Test(
        arguments: [
            ("bytes 0-99/200", 0...99, 200), ("Bytes 5-5/6", 5...5, 6), ("bytes 100-199/*", 100...199, nil),
            ("bytes */200", nil, 200),
        ] as [(String, ClosedRange<Int>?, Int?)])
    func `a Content-Range is parsed`(_ text: String, _ bytes: ClosedRange<Int>?, _ total: Int?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bytes == bytes)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-99", "bytes 99-0/200", "bytes 0-200/200", "bytes -5-9/20", "bytes 0-99/200/300",
        "bytes */*",
        "lines 0-1/2", "bytes +1-2/3", "bytes 0-9/-10", "bytes a-b/c", "bytes 0-99999999999999999999/*",
    ])
    func `an invalid Content-Range is nil`(_ text: String) { #expect(ContentRange(text) == nil) }

    func response(_ headers: TransferHeaders) throws -> TransferResponse {
        TransferResponse(status: 200, headers: headers, effectiveURL: try #require(URL(string: "http://a/")))
    }

    @Test(
        arguments: [
            ("120", .seconds(120)), ("0", .zero), ("-1", nil), ("soon", nil),
            ("Wed, 21 Oct 2015 07:28:30 GMT", .seconds(30)), ("Wed, 21 Oct 2015 07:00:00 GMT", .zero),
            ("Wednesday, 21-Oct-15 07:28:30 GMT", .seconds(30)), ("Wed Oct 21 07:28:30 2015", .seconds(30)),
        ] as [(String, Duration?)])
    func `Retry-After is parsed in all its forms`(_ value: String, _ expected: Duration?) throws {
        let now = Date(timeIntervalSince1970: 1_445_412_480)  // 07:28:00
        #expect(try response(["Retry-After": value]).retryAfter(now: now) == expected)
    }

    @Test func `an invalid length is nil`() throws {
        for value in ["", "-1", "1e3", "0x10", "99999999999999999999"] {
            #expect(try response(["Content-Length": value]).contentLength == nil)
        }
    }

    // MARK: Response heads

    func read(_ lines: [String], followsRedirects: Bool = true) -> (ResponseHeaderParser, [ResponseHeaderParser.Event?])
    {
        var reader = ResponseHeaderParser(followsRedirects: followsRedirects)
        let events = lines.map { line in
            Array((line + "\r\n").utf8).withUnsafeBytes { reader.read($0) }
        }
        return (reader, events)
    }

    @Test func `the last of several responses counts`() {
        let (reader, events) = read([
            "HTTP/1.1 103 Early Hints", "Link: a", "", "HTTP/1.1 302 Found", "Location: /b", "X: 1", "",
            "HTTP/2 200", "etag:\t \"a\" ", "", "Trailer: t", "",
        ])
        #expect(events[2] == .more)
        #expect(events[6] == .redirect)
        #expect(events[9] == .complete)
        #expect(events[11] == .more)
        #expect(reader.status == 200)
        #expect(reader.headers["etag"] == "\"a\"")
        #expect(reader.headers["location"] == nil)
        #expect(reader.headers["trailer"] == nil)
    }

    @Test func `a redirect that is not followed is a response`() {
        #expect(read(["HTTP/1.1 302 Found", "Location: /b", ""], followsRedirects: false).1.last == .complete)
        #expect(read(["HTTP/1.1 304 Not Modified", ""]).1.last == .complete)
    }

    @Test func `endless headers are refused`() {
        var reader = ResponseHeaderParser(followsRedirects: true)
        let line = Array("X: \(String(repeating: "a", count: 1000))\r\n".utf8)
        let taken = (0..<1000).prefix { _ in line.withUnsafeBytes { reader.read($0) } != nil }.count
        #expect(taken == ResponseHeaderParser.sizeLimit / line.count)
    }

    @Test func `messages contain no secret of a URL`() throws {
        let url = try #require(URL(string: "https://user:pass@host:8443/a%20b?token=t#f"))
        #expect(url.withoutSecrets == "https://host:8443/a%20b")
        #expect(try #require(URL(string: "https://user@host/a")).withoutSecrets == "https://host/a")
    }
}
