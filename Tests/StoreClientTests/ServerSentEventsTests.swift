import Testing

@testable import StoreClient

@Suite struct ServerSentEventsTests {
    private static let stream =
        "id: 7\ndata: {\"a\":1}\n\n: \n\nid: 8\r\ndata: one\r\ndata: two\r\n\r\nretry: 5\ndata:x\n\ndata: never ended"

    private static let expected = [
        ServerSentEvents.Message(id: "7", data: "{\"a\":1}"),
        ServerSentEvents.Message(id: "8", data: "one\ntwo"),
        ServerSentEvents.Message(id: nil, data: "x"),
    ]

    @Test func `messages are parsed completely`() {
        var parser = ServerSentEvents()
        #expect(parser.take(Self.stream.utf8) == Self.expected)
    }

    @Test func `messages are parsed whatever chunks they are received in`() {
        let bytes = Array(Self.stream.utf8)
        for cut in bytes.indices {
            var parser = ServerSentEvents()
            let messages = parser.take(bytes[..<cut]) + parser.take(bytes[cut...])
            #expect(messages == Self.expected, "cut at \(cut)")
        }
    }

    @Test func `comments and empty lines are ignored`() {
        var parser = ServerSentEvents()
        #expect(parser.take(": \n\n\n\n:heartbeat\n\n".utf8).isEmpty)
    }

    @Test func `a message without an end is detected`() {
        var parser = ServerSentEvents(longest: 100)
        _ = parser.take("data: \(String(repeating: "x", count: 94))".utf8)
        #expect(!parser.isOverlong)
        _ = parser.take("x".utf8)
        #expect(parser.isOverlong)
    }
}
