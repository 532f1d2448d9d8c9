import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite struct RangeTests {
    let engine: TransferEngine
    let origin: Origin
    let bytes = OriginBytes.random(1_000_000)

    init() throws {
        engine = TransferEngine()
        origin = try Origin()
        origin.serve("/pack.zip", bytes)
    }

    var request: TransferRequest { TransferRequest(origin.url("/pack.zip")) }

    @Test(arguments: [0..<1, 0..<1_000_000, 17..<300_000, 999_999..<1_000_000])
    func `a range is written to its position`(range: Range<Int>) async throws {
        let file = try scratchFile()
        let received = Mutex(0)
        try await engine.fetch(range, of: request, size: bytes.count, into: file) { progress in
            received.withLock { $0 = progress.received }
        }
        #expect(try file.read(count: range.count, at: range.lowerBound) == Array(bytes[range]))
        #expect(try file.status().size == range.upperBound)
        #expect(origin.requests.map(\.range) == ["bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
        #expect(received.withLock { $0 } == range.count)
    }

    @Test func `ranges of a local file can be fetched`() async throws {
        let folder = try TemporaryFolder()
        try folder.directory.put("a", "0123456789")
        let file = try scratchFile()
        try await engine.fetch(
            3..<6, of: TransferRequest(folder.url.appending(path: "a")), size: 10, into: file)
        #expect(try file.content == [0, 0, 0] + Array("345".utf8))
    }

    /// None of these responses is usable, and a retry would not help.
    @Test(arguments: [
        [OriginFault.ignoreRange], [.header("Content-Range", "bytes 0-99/1000000")],
        [.header("Content-Range", "bytes 100-199/999")], [.header("Content-Range", "nonsense")],
        [.bytes([1, 2, 3])], [.chunked, .long(by: 5)], [.endless],
    ])
    func `anything but the requested range is refused`(faults: [OriginFault]) async throws {
        origin.script("/pack.zip", [faults])
        let file = try scratchFile()
        let error = await transferError {
            try await engine.fetch(100..<200, of: request, size: bytes.count, into: file)
        }
        #expect(error?.code == .transferRangeMismatch && error?.isTransient == false)
        #expect(try file.status().size <= 200)
    }

    @Test func `bytes before a break are kept and reported`() async throws {
        origin.script("/pack.zip", [[.resetAfter(300_000)]])
        let file = try scratchFile()
        let received = Mutex(0)
        let range = 1000..<900_000
        let error = await transferError {
            try await engine.fetch(range, of: request, size: bytes.count, into: file) { progress in
                received.withLock { $0 = progress.received }
            }
        }
        #expect(error?.isTransient == true)
        let count = received.withLock { $0 }
        #expect(count > 0 && count <= 300_000)
        #expect(try file.read(count: count, at: 1000) == Array(bytes[1000..<1000 + count]))
        let rest = 1000 + count..<900_000
        try await engine.fetch(rest, of: request, size: bytes.count, into: file)
        #expect(try file.read(count: range.count, at: 1000) == Array(bytes[range]))
    }

    @Test(arguments: [5..<5, 10..<20])
    func `an empty or invalid range is not requested`(range: Range<Int>) async throws {
        let file = try scratchFile()
        let error = await transferError { try await engine.fetch(range, of: request, size: 15, into: file) }
        #expect(error?.code == .transferBadRequest)
        #expect(origin.requests.isEmpty)
    }
}
