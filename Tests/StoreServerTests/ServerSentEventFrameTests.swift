import FoundationEssentials
import NIOCore
import StoreModel
import Testing

@testable import StoreServer

@Suite struct ServerSentEventFrameTests {
    private func frame(_ sequence: UInt64, _ json: Data) -> String {
        var frame = ByteBuffer()
        ServerSentEventStream.addFrame(sequence: sequence, json: json, to: &frame)
        return String(buffer: frame)
    }

    @Test func `a message has the number of the event and one line of data`() {
        #expect(frame(42, Data(#"{"a":1}"#.utf8)) == "id: 42\ndata: {\"a\":1}\n\n")
    }

    @Test func `line breaks in texts are escaped`() throws {
        let status = DownloadStatus(
            operation: OperationID(rawValue: "1"), action: .install, productIdentifier: "a\nb\r\nc", store: "s")
        let event = Event(sequence: 1, time: Date(timeIntervalSince1970: 0), happening: .download(status))
        let frame = frame(1, try JSON.encode(event))
        #expect(frame.utf8.filter { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.count == 3)
    }
}
