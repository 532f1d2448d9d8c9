import FoundationEssentials
import StoreModel
import Testing

@testable import StoreTransfers

/// The transfers that wait for a host.
@Suite struct HostWaitQueueTests {
    private let start = HostConcurrencyLimiter.Instant.now

    @Test func `a transfer that waits for a host's time either begins, or it is known when`() throws {
        let url = try #require(URL(string: "https://example.org/pack.zip"))
        let waiting = HostWaitQueue.Waiting(job: TransferJob(TransferRequest(url, sizeLimit: 1))) {
            fatalError("no transfer is made")
        }
        let throttled = TransferResponse(status: 429, headers: ["retry-after": "5"], effectiveURL: url)
        // Also at the very moment at which the host's time ends, and just before.
        for nanoseconds in [0, 1, 4_999_999_999, 5_000_000_000, 5_000_000_001, 9_000_000_000] {
            var queue = HostWaitQueue()
            guard case .admitted = queue.begin(waiting, at: start) else {
                Issue.record("it waits")
                return
            }
            queue.transferDidEnd(waiting.job, startedAt: start, throttled, at: start)
            guard case .queued = queue.begin(waiting, at: start) else {
                Issue.record("it does not wait")
                return
            }
            let admission = queue.admit(at: start + .nanoseconds(nanoseconds))
            #expect(admission.transfers.isEmpty == (nanoseconds < 5_000_000_000))
            #expect(admission.next == (admission.transfers.isEmpty ? start + .seconds(5) : nil))
        }
    }
}
