import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

/// Downloads a file over several connections from a server that limits the rate of each.
@Suite(.serialized) struct PartsTests {
    let engine: TransferEngine
    let origin: Origin
    let bytes = OriginBytes.random(12 << 20)
    let folder: TemporaryFolder
    var expected: ExpectedContent { ExpectedContent(size: bytes.count, sha256: SHA256Digest(of: bytes)) }
    var request: TransferRequest { TransferRequest(origin.url("/pack.zip")) }

    init() throws {
        engine = TransferEngine()
        origin = try Origin()
        folder = try TemporaryFolder()
        origin.serve("/pack.zip", bytes, etag: "\"one\"")
        origin.always("/pack.zip", .rate(4 << 20))
    }

    @Test func `several connections deliver the right bytes and none twice`() async throws {
        let partial = PartialFile(try scratchFile(), record: PartialFileRecord(in: folder.directory, "note"))
        let done = try await engine.download(request, into: partial, expecting: expected)
        #expect(done.sha256 == expected.sha256)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.count > 1)
        #expect(origin.requests.dropFirst().allSatisfy { $0.headers["if-range"] == "\"one\"" })
    }

    @Test func `a connection that has delivered its range is used for another`() async throws {
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
        let ranges = origin.requests.map { $0.rangeBytes(of: bytes.count) }
        // Where another request begins within a range, the rest of it is not needed, and its connection is closed.
        let cutShort = ranges.count { range in
            ranges.contains { range.lowerBound < $0.lowerBound && $0.lowerBound < range.upperBound }
        }
        #expect(origin.connectionCount <= 4 + cutShort, "\(ranges)")
    }

    @Test func `a server that sends more than the requested range does not delay the end`() async throws {
        origin.script("/pack.zip", [[.rate(4 << 20)]], rest: [.rate(4 << 20), .endless])
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
    }

