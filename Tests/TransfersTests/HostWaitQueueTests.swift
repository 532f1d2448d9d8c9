import FoundationEssentials
import StoreModel
import Testing

@testable import StoreTransfers

/// The transfers that wait for a host.
@Suite struct HostWaitQueueTests {
    private let start = HostConcurrencyLimiter.Instant.now

    @Test func `the time limit of a transfer includes the wait for its host`() throws {
        let url = try #require(URL(string: "https://example.org/pack.zip"))
        var queue = HostWaitQueue()
        func waiting(_ limit: Duration?) -> HostWaitQueue.Waiting {
            let request = TransferRequest(url, sizeLimit: 1, timeouts: TransferTimeouts(whole: limit))
            return HostWaitQueue.Waiting(job: TransferJob(request)) { fatalError("no transfer is made") }
        }
        let first = waiting(nil)
        _ = queue.begin(first, at: start)
        let throttled = TransferResponse(status: 429, headers: ["retry-after": "5"], effectiveURL: url)
        queue.transferDidEnd(first.job, startedAt: start, throttled, at: start)
        let (short, long, endless) = (waiting(.seconds(2)), waiting(.seconds(3)), waiting(nil))
        for transfer in [long, short, endless] {
            guard case .queued = queue.begin(transfer, at: start) else {
                Issue.record("it does not wait")
                return
            }
        }
        let end = short.job.createdAt + .seconds(2)
        #expect(queue.admit(at: start).next == end)
        #expect(queue.removeExpired(at: end - .nanoseconds(1)).isEmpty)
        #expect(queue.removeExpired(at: end).map { ObjectIdentifier($0.job) } == [ObjectIdentifier(short.job)])
        #expect(queue.removeExpired(at: end).isEmpty)
        #expect(queue.removeAll().map { ObjectIdentifier($0.job) } == [long, endless].map { ObjectIdentifier($0.job) })
    }

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
