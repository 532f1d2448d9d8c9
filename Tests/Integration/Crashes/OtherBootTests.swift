import Foundation
import StoreTestSupport
import Testing

/// Tests events after the machine has started again, which the preloaded library simulates.
@Suite(.hangGuard, .enabled(if: CrashShim.canPreload, "the thread sanitizer takes the place of a preloaded library"))
struct OtherBootTests {
    @Test(arguments: [false, true])
    func `events continue after a kill, and have expired after a power cut`(isOtherBoot: Bool) async throws {
        let store = try await UpdateStore("cups")
        let worker = try CrashWorker(shim: try await CrashShim(), programs: IsolatedPrograms())
        let daemon = try worker.startDaemon(preloaded: false)
        try #require(try await worker.untilListening(daemon))
        let witness = try await worker.startWitness()
        for words in [
            ["store", "add", "shop", "file://" + store.store.publicPath + "/", "--unsigned"], ["install", "cups"],
        ] {
            let result = try await worker.run([words])[0]
            try #require(result.exit == 0, "\(result)")
        }
        daemon.signal(SIGKILL)
        _ = try await worker.end(of: daemon, "the daemon")
        let received = try await witness.received()
        let first = try #require(received.first)
        #expect(received.count > 3)
        try await worker.withDaemon(isOtherBoot: isOtherBoot) { _ in
            let stream = try WireEvents("/v1/events?after=\(first.sequence)", at: worker.home + "/run/stored.sock")
            #expect(try stream.status() == (isOtherBoot ? 410 : 200))
            try await worker.checkEvents(received, mayBeGone: isOtherBoot)
        }
    }
}
