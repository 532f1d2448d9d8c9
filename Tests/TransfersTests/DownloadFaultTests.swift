import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreTransfers

/// Tests errors, limits and reused connections, for which `FaultTable` has no row.
///
/// Serialized for machines that allow few open files.
@Suite(.serialized) struct DownloadFaultTests {
    let engine: TransferEngine
    let origin: Origin
    let bytes = OriginBytes.random(600_000)
    var expected: ExpectedContent { ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes)) }

    init() throws {
        engine = TransferEngine()
        origin = try Origin()
        origin.serve("/pack.zip", bytes, etag: "\"one\"")
    }

    @Test func `a body is cut at its declared length`() async throws {
        origin.script("/pack.zip", [[.long(by: 5000)]])
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(TransferRequest(origin.url("/pack.zip")), into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
        // The rest on the connection may be mistaken for the start of the next response if it arrives late; another
        // attempt on another connection must follow.
        do {
            _ = try await engine.fetch(TransferRequest(origin.url("/pack.zip")))
        } catch let error as StoreError {
            #expect(error.isTransient)
        }
        #expect(Array(try await engine.fetch(TransferRequest(origin.url("/pack.zip"))).body) == bytes)
    }

    @Test func `a complete file is accepted though the transfer's end is missing`() async throws {
        origin.always("/pack.zip", .chunked, .stallAfter(600_000))
        let request = TransferRequest(origin.url("/pack.zip"), timeouts: .quick)
        let partial = PartialFile(try scratchFile())
        // On a busy machine the time limit may pass before all bytes are there; what is there is not fetched again.
        _ = try await engine.download(
            request, into: partial, expecting: expected, retry: RetryPolicy(attempts: 100, delay: .milliseconds(1)),
            waits: { [size = bytes.count] _, _ in #expect(partial.size < size, "a complete file is not tried again") })
        #expect(try partial.file.content == bytes)
        let error = await transferError {
            let unproved = ExpectedContent(size: bytes.count)
            _ = try await engine.download(request, into: PartialFile(try scratchFile()), expecting: unproved)
        }
        #expect(error?.code == .transferTimeout)
    }

    @Test func `the size limit applies to the complete file`() async throws {
        for faults in [[], [OriginFault.chunked], [.endless]] {
            origin.script("/pack.zip", [faults])
            let request = TransferRequest(origin.url("/pack.zip"), sizeLimit: 599_999)
            let partial = PartialFile(try scratchFile())
            let error = await transferError { _ = try await engine.download(request, into: partial) }
            #expect(error?.code == .transferTooLong)
            #expect(try partial.file.content.count <= 599_999)
        }
    }

    @Test func `a full disk is an error of the disk and not of the network`() async throws {
        let full = OpenFile(descriptor: Glibc.open("/dev/full", O_RDWR), path: "/dev/full")
        let error = await #expect(throws: StoreError.self) {
            _ = try await engine.download(TransferRequest(origin.url("/pack.zip")), into: PartialFile(full))
        }
        #expect(error?.code == .noSpace)
    }

    @Test func `a port without listener is unreachable`() async throws {
        let port = try ClosedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        #expect(error?.code == .transferUnreachable)
        #expect(error?.isTransient == true)
        #expect(error?.message.contains("refused") == true)
    }

    @Test func `a host that does not accept the connection is a timeout`() async throws {
        let port = try UnresponsivePort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.port)/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url, timeouts: .quick)) }
        #expect(error?.code == .transferTimeout)
        #expect(error?.isTransient == true)
    }

    @Test func `a name that does not exist is unreachable`() async throws {
        // RFC 6761 reserves this name, so that it never exists.
        let url = try #require(URL(string: "http://nowhere.invalid/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        // Without a network, the resolution may take longer than the connection timeout.
        #expect(error?.code == .transferUnreachable || error?.code == .transferTimeout)
        #expect(error?.isTransient == true)
    }

    @Test func `the whole transfer has a time limit however steady its rate`() async throws {
        origin.always("/pack.zip", .endless, .rate(100_000))
        let timeouts = TransferTimeouts(whole: .milliseconds(400))
        let error = await transferError {
            _ = try await engine.download(
                TransferRequest(origin.url("/pack.zip"), timeouts: timeouts), into: PartialFile(try scratchFile()))
        }
        #expect(error?.code == .transferTimeout)
    }

    @Test func `a rate below the minimum is a stall`() async throws {
        origin.always("/pack.zip", .rate(1000))
        let timeouts = TransferTimeouts(stall: StallLimit(bytes: 100_000, in: .milliseconds(400)))
        let error = await transferError {
            _ = try await engine.download(
                TransferRequest(origin.url("/pack.zip"), timeouts: timeouts), into: PartialFile(try scratchFile()))
        }
        #expect(error?.code == .transferTimeout)
    }
}
