import FoundationEssentials
import Testing

@testable import StoreServer

@Suite struct LineLogTests {
    private let time = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func `a message is one line with its metadata in order`() {
        let line = LineLogHandler.line(
            time: time, level: .warning, message: "Odd.", metadata: ["path": "/a b", "code": "x.y", "none": ""])
        #expect(line == #"2023-11-14T22:13:20Z warning Odd. code=x.y none="" path="/a b""#)
    }

    @Test func `control characters are escaped`() {
        let line = LineLogHandler.line(
            time: time, level: .info, message: "two\nlines\u{1B}[31m", metadata: ["id": "a\"b\nc"])
        #expect(line == #"2023-11-14T22:13:20Z info two\nlines\u{1b}[31m id="a\"b\nc""#)
    }
}
