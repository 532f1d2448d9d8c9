import Files
import FoundationEssentials
import StoreModel
import Support
import Synchronization
import Testing

@testable import Transfers

/// One file over several connections, against a server that gives each of them little.
@Suite(.serialized) struct PartsTests {
    let engine: TransferEngine
    let origin: Origin
    let bytes = OriginBytes.random(12 << 20)
    var expected: ExpectedContent { ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes)) }
    var request: TransferRequest { TransferRequest(origin.url("/pack.zip")) }

    init() throws {
        engine = try TransferEngine()
        origin = try Origin()
        origin.serve("/pack.zip", bytes, etag: "\"one\"")
        origin.always("/pack.zip", .rate(4 << 20))
    }

    @Test func severalConnectionsBringTheRightBytesAndNoneTwice() async throws {
        let partial = PartialFile(try scratchFile(), note: try scratchFile())
        let done = try await engine.download(request, into: partial, expecting: expected)
        #expect(done.sha256 == expected.sha256)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.count > 1)
        #expect(origin.requests.dropFirst().allSatisfy { $0.headers["if-range"] == "\"one\"" })
    }

    @Test func aServerThatRefusesASecondConnectionIsUsedWithOne() async throws {
        let first = Atomic(true)
        let bytes = bytes
        origin.handle("/busy") { request in
            guard first.exchange(false, ordering: .relaxed) else { return OriginReply(status: 429) }
            return OriginReply(status: 200, headers: ["Accept-Ranges": "bytes"], body: bytes)
        }
        origin.always("/busy", .rate(4 << 20))
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(
            TransferRequest(origin.url("/busy")), into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
    }

    @Test func aServerThatSendsTheWholeForAPartIsUsedWithOne() async throws {
        origin.script("/pack.zip", [[.rate(4 << 20)]] + Array(repeating: [.ignoreRange], count: 20))
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
    }

    @Test func partsOfAFileThatChangedMeanwhileAreNotMixed() async throws {
        let other = OriginBytes.random(bytes.count, seed: 9)
        origin.script(
            "/pack.zip",
            [[.rate(4 << 20)]] + Array(repeating: [.bytes(other), .etag("\"two\""), .ignoreIfRange], count: 20))
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial)
        #expect(try partial.file.content == bytes)
    }

    @Test func whatCameOutOfOrderOutlivesTheProcess() async throws {
        let (file, note) = (try scratchFile(), try scratchFile())
        let task = Task {
            _ = try await engine.download(
                request, into: PartialFile(file, note: note), expecting: expected)
        }
        // Until bytes lie behind a hole.
        while try ByteRanges(text: String(decoding: note.content, as: UTF8.self))?.ranges.count ?? 0 < 2 {
            try await Task.sleep(for: .milliseconds(5))
        }
        // What a process that is killed leaves behind is what lies in the two files at any moment.
        let (left, noted) = try (scratchFile(note.content).content, file.content)
        task.cancel()
        _ = await task.result
        let ranges = try #require(ByteRanges(text: String(decoding: left, as: UTF8.self)))
        #expect(ranges.ranges.allSatisfy { noted[$0] == bytes[$0] })

        let before = origin.requests.count
        let partial = try await PartialFile.resuming(try scratchFile(noted), note: try scratchFile(left))
        #expect(partial.size == ranges.count)
        let done = try await engine.download(request, into: partial, expecting: expected)
        #expect(done.resumedFrom == ranges.count)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.count > before)
    }

    @Test func halfANoteIsNotBelieved() async throws {
        let partial = try await PartialFile.resuming(
            try scratchFile(bytes), note: try scratchFile(Array("0-100 200-30".utf8)))
        #expect(partial.size == 0)
        #expect(try await PartialFile.resuming(try scratchFile(bytes), note: try scratchFile()).size == bytes.count)
    }

    @Test func progressOfPartsIsMonotonicAndExactAtTheEnd() async throws {
        let seen = Mutex<[Int]>([])
        _ = try await engine.download(request, into: PartialFile(try scratchFile()), expecting: expected) { progress in
            seen.withLock { $0.append(progress.received) }
        }
        let all = seen.withLock { $0 }
        #expect(all == all.sorted() && all.last == bytes.count)
    }

    @Test func cancellingEndsAllConnections() async throws {
        let partial = PartialFile(try scratchFile(), note: try scratchFile())
        let task = Task { _ = try await engine.download(request, into: partial, expecting: expected) }
        while origin.requests.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let kept = partial.size
        #expect(kept > 0)
        origin.always("/pack.zip")
        let done = try await engine.download(request, into: partial, expecting: expected)
        #expect(done.resumedFrom == kept)
        #expect(try partial.file.content == bytes)
    }
}
