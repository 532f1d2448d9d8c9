import FoundationEssentials
import StoreCCurl
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreTransfers

/// The event loop with a libcurl that serves a transfer to no end.
@Suite(.hangGuard) struct TransferLoopTests {
    /// A connection that is not the loop's stands for one that libcurl lost sight of: the transfer waits for the end of
    /// its TLS handshake, which never comes.
    @Test func `a transfer that waits for a connection to no end is ended`() async throws {
        let origin = try Origin()
        origin.scriptConnections([.stallBeforeAnswer])
        let url = try #require(URL(string: "https://127.0.0.1:\(origin.port)/a"))
        try #require(CurlLibrary.load())
        let multi = try #require(ccurl_multi_init())
        let address = UInt(bitPattern: multi)
        let lost = try #require(EasyHandle())
        #expect(
            lost.prepare(
                TransferJob(TransferRequest(url, timeouts: .init(connect: nil))), TransferConfiguration()) == CURLE_OK)
        ccurl_multi_add_handle(multi, lost.raw)
        try await eventually {
            var running: Int32 = 0
            ccurl_multi_perform(UnsafeMutableRawPointer(bitPattern: address), &running)
            return origin.connectionCount == 1
        }
        let commands = CommandQueue()
        commands.threadDidStart(multi: address)
        try SystemThread.start {
            guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
            TransferLoop(
                multi: multi, commandQueue: commands, configuration: TransferConfiguration(), received: ReceivedBytes()
            ).run()
        }
        let timeouts = TransferTimeouts(connect: .milliseconds(200), answer: nil, stall: nil)
        let request = TransferRequest(url, timeouts: timeouts)
        let waited = await transferError {
            _ = try await withCheckedThrowingContinuation { continuation in
                _ = commands.enqueue(
                    .start(TransferJob(request)) { DocumentSink(request, limit: 1000, waiting: continuation) })
            }
        }
        #expect(waited?.code == .transferTimeout)
        #expect(waited?.isTransient == true)
        #expect(waited?.description.contains("got no connection within") == true, "\(String(describing: waited))")
        #expect(origin.connectionCount == 1)

        commands.enqueue(.stop)
        await commands.waitUntilEnded()
        withExtendedLifetime(lost) {}
    }
}
