import Dispatch
import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

@Suite struct DownloadTests {
    let engine: TransferEngine
    let origin: Origin
    /// Large enough for several writes, and not a multiple of any buffer size.
    let bytes = OriginBytes.random(1_234_567)
    var expected: ExpectedContent { ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes)) }

    init() throws {
        engine = TransferEngine()
        origin = try Origin()
        origin.serve("/pack.zip", bytes, etag: "\"one\"")
    }

    func request(ifRange: String? = nil) -> TransferRequest {
        TransferRequest(origin.url("/pack.zip"), ifRange: ifRange)
    }

    @Test func `a file is downloaded completely and verified`() async throws {
        let partial = PartialFile(try scratchFile())
        let done = try await engine.download(request(), into: partial, expecting: expected)
        #expect(done.size == bytes.count)
        #expect(done.sha256 == SHA256Digest(of: bytes))
        #expect(done.etag == "\"one\"")
        #expect(done.lastModified == Date(timeIntervalSince1970: 1_672_628_645))
        #expect(done.resumedFrom == 0)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.count == 1)
        #expect(origin.requests.first?.range == nil)
    }

    @Test(arguments: [0, 1, 16 << 10, 512 << 10, (512 << 10) + 1, 1 << 20])
    func `a file of any size is downloaded`(_ size: Int) async throws {
        let bytes = OriginBytes.random(size)
        origin.serve("/b", bytes)
        for expected in [ExpectedContent(), ExpectedContent(size: size, sha256: SHA256Digest(of: bytes))] {
            let partial = PartialFile(try scratchFile())
            let done = try await engine.download(TransferRequest(origin.url("/b")), into: partial, expecting: expected)
            #expect(done.size == size)
            #expect(done.sha256 == SHA256Digest(of: bytes))
            #expect(try partial.file.content == bytes)
        }
    }

    @Test(arguments: [OriginFault.chunked, .untilClose])
    func `a file of undeclared length is downloaded completely`(_ fault: OriginFault) async throws {
        origin.always("/pack.zip", fault)
        let partial = PartialFile(try scratchFile())
        let done = try await engine.download(request(), into: partial)
        #expect(done.size == bytes.count)
        #expect(try partial.file.content == bytes)
    }

    @Test func `the previous content of the file is gone`() async throws {
        let partial = PartialFile(try scratchFile(OriginBytes.random(2_000_000, seed: 9)))
        _ = try await engine.download(request(), into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
    }

    @Test func `many files are downloaded in parallel over few connections`() async throws {
        let files = (0..<40).map { OriginBytes.random(10_000 + $0, seed: UInt64($0)) }
        for (number, bytes) in files.enumerated() { origin.serve("/\(number)", bytes) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, bytes) in files.enumerated() {
                group.addTask {
                    let partial = PartialFile(try scratchFile())
                    let expected = ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes))
                    _ = try await engine.download(
                        TransferRequest(origin.url("/\(number)")), into: partial, expecting: expected)
                    #expect(try partial.file.content == bytes)
                }
            }
            try await group.waitForAll()
        }
        #expect(origin.requests.count == 40)
        #expect(origin.mostConnectionsAtOnce <= 4)
    }

    // MARK: Resuming

    @Test func `an interrupted download resumes at the first missing byte`() async throws {
        origin.script("/pack.zip", [[.resetAfter(700_000)]])
        let partial = PartialFile(try scratchFile())
        let error = await transferError { _ = try await engine.download(request(), into: partial, expecting: expected) }
        #expect(error?.code == .transferInterrupted)
        #expect(error?.isTransient == true)
        #expect(partial.size == 700_000)
        let done = try await engine.download(request(ifRange: "\"one\""), into: partial, expecting: expected)
        #expect(done.resumedFrom == 700_000)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.map(\.range) == [nil, "bytes=700000-"])
        #expect(origin.requests.last?.headers["if-range"] == "\"one\"")
    }

    @Test func `a file of an earlier process is hashed and resumed`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<900_001])))
        #expect(partial.size == 900_001)
        let done = try await engine.download(request(), into: partial, expecting: expected)
        #expect(done.resumedFrom == 900_001)
        #expect(done.sha256 == expected.sha256)
        #expect(try partial.file.content == bytes)
    }

    @Test func `wrong bytes on the disk are detected and fetched again`() async throws {
        // As after a power failure: the length of the file is right, and its content is missing.
        let partial = try await PartialFile.resuming(try scratchFile([UInt8](repeating: 0, count: 500_000)))
        let done = try await engine.download(request(), into: partial, expecting: expected)
        #expect(done.resumedFrom == 0)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.map(\.range) == ["bytes=500000-", nil])
    }

    @Test func `a server that sends wrong bytes is requested only once more`() async throws {
        origin.always("/pack.zip", .wrongAt(600_000))
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<500_000])))
        let error = await transferError { _ = try await engine.download(request(), into: partial, expecting: expected) }
        #expect(error?.code == .contentHashMismatch)
        #expect(partial.size == 0)
        #expect(origin.requests.map(\.range) == ["bytes=500000-", nil])
    }

    @Test func `a server without ranges is downloaded from the first byte`() async throws {
        origin.always("/pack.zip", .ignoreRange)
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<500_000])))
        let done = try await engine.download(request(), into: partial, expecting: expected)
        #expect(done.resumedFrom == 0)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.map(\.range) == ["bytes=500000-"])
    }

    @Test func `a changed file is downloaded from the first byte`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<500_000])))
        let other = OriginBytes.random(600_000, seed: 2)
        origin.serve("/pack.zip", other, etag: "\"two\"")
        let done = try await engine.download(request(ifRange: "\"one\""), into: partial)
        #expect(done.resumedFrom == 0)
        #expect(try partial.file.content == other)
    }

    @Test func `a changed file is not mixed, even if the server ignores If-Range`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<500_000])))
        let other = OriginBytes.random(bytes.count, seed: 2)
        origin.serve("/pack.zip", other, etag: "\"two\"")
        origin.script("/pack.zip", [[.ignoreIfRange]])
        let error = await transferError { _ = try await engine.download(request(ifRange: "\"one\""), into: partial) }
        #expect(error?.code == .transferRangeMismatch)
        #expect(error?.isTransient == true)
        #expect(partial.size == 0)
        _ = try await engine.download(request(ifRange: "\"one\""), into: partial)
        #expect(try partial.file.content == other)
    }

    @Test(.hangGuard) func `a file that changed while bytes of the old one wait for the disk is downloaded anew`()
        async throws
    {
        let other = OriginBytes.random(bytes.count, seed: 2)
        let expected = ExpectedContent(size: other.count, sha256: SHA256Digest(of: other))
        let changed: [OriginFault] = [.bytes(other), .etag("\"two\"")]
        origin.script("/pack.zip", [[], changed + [.stallAfter(600_000)]], rest: changed)
        // Two ranges are missing, which are requested one after another.
        let partial = PartialFile(try scratchFile())
        for range in [0..<100_000, 1_000_000..<1_100_000] {
            try partial.append(Array(bytes[range]), at: range.lowerBound)
        }
        try await partial.flush()
        partial.diskQueue.suspend()
        let download = Task { [engine, request = request()] in
            try await engine.download(request, into: partial, expecting: expected)
        }
        await origin.untilRequested("/pack.zip", times: 2)
        let isClosed = Atomic(false)
        async let closed: Void = {
            await origin.untilNoConnection()
            isClosed.store(true, ordering: .releasing)
        }()
        // The changed file is refused, or else its first bytes follow those that wait.
        try await eventually {
            isClosed.load(ordering: .acquiring) || (400_000...600_000).contains(partial.size)
        }
        partial.diskQueue.resume()
        partial.waitForDisk()
        origin.release()
        let error = await transferError { _ = try await download.value }
        #expect(error?.code == .transferBadAnswer && error?.isTransient == true)
        #expect(partial.size == 0)
        _ = try await engine.download(request(), into: partial, expecting: expected)
        #expect(try partial.file.content == other)
        origin.stop()
        await closed
    }

    @Test(arguments: [
        "bytes 0-1234566/1234567", "bytes 500001-1234566/1234567", "bytes 500000-1234565/1234567",
        "bytes 500000-1234566", "lines 500000-1234566/1234567", "",
    ])
    func `a response with another range than requested is refused`(_ range: String) async throws {
        origin.script("/pack.zip", [[.header("Content-Range", range)]])
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<500_000])))
        let error = await transferError { _ = try await engine.download(request(), into: partial, expecting: expected) }
        #expect(error?.code == .transferRangeMismatch)
        #expect(partial.size == 0)
    }

    @Test func `without hash and tag the earlier bytes are not used`() async throws {
        for tag in [nil, "W/\"one\""] {
            let partial = try await PartialFile.resuming(try scratchFile(OriginBytes.random(500_000, seed: 3)))
            let done = try await engine.download(request(ifRange: tag), into: partial)
            #expect(done.resumedFrom == 0)
            #expect(try partial.file.content == bytes)
        }
        #expect(origin.requests.allSatisfy { $0.range == nil && $0.headers["if-range"] == nil })
    }

    @Test func `a complete file is not requested`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(bytes))
        let done = try await engine.download(request(), into: partial, expecting: expected)
        #expect(done.resumedFrom == bytes.count)
        #expect(done.response == nil)
        #expect(origin.requests.isEmpty)
    }

    @Test(arguments: [1_234_567, 2_000_000])
    func `a file of the right size with wrong bytes is downloaded again`(_ size: Int) async throws {
        let partial = try await PartialFile.resuming(try scratchFile(OriginBytes.random(size, seed: 4)))
        _ = try await engine.download(request(), into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a range behind the end of a file that became shorter starts over`() async throws {
        let partial = try await PartialFile.resuming(try scratchFile(OriginBytes.random(2_000_000, seed: 5)))
        let done = try await engine.download(
            request(), into: partial, expecting: ExpectedContent(sha256: SHA256Digest(of: bytes)))
        #expect(done.resumedFrom == 0)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.map(\.range) == ["bytes=2000000-", nil])
    }

    @Test func `no byte is fetched twice after many interruptions`() async throws {
        origin.script("/pack.zip", (0..<12).map { _ in [.resetAfter(100_000)] })
        let partial = PartialFile(try scratchFile())
        var attempts = 0
        while true {
            attempts += 1
            do {
                _ = try await engine.download(request(ifRange: "\"one\""), into: partial, expecting: expected)
                break
            } catch let error as StoreError where error.isTransient && attempts < 100 {
                #expect(partial.size == attempts * 100_000)
            }
        }
        #expect(attempts == 13)
        #expect(try partial.file.content == bytes)
    }

    // MARK: Progress

    @Test func `progress is monotonic and exact at the end`() async throws {
        origin.always("/pack.zip", .rate(4_000_000))
        let seen = Mutex<[TransferProgress]>([])
        _ = try await engine.download(request(), into: PartialFile(try scratchFile()), expecting: expected) {
            progress in
            seen.withLock { $0.append(progress) }
        }
        let all = seen.withLock { $0 }
        #expect(all.map(\.received) == all.map(\.received).sorted())
        #expect(all.last == TransferProgress(received: bytes.count, expected: bytes.count, resumedFrom: 0))
    }

    @Test func `bytes that came just before a stall are reported during it`() async throws {
        origin.always("/pack.zip", .stallAfter(500_000))
        let seen = Mutex(0)
        let task = Task {
            _ = try await engine.download(request(), into: PartialFile(try scratchFile()), expecting: expected) {
                progress in
                seen.withLock { $0 = progress.received }
            }
        }
        while seen.withLock({ $0 }) < 500_000 { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        _ = await task.result
    }

    @Test func `a slow progress receiver does not block the transfer`() async throws {
        origin.serve("/other", bytes)
        let gate = Gate()
        let other = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await engine.download(request(), into: PartialFile(try scratchFile())) { _ in
                    // Blocks its own queue until the other download has ended.
                    gate.wait()
                }
            }
            let done = try await engine.download(
                TransferRequest(origin.url("/other")), into: PartialFile(try scratchFile()))
            gate.open()
            try await group.waitForAll()
            return done
        }
        #expect(other.size == bytes.count)
    }

    @Test func `progress of a resumed download begins where it stopped`() async throws {
        let seen = Mutex<[TransferProgress]>([])
        let partial = try await PartialFile.resuming(try scratchFile(Array(bytes[..<500_000])))
        _ = try await engine.download(request(), into: partial, expecting: expected) { progress in
            seen.withLock { $0.append(progress) }
        }
        let all = seen.withLock { $0 }
        #expect(all.allSatisfy { $0.received >= 500_000 && $0.resumedFrom == 500_000 && $0.expected == bytes.count })
        #expect(all.last?.received == bytes.count)
    }
}
