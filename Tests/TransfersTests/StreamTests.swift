import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite struct StreamTests {
    let engine: TransferEngine
    let origin: Origin

    init() throws {
        engine = try TransferEngine(configuration: TransferConfiguration(connectionsPerHost: nil))
        origin = try Origin()
    }

    @Test func `a body is streamed in pieces to its end`() async throws {
        let bytes = OriginBytes.random(3_000_000)
        origin.serve("/a", bytes)
        let (response, body) = try await engine.stream(TransferRequest(origin.url("/a")))
        #expect(response.status == 200)
        var received: [UInt8] = []
        for try await piece in body { received += piece }
        #expect(received == bytes)
    }

    @Test func `headers are delivered before the body`() async throws {
        origin.serve("/events", "data: one\n\n")
        origin.script("/events", [[.chunked, .stallAfter(0)]])
        let request = TransferRequest(origin.url("/events"), timeouts: .patient)
        let (response, body) = try await engine.stream(request)
        #expect(response.status == 200)
        origin.release()
        var received: [UInt8] = []
        for try await piece in body { received += piece }
        #expect(String(decoding: received, as: UTF8.self) == "data: one\n\n")
    }

    @Test func `a slow reader makes the server wait`() async throws {
        origin.serve("/a", OriginBytes.random(1 << 20))
        origin.always("/a", .endless)
        origin.serve("/b", "b")
        try await withGrowingTimeLimit { limit in
            let (_, body) = try await engine.stream(TransferRequest(origin.url("/a"), timeouts: .all(limit)))
            // A paused transfer must not stall while another one continues for longer than the stall limit.
            origin.always("/b", .delay(limit * 2))
            let patient = TransferTimeouts(connect: nil, answer: nil, stall: nil)
            _ = try await engine.fetch(TransferRequest(origin.url("/b"), timeouts: patient))
            var count = 0
            var largest = 0
            for try await piece in body {
                largest = max(largest, piece.count)
                count += piece.count
                if count > 20 << 20 { break }
            }
            #expect(count > 20 << 20)
            #expect(largest <= StreamBuffer.capacity + (64 << 10))
        }
    }

    @Test func `a slow reader gets every byte in order`() async throws {
        let bytes = OriginBytes.random(5_000_000)
        origin.serve("/a", bytes)
        let (_, body) = try await engine.stream(TransferRequest(origin.url("/a")))
        var received: [UInt8] = []
        for try await piece in body {
            received += piece
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(received == bytes)
    }

    @Test func `releasing the body closes the connection`() async throws {
        origin.always("/a", .endless, .rate(10_000))
        origin.serve("/a", OriginBytes.random(1000))
        do {
            let (_, body) = try await engine.stream(TransferRequest(origin.url("/a"), timeouts: .patient))
            for try await _ in body { break }
        }
        await origin.untilNoConnection()
    }

    @Test func `cancelling the reader ends the connection`() async throws {
        origin.serve("/a", "never")
        origin.always("/a", .stallAfter(0))
        let (_, body) = try await engine.stream(TransferRequest(origin.url("/a"), timeouts: .patient))
        let reader = Task { for try await _ in body {} }
        await origin.untilStalled()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await origin.untilNoConnection()
    }

    @Test func `a broken stream fails after its received bytes`() async throws {
        origin.serve("/a", OriginBytes.random(1000))
        origin.always("/a", .chunked, .resetAfter(400))
        let (_, body) = try await engine.stream(TransferRequest(origin.url("/a")))
        let received = Mutex(0)
        let error = await transferError { for try await piece in body { received.withLock { $0 += piece.count } } }
        #expect(error?.code == .transferInterrupted)
        #expect(received.withLock { $0 } == 400)
    }

    @Test func `a stream has a size limit`() async throws {
        origin.serve("/a", OriginBytes.random(1000))
        origin.always("/a", .endless)
        let (_, body) = try await engine.stream(TransferRequest(origin.url("/a"), sizeLimit: 1_000_000))
        let error = await transferError { for try await _ in body {} }
        #expect(error?.code == .transferTooLong)
    }

    @Test func `a refusal is a response, and silence is an error`() async throws {
        let (response, _) = try await engine.stream(TransferRequest(origin.url("/missing")))
        #expect(response.status == 404)
        origin.always("/silent", .close)
        let error = await transferError { _ = try await engine.stream(TransferRequest(origin.url("/silent"))) }
        #expect(error?.code == .transferInterrupted)
    }
}
