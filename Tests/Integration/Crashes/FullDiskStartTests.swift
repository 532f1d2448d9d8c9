import Foundation
import StoreClient
import Testing

/// Tests starts on a full disk, which the preloaded library simulates.
@Suite(.hangGuard, .enabled(if: CrashShim.canPreload, "the thread sanitizer takes the place of a preloaded library"))
struct FullDiskStartTests {
    @Test func `a start that a full disk ends keeps what is only in the database's journal`() async throws {
        let worker = try CrashWorker(shim: try await CrashShim(), programs: IsolatedPrograms())
        let first = try worker.startDaemon(preloaded: false)
        try #require(try await worker.untilListening(first))
        let granted = try await worker.run([["purchases", "grant", "cups"]])[0]
        try #require(granted.exit == 0, "\(granted)")
        first.signal(SIGKILL)
        _ = try await worker.end(of: first, "the daemon")
        let home = try worker.tree()
        #expect(home.files["data/library.sqlite-wal"]?.isEmpty == false)

        var failedStarts = 0
        for place in 1...32 {
            try worker.put(home)
            let isFull = CrashFault(action: .fail, kinds: .growth, number: ENOSPC, isLasting: true)
            try worker.control.order(isFull, at: place)
            try worker.control.arm()
            let daemon = try worker.startDaemon(preloaded: true)
            if try await worker.untilListening(daemon) { daemon.signal(SIGKILL) } else { failedStarts += 1 }
            _ = try await worker.end(of: daemon, "the daemon")
            try worker.control.disarm()
            let purchases = try await worker.withDaemon { _ in try await worker.client.purchases() }
            #expect(purchases.map(\.productIdentifier) == ["cups"], "after a full disk at call \(place)")
        }
        #expect(failedStarts > 16)
    }
}