    @Test func `a server that refuses a second connection is used with one`() async throws {
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

    @Test func `a server that denies a part of a file that it has begun to send contradicts itself`() async throws {
        let partial = PartialFile(try scratchFile())
        func begin() throws {
            let download = FileDownload(
                engine, request, into: partial, expecting: expected, keepsWrongBytes: false, startsOver: false,
                policy: Segmentation.Policy(), reporter: ProgressReporter { _ in })
            let response = TransferResponse(status: 416, headers: [:], effectiveURL: request.url)
            try download.responseDidBegin(2, TransferJob(request, offset: 1 << 20), response)
        }
        let error = #expect(throws: StoreError.self) { try begin() }
        #expect(error?.template == .transferRangeUnexpected && error?.isTransient == true)
        // Where the bytes are of an earlier download, the file may have become shorter since.
        try await partial.append([1, 2, 3])
        #expect(throws: RangeNotSatisfiable.self) { try begin() }
    }

    @Test(arguments: [(1, 64), (4, 1)])
    func `a file is not split where its host may have one connection`(perHost: Int, all: Int) async throws {
        let engine = TransferEngine(
            configuration: TransferConfiguration(connectionsPerHost: perHost, connections: all))
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(origin.requests.count == 1)
    }

    @Test(.hangGuard) func `a file that has all connections of its host gives one to a document`() async throws {
        origin.script("/pack.zip", [[.rate(4 << 20)]], rest: [.rate(4 << 20), .stallAfter(100_000)])
        origin.serve("/index.json", "{}")
        let partial = PartialFile(try scratchFile())
        async let done = engine.download(
            TransferRequest(origin.url("/pack.zip"), timeouts: TransferTimeouts(connect: nil, answer: nil, stall: nil)),
            into: partial, expecting: expected)
        // The first one stalls, too, when it has delivered its range and requests another.
        await origin.untilStalled(4)
        let requests = origin.requests(to: "/pack.zip").count
        let document = try await engine.fetch(TransferRequest(origin.url("/index.json")))
        #expect(document.body == Data("{}".utf8))
        #expect(origin.requests(to: "/pack.zip").count == requests)
        // A second one takes a further connection, and the last one stays.
        for _ in 0..<4 { _ = try await engine.fetch(TransferRequest(origin.url("/index.json"))) }
        origin.release()
        #expect(try await done.sha256 == expected.sha256)
        #expect(try partial.file.content == bytes)
    }

    @Test(.hangGuard) func `a document gets a connection although parts of two files wait for one`() async throws {
        let names = ["/pack.zip", "/other.zip"]
        origin.serve("/other.zip", bytes, etag: "\"two\"")
        for name in names { origin.script(name, [[.rate(4 << 20)]], rest: [.rate(4 << 20), .stallAfter(100_000)]) }
        origin.serve("/index.json", "{}")
        let timeouts = TransferTimeouts(connect: nil, answer: nil, stall: nil)
        let urls = names.map { origin.url($0) }
        let downloads = try urls.map { url in
            let partial = PartialFile(try scratchFile())
            let (engine, expected) = (engine, expected)
            return Task {
                try await engine.download(TransferRequest(url, timeouts: timeouts), into: partial, expecting: expected)
            }
        }
        await origin.untilStalled(4)
        for _ in 0..<3 {
            #expect(try await engine.fetch(TransferRequest(origin.url("/index.json"))).body == Data("{}".utf8))
        }
        origin.release()
        for download in downloads { #expect(try await download.value.sha256 == expected.sha256) }
    }

    @Test func `a server that ignores ranges is used with one connection`() async throws {
        origin.script("/pack.zip", [[.rate(4 << 20)]] + Array(repeating: [.ignoreRange], count: 20))
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(try partial.file.content == bytes)
    }

    @Test func `ranges of a file that changed meanwhile are not mixed`() async throws {
        let other = OriginBytes.random(bytes.count, seed: 9)
        origin.script(
            "/pack.zip",
            [[.rate(4 << 20)]] + Array(repeating: [.bytes(other), .etag("\"two\""), .ignoreIfRange], count: 20))
        let partial = PartialFile(try scratchFile())
        _ = try await engine.download(request, into: partial)
        #expect(try partial.file.content == bytes)
    }

    @Test func `bytes out of order are recorded for later processes`() async throws {
        let file = try scratchFile()
        func noted() -> ByteRanges? { try? PartialFileRecord(in: folder.directory, "note").read().ranges }
        let task = Task {
            _ = try await engine.download(
                request, into: PartialFile(file, record: PartialFileRecord(in: folder.directory, "note")),
                expecting: expected)
        }
        // Waits until there are bytes behind a gap.
        while noted()?.ranges.count ?? 0 < 2 { try await Task.sleep(for: .milliseconds(5)) }
        // A killed process leaves the two files as they are at any moment.
        let (note, left) = (try folder.directory.text("note"), try file.content)
        task.cancel()
        _ = await task.result
        let ranges = try #require(PartialFileRecord.Content(text: note)?.ranges)
        #expect(ranges.ranges.allSatisfy { left[$0] == bytes[$0] })

        let before = origin.requests.count
        try folder.directory.put("left", note)
        let partial = try await PartialFile.resuming(
            try scratchFile(left), record: PartialFileRecord(in: folder.directory, "left"))
        #expect(partial.size == ranges.count)
        let done = try await engine.download(request, into: partial, expecting: expected)
        #expect(done.resumedFrom == ranges.count)
        #expect(try partial.file.content == bytes)
        #expect(origin.requests.count > before)
    }

    @Test func `a record of more bytes than the file has, as after a power cut, counts as far as the file goes`()
        async throws
    {
        origin.always("/pack.zip")
        let (first, second) = (bytes.count / 4, bytes.count / 2)
        for (size, present) in [
            (first, first), (second, first), (second + 100, first + 100), (first - 1, first - 1), (0, 0),
        ] {
            try folder.directory.put("cut", "0-\(first) \(second)-\(bytes.count) .")
            let partial = try await PartialFile.resuming(
                try scratchFile(Array(bytes[..<size])), record: PartialFileRecord(in: folder.directory, "cut"))
            #expect(partial.size == present)
            _ = try await engine.download(request, into: partial, expecting: expected)
            #expect(try partial.file.content == bytes)
        }
    }

    @Test func `a truncated record is not trusted`() async throws {
        try folder.directory.put("half", "0-100 200-30")
        try folder.directory.put("empty", "")
        for (note, size) in [("half", 0), ("empty", bytes.count), ("none", bytes.count)] {
            let partial = try await PartialFile.resuming(
                try scratchFile(bytes), record: PartialFileRecord(in: folder.directory, note))
            #expect(partial.size == size, "\(note)")
        }
    }

    @Test func `nothing is recorded for bytes in order with a known hash`() async throws {
        let engine = TransferEngine(configuration: TransferConfiguration(connectionsPerFile: 1))
        origin.always("/pack.zip")
        let partial = PartialFile(try scratchFile(), record: PartialFileRecord(in: folder.directory, "note"))
        _ = try await engine.download(request, into: partial, expecting: expected)
        #expect(try folder.directory.names() == [])
    }

    @Test func `a record is read as it was written`() throws {
        let note = PartialFileRecord(in: folder.directory, "note")
        var holes = ByteRanges(0..<4)
        holes.insert(100..<2000)
        var digests = PrefixDigests()
        for size in 1...3 { digests.append(size: size << 30, sha256: SHA256Digest(of: [UInt8(size)])) }
        let tags = ["\"one\"", "\"a.b-.0-5:\"", "\"\""]
        let origins = try tags.map { try #require(ContentOrigin(origin.url("/pack.zip?key=secret"), tag: $0)) }
        // Longest first, so that each record overwrites the start of the previous one.
        let contents =
            origins.map { PartialFileRecord.Content.origin($0, digests) }
            + origins.map { .origin($0, PrefixDigests()) } + [.ranges(holes), .ranges(ByteRanges()), .contiguous]
        for content in contents {
            try note.write(content)
            #expect(try PartialFileRecord(in: folder.directory, "note").read() == content)
            #expect(try !folder.directory.text("note").contains("secret"))
        }
    }

    @Test(arguments: ["one", "W/\"one\"", "\"", "\"a\"b\"", "\"a b\"", "\"a\nb\"", ""])
    func `a tag that is not a strong entity tag proves nothing`(tag: String) {
        #expect(ContentOrigin(origin.url("/pack.zip"), tag: tag) == nil)
    }

    @Test func `an entity tag is recorded for later processes where no hash is known`() async throws {
        let engine = TransferEngine(configuration: TransferConfiguration(connectionsPerFile: 1))
        origin.script("/pack.zip", [[.resetAfter(5 << 20)], []])
        let file = try scratchFile()
        func note() -> PartialFileRecord { PartialFileRecord(in: folder.directory, "note") }
        let error = await transferError {
            _ = try await engine.download(request, into: PartialFile(file, record: note()))
        }
        #expect(error?.code == .transferInterrupted)
        let partial = try await PartialFile.resuming(try scratchFile(file.content), record: note())
        #expect(partial.size > 0)
        #expect(partial.entityTag(for: request.url) == "\"one\"")
        #expect(partial.entityTag(for: origin.url("/other.zip")) == nil)
        var again = request
        again.ifRange = partial.entityTag(for: request.url)
        let kept = partial.size
        let done = try await engine.download(again, into: partial)
        #expect(done.resumedFrom == kept && done.sha256 == expected.sha256)
        #expect(origin.requests.last?.headers["if-range"] == "\"one\"")
    }

    @Test func `without a hash only bytes that are intact count`() async throws {
        let engine = TransferEngine(configuration: TransferConfiguration(connectionsPerFile: 1))
        origin.always("/pack.zip", .resetAt(11 << 20))
        let file = try scratchFile()
        func note() -> PartialFileRecord { PartialFileRecord(in: folder.directory, "note") }
        _ = await transferError { _ = try await engine.download(request, into: PartialFile(file, record: note())) }
        let (left, text) = (try file.content, try folder.directory.text("note"))
        let whole = try await PartialFile.resuming(try scratchFile(left), record: note())
        #expect(whole.size > 9 << 20)
        for damage in [whole.size - 1, 0] {
            var damaged = left
            damaged[damage] ^= 1
            let partial = try await PartialFile.resuming(try scratchFile(damaged), record: note())
            // Behind the first 8 MiB there is an earlier prefix, whose hash is right.
            let kept = partial.size
            #expect(damage == 0 ? kept == 0 : kept > 0 && kept <= damage)
            #expect(try partial.file.content[..<kept].elementsEqual(bytes[..<kept]))
        }
        // As where the file is older than its record.
        let shorter = try await PartialFile.resuming(try scratchFile(Array(left[..<(10 << 20)])), record: note())
        #expect(shorter.size > 0 && shorter.size <= 10 << 20)
        #expect(try folder.directory.text("note") == text)
        origin.always("/pack.zip")
        var again = request
        again.ifRange = shorter.entityTag(for: request.url)
        let kept = shorter.size
        let done = try await engine.download(again, into: shorter)
        #expect(done.resumedFrom == kept && done.sha256 == expected.sha256)
    }

    @Test func `bytes that a known hash verifies have no recorded origin`() async throws {
        let engine = TransferEngine(configuration: TransferConfiguration(connectionsPerFile: 1))
        origin.always("/pack.zip", .resetAt(5 << 20))
        let file = try scratchFile()
        func note() -> PartialFileRecord { PartialFileRecord(in: folder.directory, "note") }
        let partial = PartialFile(file, record: note())
        _ = await transferError { _ = try await engine.download(request, into: partial) }
        guard case .origin = try note().read() else {
            Issue.record("no origin is recorded")
            return
        }
        // Another URL's bytes, which the hash may verify, must not count as those of the first.
        origin.serve("/mirror.zip", bytes, etag: "\"one\"")
        origin.always("/mirror.zip", .resetAt(6 << 20))
        let resumed = try await PartialFile.resuming(file, record: note())
        _ = await transferError {
            _ = try await engine.download(
                TransferRequest(origin.url("/mirror.zip")), into: resumed, expecting: expected)
        }
        #expect(resumed.size > 5 << 20)
        let later = try await PartialFile.resuming(file, record: note())
        #expect(later.entityTag(for: request.url) == nil)
    }

    @Test func `progress of ranges is monotonic and exact at the end`() async throws {
        let seen = Mutex<[Int]>([])
        _ = try await engine.download(request, into: PartialFile(try scratchFile()), expecting: expected) { progress in
            seen.withLock { $0.append(progress.received) }
        }
        let all = seen.withLock { $0 }
        #expect(all == all.sorted() && all.last == bytes.count)
    }

    @Test func `only wrong bytes are fetched again`() async throws {
        origin.always("/pack.zip")
        var wrong = bytes
        wrong[9 << 20] ^= 1
        let partial = try await PartialFile.resuming(
            try scratchFile(wrong), record: PartialFileRecord(in: folder.directory, "note"))
        var bad = ByteRanges(3 << 20..<4 << 20)
        bad.insert(8 << 20..<bytes.count)
        try await partial.discard(bad)
        #expect(partial.size == 7 << 20)
        // Another process has the same information.
        let again = try await PartialFile.resuming(
            partial.file, record: PartialFileRecord(in: folder.directory, "note"))
        #expect(again.present == partial.present)
        let done = try await engine.download(request, into: partial, expecting: expected)
        #expect(done.resumedFrom == 7 << 20)
        #expect(try partial.file.content == bytes)
    }

    @Test func `cancelling ends all connections`() async throws {
        let partial = PartialFile(try scratchFile(), record: PartialFileRecord(in: folder.directory, "note"))
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

extension OriginRequest {
    /// Returns the requested bytes of a file of `size` bytes.
    fileprivate func rangeBytes(of size: Int) -> Range<Int> {
        let ends = range?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
        return (ends.first ?? 0)..<(ends.count > 1 ? ends[1] + 1 : size)
    }
}

extension PartialFileRecord.Content {
    /// The recorded ranges of a file that a hash verifies; `nil` in other records.
    fileprivate var ranges: ByteRanges? {
        if case .ranges(let ranges) = self { ranges } else { nil }
    }
}
