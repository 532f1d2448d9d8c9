import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite(.hangGuard) final class LocalFileTests {
    let engine: TransferEngine
    let folder: String
    let bytes = OriginBytes.random(700_001)

    init() throws {
        engine = TransferEngine()
        folder = "/tmp/transfers test-\(UInt64.random(in: 0 ... .max))"
        try #require(mkdir(folder, 0o700) == 0)
        try Data(bytes).write(to: URL(filePath: folder + "/a pack.zip"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func request(_ name: String) -> TransferRequest { TransferRequest(URL(filePath: folder + "/" + name)) }

    @Test func `a file is downloaded and verified`() async throws {
        let partial = PartialFile(try scratchFile())
        let expected = ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes))
        let done = try await engine.download(request("a pack.zip"), into: partial, expecting: expected)
        #expect(done.size == bytes.count)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a file is resumed`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<300_000])))
        let done = try await engine.download(
            request("a pack.zip"), into: partial, expecting: ExpectedContent(sha256: SHA256Digest(of: bytes)))
        #expect(done.resumedFrom == 300_000)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a file is fetched within the limit`() async throws {
        #expect(Array(try await engine.fetch(request("a pack.zip")).body) == bytes)
        var small = request("a pack.zip")
        small.sizeLimit = 700_000
        let error = await transferError { _ = try await engine.fetch(small) }
        #expect(error?.code == .transferTooLong)
    }

    /// The calls of a sink, in order.
    private final class SinkCalls: Sendable {
        private let calls = Mutex<[String]>([])
        var all: [String] { calls.withLock { $0 } }
        func add(_ call: String) { calls.withLock { $0.append(call) } }
    }

    /// A receiver that records its calls and ignores the bytes.
    private final class RecordingSink: BodySink {
        private let calls: SinkCalls
        init(_ calls: SinkCalls) { self.calls = calls }

        func begin(_ response: TransferResponse) { calls.add("begin \(response.status)") }
        func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
        func end(_ failure: (any Error)?) { calls.add(failure.map { "end with \(type(of: $0))" } ?? "end") }
    }

    /// Lets transfers that wait for the gate use all threads that read local files.
    private func occupyThreads(until gate: Gate) {
        for _ in 0..<BlockingWork.concurrencyLimit {
            engine.start(TransferJob(request("a pack.zip"))) {
                gate.wait()
                return RecordingSink(SinkCalls())
            }
        }
    }

    @Test func `a transfer that is cancelled while all threads are busy ends at once and does not begin`() {
        let gate = Gate()
        defer { gate.open() }
        occupyThreads(until: gate)
        let (job, calls) = (TransferJob(request("a pack.zip")), SinkCalls())
        engine.start(job) { RecordingSink(calls) }
        #expect(calls.all == [])
        engine.cancel(job)
        #expect(calls.all == ["end with CancellationError"])
        engine.cancel(job)
        #expect(calls.all.count == 1)
    }

    @Test func `a transfer that is cancelled before it is started does not begin`() {
        let (job, calls) = (TransferJob(request("a pack.zip")), SinkCalls())
        engine.cancel(job)
        engine.start(job) { RecordingSink(calls) }
        #expect(calls.all == ["end with CancellationError"])
    }

    @Test func `a transfer that is cancelled when a thread is free for it does not begin`() {
        let (job, calls) = (TransferJob(request("a pack.zip")), SinkCalls())
        engine.cancel(job)
        LocalFileTransfer(job, RecordingSink(calls)).run()
        #expect(calls.all == ["end with CancellationError"])
    }

    /// More downloads than libdispatch has threads (255).
    private static let manyDownloads = 300

    /// Starts many downloads of a local file while all threads that read such files are busy, and calls `then`.
    private func startMany(
        then: (Gate, inout ThrowingTaskGroup<Result<Int, any Error>, any Error>) async throws -> Void
    ) async throws {
        let (engine, request, gate) = (self.engine, self.request("small"), Gate())
        try Data(bytes[..<10_000]).write(to: request.url)
        let partials = try (0..<Self.manyDownloads).map { _ in PartialFile(try scratchFile()) }
        let expected = ExpectedContent(size: 10_000, sha256: SHA256Digest(of: Array(bytes[..<10_000])))
        occupyThreads(until: gate)
        try await withThrowingTaskGroup(of: Result<Int, any Error>.self) { group in
            defer { gate.open() }
            for partial in partials {
                group.addTask {
                    do {
                        return .success(try await engine.download(request, into: partial, expecting: expected).size)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            try await eventually { engine.downloads.load(ordering: .relaxed) == Self.manyDownloads }
            try await then(gate, &group)
        }
        #expect(engine.downloads.load(ordering: .relaxed) == 0)
    }

    @Test func `more local files than there are threads are downloaded at once`() async throws {
        try await startMany { gate, group in
            gate.open()
            for try await result in group { #expect(try result.get() == 10_000) }
        }
    }

    @Test func `downloads of more local files than there are threads are cancelled while they wait`() async throws {
        try await startMany { _, group in
            group.cancelAll()
            // The gate is closed: no download has got a thread.
            for try await result in group { #expect(throws: CancellationError.self) { try result.get() } }
        }
    }

    @Test func `a missing local file has the status 404`() async throws {
        #expect(try await engine.fetch(request("other.zip")).response.status == 404)
        let error = await transferError {
            _ = try await engine.download(request("other.zip"), into: PartialFile(try scratchFile()))
        }
        #expect(error?.httpStatus == 404)
        #expect(error?.message == "'file://\(folder.replacing(" ", with: "%20"))/other.zip' does not exist")
    }

    @Test func `a URL of a directory is refused`() async throws {
        mkfifo(folder + "/pipe", 0o600)
        for name in ["", "pipe"] {
            let error = await transferError { _ = try await engine.fetch(request(name)) }
            #expect(error?.code == .transferBadRequest)
        }
    }

    @Test func `a file of another size is refused`() async throws {
        let error = await transferError {
            _ = try await engine.download(
                request("a pack.zip"), into: PartialFile(try scratchFile()), expecting: ExpectedContent(size: 700_000))
        }
        #expect(error?.code == .contentSizeMismatch)
    }
}
