import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

/// The number of threads whose thread-specific data was destroyed.
private let releasedThreads = Atomic(0)

@Suite struct EngineTests {
    let origin: Origin
    init() throws { origin = try Origin() }

    // MARK: Cancellation

    @Test func `cancelling ends a transfer in any phase`() async throws {
        let engine = TransferEngine()
        origin.serve("/a", OriginBytes.random(100_000))
        for fault in [OriginFault.stallBeforeAnswer, .stallAfter(0), .stallAfter(50_000)] {
            origin.always("/a", fault)
            let partial = PartialFile(try scratchFile())
            let download = Task { try await engine.download(TransferRequest(origin.url("/a")), into: partial) }
            await origin.untilStalled()
            download.cancel()
            await #expect(throws: CancellationError.self) { try await download.value }
            #expect(try partial.file.content.count == partial.size)
            await origin.untilNoConnection()
        }
    }

    @Test func `a task that is cancelled beforehand sends no request`() async throws {
        let engine = TransferEngine()
        origin.serve("/a", "a")
        for _ in 0..<50 {
            let fetch = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await engine.fetch(TransferRequest(origin.url("/a")))
            }
            await #expect(throws: CancellationError.self) { try await fetch.value }
        }
        #expect(origin.requests.isEmpty)
    }

    @Test func `cancelling at any moment leaves the engine usable`() async throws {
        let engine = TransferEngine()
        let bytes = OriginBytes.random(200_000)
        origin.serve("/a", bytes)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                // Not all at once, for machines that allow few open files.
                if number >= 30 { await group.next() }
                group.addTask {
                    let download = Task {
                        try await engine.download(
                            TransferRequest(origin.url("/a")), into: PartialFile(try scratchFile()))
                    }
                    for _ in 0..<(number * 7 % 50) { await Task.yield() }
                    download.cancel()
                    do {
                        #expect(try await download.value.size == bytes.count)
                    } catch {
                        #expect(error is CancellationError)
                    }
                }
            }
        }
        #expect(try await engine.fetch(TransferRequest(origin.url("/a"))).body.count == bytes.count)
    }

    @Test func `a transfer that waits for a connection can be cancelled`() async throws {
        let engine = TransferEngine(configuration: TransferConfiguration(connectionsPerHost: 1))
        origin.serve("/slow", "slow")
        origin.serve("/b", "b")
        origin.script("/slow", [[.stallAfter(0)]])
        let slow = Task { try await engine.fetch(TransferRequest(origin.url("/slow"))) }
        await origin.untilStalled()
        let waiting = Task { try await engine.fetch(TransferRequest(origin.url("/b"))) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        origin.release()
        #expect(try await slow.value.body.count == 4)
        #expect(origin.requests(to: "/b").isEmpty)
    }

    // MARK: Limits

    @Test func `a waiting transfer does not time out`() async throws {
        try await withGrowingTimeLimit { limit in
            let (origin, engine) = (
                try Origin(), TransferEngine(configuration: TransferConfiguration(connectionsPerHost: 1))
            )
            origin.serve("/slow", "slow")
            origin.serve("/b", "b")
            // Waits three times as long as the timeouts of connection, response and body.
            origin.always("/slow", .delay(limit * 3))
            let patient = TransferTimeouts(connect: nil, answer: nil, stall: nil)
            async let slow = engine.fetch(TransferRequest(origin.url("/slow"), timeouts: patient))
            await origin.untilRequested("/slow")
            let second = try await engine.fetch(TransferRequest(origin.url("/b"), timeouts: .all(limit)))
            #expect(second.body.count == 1)
            #expect(try await slow.body.count == 4)
            #expect(origin.mostConnectionsAtOnce == 1)
        }
    }

    @Test func `no more connections are opened than allowed`() async throws {
        let engine = TransferEngine(configuration: TransferConfiguration(connectionsPerHost: 3))
        origin.serve("/a", OriginBytes.random(50_000))
        origin.always("/a", .rate(500_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 { group.addTask { _ = try await engine.fetch(TransferRequest(origin.url("/a"))) } }
            try await group.waitForAll()
        }
        #expect(origin.requests.count == 12)
        #expect(origin.mostConnectionsAtOnce == 3)
    }

    /// libcurl 7.88 can lose the timer of a transfer that waits for a connection; this test then did not end.
    @Test(.hangGuard) func `no transfer that waits for a connection is forgotten`() async throws {
        let engine = TransferEngine(configuration: .init(connectionsPerHost: 4))
        origin.serve("/a", "a")
        let patient = TransferTimeouts(connect: nil, answer: nil, stall: nil)
        for round in 0..<600 {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<24 {
                    // Some wait from the beginning, others are added while transfers end.
                    if number % (round % 24 + 1) == 0 { await Task.yield() }
                    group.addTask {
                        try await engine.fetch(TransferRequest(origin.url("/a"), timeouts: patient)).response.status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    // MARK: Child processes

    @Test func `child processes do not inherit connections`() async throws {
        let engine = TransferEngine()
        origin.always("/a", .stallBeforeAnswer)
        let fetch = Task { try await engine.fetch(TransferRequest(origin.url("/a"))) }
        await origin.untilStalled()
        let ours = try openDescriptors().filter { peerPort(of: $0) == origin.port }
        #expect(ours.count == 1)
        #expect(ours.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
        fetch.cancel()
        _ = await fetch.result
    }

    /// Returns the port of the peer of a connection; `nil` if the descriptor is not a connection.
    private func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) {
            getpeername(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return result == 0 && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    // MARK: Shutdown

    @Test func `shutting down ends all transfers and refuses new ones`() async throws {
        let engine = TransferEngine()
        origin.serve("/a", "a")
        origin.always("/a", .stallBeforeAnswer)
        let fetch = Task { try await engine.fetch(TransferRequest(origin.url("/a"))) }
        await origin.untilStalled()
        await engine.shutdown()
        let running = await transferError { _ = try await fetch.value }
        #expect(running?.code == .transferStopped)
        let late = await transferError { _ = try await engine.fetch(TransferRequest(origin.url("/a"))) }
        #expect(late?.code == .transferStopped)
        await engine.shutdown()
        await origin.untilNoConnection()
    }

    @Test func `shutting down waits until libraries have released what they stored for the engine's thread`()
        async throws
    {
        let engine = TransferEngine()
        origin.serve("/a", "a")
        let request = TransferRequest(origin.url("/a"))
        var key = pthread_key_t()
        try #require(
            pthread_key_create(&key) { _ in
                // Without a wait for the thread's end, the shutdown returns long before this.
                SystemThread.sleep(for: .milliseconds(200))
                releasedThreads.add(1, ordering: .sequentiallyConsistent)
            } == 0)
        defer { pthread_key_delete(key) }
        _ = try await engine.run(TransferJob(request)) { [key] continuation in
            pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
            return DocumentSink(request, limit: 10, waiting: continuation)
        }
        await engine.shutdown()
        #expect(releasedThreads.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test func `an engine that is released ends its thread`() async throws {
        origin.serve("/a", "a")
        do {
            let engine = TransferEngine()
            _ = try await engine.fetch(TransferRequest(origin.url("/a")))
        }
        // The engine's thread keeps the idle connection as long as it runs.
        await origin.untilNoConnection()
    }

    @Test(.hangGuard) func `an engine that transferred nothing shuts down, and refuses transfers`() async throws {
        let engine = TransferEngine()
        await engine.shutdown()
        let late = await transferError { _ = try await engine.fetch(TransferRequest(origin.url("/a"))) }
        #expect(late?.code == .transferStopped)
        await engine.shutdown()
        engine.prepare()
        #expect(origin.requests.isEmpty)
    }

    @Test(.hangGuard)
    func `an engine that is prepared shuts down, whether or not its thread has started`() async throws {
        for _ in 0..<100 {
            let engine = TransferEngine()
            engine.prepare()
            await engine.shutdown()
        }
    }

    @Test func `limits that were set before the first transfer apply`() async throws {
        let engine = TransferEngine()
        engine.setLimits(BandwidthLimits(total: 1))
        engine.setLimits(BandwidthLimits(total: 1_000_000))
        origin.serve("/a", OriginBytes.random(3_000_000))
        let start = ContinuousClock.now
        #expect(try await engine.fetch(TransferRequest(origin.url("/a"))).body.count == 3_000_000)
        #expect(start.duration(to: .now) > .seconds(1))
    }

    @Test func `where the thread can't be started, transfers fail, and a later one starts it`() async throws {
        let commands = CommandQueue()
        func fetch(_ started: @escaping @Sendable (CommandQueue.Outcome) -> Void) async -> StoreError? {
            let request = TransferRequest(origin.url("/a"))
            return await transferError {
                _ = try await withCheckedThrowingContinuation { continuation in
                    started(
                        commands.enqueue(
                            .start(TransferJob(request)) { DocumentSink(request, limit: 9, waiting: continuation) }))
                }
            }
        }
        for _ in 0..<2 {
            let error = await fetch { outcome in
                #expect(outcome == .mustStartThread)
                commands.startDidFail()
            }
            #expect(error?.code == .transferStopped && error?.isTransient == true)
        }
        // A shutdown while the thread starts is not forgotten where that fails.
        let error = await fetch { _ in
            commands.enqueue(.stop)
            commands.startDidFail()
        }
        #expect(error?.code == .transferStopped)
        await commands.waitUntilEnded()
        #expect(commands.enqueue(.stop) == .refused)
    }

    @Test func `many engines start and stop`() async throws {
        origin.serve("/a", "a")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await TransferEngine().fetch(TransferRequest(origin.url("/a"))) }
            }
            try await group.waitForAll()
        }
        await origin.untilNoConnection()
    }
}
