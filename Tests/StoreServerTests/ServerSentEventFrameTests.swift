import FoundationEssentials
import StoreModel
import Testing

@testable import StoreServer

@Suite struct ServerSentEventFrameTests {
    @Test func `a message has the number of the event and one line of data`() {
        let frame = ServerSentEventStream.frame(sequence: 42, json: Data(#"{"a":1}"#.utf8))
        #expect(String(buffer: frame) == "id: 42\ndata: {\"a\":1}\n\n")
    }

    @Test func `line breaks in texts are escaped`() throws {
        let status = DownloadStatus(
            operation: OperationID(rawValue: "1"), action: .install, productIdentifier: "a\nb\r\nc", store: "s")
        let event = Event(sequence: 1, time: Date(timeIntervalSince1970: 0), happening: .download(status))
        let frame = String(buffer: ServerSentEventStream.frame(sequence: 1, json: try JSON.encode(event)))
        #expect(frame.utf8.filter { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.count == 3)
    }
}
