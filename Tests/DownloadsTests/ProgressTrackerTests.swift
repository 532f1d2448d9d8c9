import FoundationEssentials
import StoreModel
import StoreTransfers
import Testing

@testable import StoreDownloads

/// Tests rate, source and next attempt of a status with simulated times.
@Suite struct ProgressTrackerTests {
    private var tracker = ProgressTracker()

    private func status(received: Int = 0, at now: Double) -> DownloadStatus {
        var status = DownloadStatus(
            operation: OperationID(), action: .install, productIdentifier: "a", store: "s", bytesReceived: received,
            bytesExpected: 10_000)
        tracker.apply(to: &status, at: now)
        return status
    }

    @Test mutating func `rate, time left and source are reported during a transfer only`() {
        #expect(status(at: 0).source == nil)
        for second in 0...4 { tracker.record(bytes: second * 1000, from: "x", at: Double(second)) }
        let during = status(received: 4000, at: 4)
        #expect((during.rate, during.secondsLeft, during.source) == (1000, 6, "x"))
        tracker.reset()
        let after = status(received: 10_000, at: 5)
        #expect((after.rate, after.secondsLeft, after.source) == (nil, nil, nil))
        // A pause between two transfers does not lower the rate.
        tracker.record(bytes: 4000, from: "x", at: 1000)
        #expect(status(received: 4000, at: 1000).rate == nil)
    }

    @Test mutating func `a wait reports the next attempt until it is over`() {
        let date = Date()
        tracker.record(bytes: 1, from: "x", at: 0)
        tracker.recordWait(until: date + 100)
        #expect(status(at: 1).retryAt == date + 100 && status(at: 1).source == nil)
        tracker.reset()
        #expect(status(at: 2).retryAt == nil)
    }

    @Test func `the one throttle permits ten reports of progress a second`() {
        let throttle = ProgressThrottle()
        let start = ContinuousClock.now
        let permitted = (0..<1000).filter { throttle.permitsReport(at: start + .milliseconds($0)) }
        #expect(permitted == Array(stride(from: 0, to: 1000, by: 100)))
    }
}
