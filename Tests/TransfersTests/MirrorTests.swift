import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

/// Downloads a file from several servers, some of which fail.
@Suite struct MirrorTests {
    let engine: TransferEngine
    let (first, second, third): (Origin, Origin, Origin)
    let bytes = OriginBytes.random(3 << 20)
    var expected: ExpectedContent { ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes)) }
    var sources: MirrorList { MirrorList(first.url("/p"), mirrors: [second.url("/p"), third.url("/p")]) }

    init() throws {
        engine = TransferEngine()
        (first, second, third) = (try Origin(), try Origin(), try Origin())
        for origin in [first, second, third] { origin.serve("/p", bytes) }
    }

    /// Downloads in one round without delays.
    ///
    /// - Parameter silent: a URL that never responds; a delay of any other is caused by the machine.
    private func download(
        _ sources: inout MirrorList, _ partial: PartialFile, expecting: ExpectedContent? = nil, silent: URL? = nil
    ) async throws -> DownloadedFile {
        try await engine.download(
            from: &sources, into: partial, expecting: expecting ?? expected,
            request: { TransferRequest($0, timeouts: $0 == silent ? .quick : TransferTimeouts()) })
    }

    enum Bad: String, CaseIterable, Sendable {
        case unreachable, missing, failing, wrongBytes, tooShort, tooLong, silent, notHTTP, busy, elsewhere
    }

    @Test(arguments: Bad.allCases)
    func `a failing mirror costs one failure and no delay`(_ bad: Bad) async throws {
        switch bad {
        case .unreachable: first.stop()
        case .missing: first.always("/p", .status(404))
        case .failing: first.always("/p", .status(500))
        case .wrongBytes: first.always("/p", .bytes(OriginBytes.random(bytes.count, seed: 7)))
        case .tooShort: first.always("/p", .bytes(Array(bytes.dropLast())))
        case .tooLong: first.always("/p", .bytes(bytes + [1]))
        case .silent: first.always("/p", .stallBeforeAnswer)
        case .notHTTP: first.always("/p", .raw(Array("what?".utf8)))
        case .busy: first.always("/p", .status(429, ["Retry-After": "250"]))
        case .elsewhere: first.always("/p", .redirect(to: "/p"))
        }
        var sources = sources
        let partial = PartialFile(try scratchFile())
        let done = try await download(&sources, partial, silent: bad == .silent ? first.url("/p") : nil)
        #expect(done.sha256 == expected.sha256)
        #expect(try partial.file.content == bytes)
        #expect(first.requests.count <= (bad == .elsewhere ? 11 : 1))
        #expect(second.requests.count == 1 && third.requests.isEmpty)
        // The next file is requested from working mirrors first.
        var others = self.sources
        _ = try await download(&others, PartialFile(try scratchFile()))
        #expect(second.requests.count == 2 && third.requests.isEmpty)
    }

    @Test func `bytes are kept from one mirror to the next`() async throws {
        first.always("/p", .resetAfter(1 << 20))
        second.always("/p", .resetAfter(1 << 20))
        var sources = sources
        let partial = PartialFile(try scratchFile())
        let done = try await download(&sources, partial)
        #expect(done.resumedFrom > 0)
        #expect(try partial.file.content == bytes)
        let starts = [first, second, third].compactMap(\.requests.first?.range)
        #expect(starts.count == 2 && starts[0] != starts[1])
        #expect(third.requests.allSatisfy { $0.headers["if-range"] == nil })
    }

    @Test func `bytes of a good mirror are kept when a later one sends wrong bytes`() async throws {
        first.always("/p", .resetAfter(1 << 20))
        second.always("/p", .bytes(OriginBytes.random(bytes.count, seed: 8)))
        var sources = sources
        let partial = PartialFile(try scratchFile())
        let done = try await download(&sources, partial)
        #expect(try partial.file.content == bytes)
        // The bytes of the first mirror were not requested from another.
        #expect(done.resumedFrom > 0)
        #expect(third.requests.map(\.range) == ["bytes=\(done.resumedFrom)-"])
    }

    @Test func `wrong first bytes are detected and replaced`() async throws {
        first.always("/p", .bytes(OriginBytes.random(bytes.count, seed: 8)), .resetAfter(1 << 20))
        var sources = sources
        let partial = PartialFile(try scratchFile())
        _ = try await download(&sources, partial)
        #expect(try partial.file.content == bytes)
        #expect(first.requests.count == 1)
    }

    @Test func `the download fails without bytes when all mirrors send wrong ones`() async throws {
        for (seed, origin) in [first, second, third].enumerated() {
            origin.always("/p", .bytes(OriginBytes.random(bytes.count, seed: UInt64(seed) + 8)))
        }
        var sources = sources
        let partial = PartialFile(try scratchFile())
        let error = await transferError { _ = try await download(&sources, partial) }
        #expect(error?.code == .contentHashMismatch && error?.isTransient == false)
        #expect(partial.size == 0)
        #expect([first, second, third].allSatisfy { $0.requests.count == 1 })
    }

    @Test func `without a hash each mirror counts as another file`() async throws {
        let other = OriginBytes.random(2 << 20, seed: 5)
        first.always("/p", .resetAfter(1 << 20))
        second.always("/p", .bytes(other))
        var sources = sources
        let partial = PartialFile(try scratchFile())
        let done = try await download(&sources, partial, expecting: ExpectedContent())
        #expect(done.resumedFrom == 0)
        #expect(try partial.file.content == other)
        #expect(second.requests.allSatisfy { $0.range == nil && $0.headers["if-range"] == nil })
    }

    @Test func `wrong bytes of an earlier process exclude no mirror`() async throws {
        second.stop()
        third.stop()
        var sources = sources
        let partial = try await PartialFile.resuming(try scratchFile([UInt8](repeating: 0, count: 1 << 20)))
        let done = try await download(&sources, partial)
        #expect(done.sha256 == expected.sha256)
        #expect(try partial.file.content == bytes)
        #expect(first.requests.map(\.range) == ["bytes=\(1 << 20)-", nil])
    }

    @Test func `without a hash, the bytes of a mirror are kept until another one responds`() async throws {
        first.script("/p", [[.resetAfter(1 << 20)]])
        second.stop()
        third.always("/p", .status(503))
        var sources = sources
        let partial = PartialFile(try scratchFile())
        _ = await transferError { _ = try await download(&sources, partial, expecting: ExpectedContent()) }
        #expect(partial.size > 0)
        let done = try await download(&sources, partial, expecting: ExpectedContent())
        #expect(done.resumedFrom > 0 && done.source == first.url("/p"))
        #expect(try partial.file.content == bytes)
        #expect(third.requests.allSatisfy { $0.range == nil })
    }

    @Test func `after all mirrors failed the policy decides, and permanent failures are excluded`() async throws {
        first.script("/p", [[.status(503)], [.status(503)]])
        second.always("/p", .status(404))
        third.script("/p", [[.close]])
        third.always("/p", .resetAfter(0))
        let waits = Mutex<[Duration]>([])
        let done = try await engine.download(
            from: sources, into: PartialFile(try scratchFile()), expecting: expected,
            retry: RetryPolicy(attempts: 3, delay: .milliseconds(1)), request: { TransferRequest($0) },
            waits: { _, wait in waits.withLock { $0.append(wait) } })
        #expect(done.sha256 == expected.sha256)
        #expect(waits.withLock { $0.count } == 2)
        #expect(second.requests.count == 1)
        #expect(first.requests.count == 3)
    }

    @Test func `the first error is reported when all mirrors failed permanently`() async throws {
        for origin in [first, second, third] { origin.always("/p", .status(404)) }
        let error = await transferError {
            _ = try await engine.download(
                from: sources, into: PartialFile(try scratchFile()), expecting: expected, retry: RetryPolicy(),
                request: { TransferRequest($0) }, waits: { _, _ in Issue.record("nothing is to be waited for") })
        }
        #expect(error?.httpStatus == 404)
        #expect([first, second, third].allSatisfy { $0.requests.count == 1 })
    }
}
