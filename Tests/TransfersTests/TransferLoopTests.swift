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
    @Test func `a transfer that waits for no other is ended, and the next one opens its own connection`() async throws {
        let origin = try Origin()
        origin.scriptConnections([.stallBeforeAnswer, .close])
        let url = try #require(URL(string: "https://127.0.0.1:\(origin.port)/a"))
        let multi = try #require(curl_multi_init())
        let address = UInt(bitPattern: multi)
        let lost = try #require(EasyHandle())
        #expect(
            lost.prepare(
                TransferJob(TransferRequest(url, timeouts: .init(connect: nil))), TransferConfiguration(),
                awaitsMultiplexing: false) == CURLE_OK)
        curl_multi_add_handle(multi, lost.raw)
        try await eventually {
            var running: Int32 = 0
            curl_multi_perform(UnsafeMutableRawPointer(bitPattern: address), &running)
            return origin.connectionCount == 1
        }
        let commands = CommandQueue(multi: address)
        try SystemThread.start {
            guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
            TransferLoop(
                multi: multi, commandQueue: commands, configuration: TransferConfiguration(), received: ReceivedBytes()
            ).run()
        }
        func fetch(connect: Duration) async -> StoreError? {
            await transferError {
                let request = TransferRequest(url, timeouts: .init(connect: connect, answer: nil, stall: nil))
                _ = try await withCheckedThrowingContinuation { continuation in
                    _ = commands.enqueue(
                        .start(TransferJob(request)) { DocumentSink(request, limit: 1000, waiting: continuation) })
                }
            }
        }

        let waited = await fetch(connect: .milliseconds(200))
        #expect(waited?.code == .transferTimeout)
        #expect(waited?.isTransient == true)
        #expect(waited?.description.contains("got no connection within") == true, "\(String(describing: waited))")
        #expect(origin.connectionCount == 1)

        // The server resets the second connection, before or after the first message of the handshake.
        let connected = await fetch(connect: .seconds(3600))
        #expect(
            connected.map { [.transferTLS, .transferInterrupted, .transferUnreachable].contains($0.code) } == true,
            "\(String(describing: connected))")
        #expect(origin.connectionCount == 2)
        commands.enqueue(.stop)
        await commands.waitUntilEnded()
        withExtendedLifetime(lost) {}
    }
}
