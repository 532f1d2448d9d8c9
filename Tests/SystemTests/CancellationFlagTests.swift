import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@Suite struct CancellationFlagTests {
    @Test func `a check throws once the flag is set`() throws {
        let flag = CancellationFlag()
        try flag.check()
        #expect(!flag.isCancelled)
        flag.cancel()
        flag.cancel()
        #expect(flag.isCancelled)
        #expect(throws: CancellationError.self) { try flag.check() }
    }

    @Test func `cancelling a task sets the flag of its blocking work and waits until the work has ended`() async {
        let work = BlockingWork(label: "test")
        let hasEnded = EndMark()
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await work.runCancellable { cancellation in
                defer { hasEnded.isSet.withLock { $0 = true } }
                beginning.yield()
                while true { try cancellation.check() }
            }
        }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hasEnded.isSet.withLock { $0 })
    }

    private final class EndMark: Sendable {
        let isSet = Mutex(false)
    }

    @Test func `the work of a task that was cancelled before its turn does not start`() async {
        let work = BlockingWork(label: "test")
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await work.runCancellable { _ in Issue.record("it was begun") }
                }
            }
        }
    }

    @Test func `a copy stops within a mebibyte after the flag is set`() throws {
        let folder = try TemporaryFolder()
        let original = try folder.directory.createFile("original")
        try original.truncate(to: 8 << 20)
        let copy = try folder.directory.createFile("copy")
        #expect(throws: CancellationError.self) {
            try copy.copy(from: original, upTo: 8 << 20, cancellation: CancellationFlag(cancelledAfter: 3))
        }
        #expect(try copy.status().size <= 3 << 20)
    }
}
