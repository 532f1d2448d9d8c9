import Dispatch
import Synchronization
import Testing

@testable import StoreTransfers

@Suite struct ProgressReporterTests {
    /// Returns what the function gets of the reports that `body` makes until ``ProgressReporter/finish()`` returns.
    private func reports(
        _ handler: @escaping @Sendable (Int) -> Void = { _ in }, _ body: (ProgressReporter) -> Void
    ) async -> [Int] {
        let passed = Mutex<[Int]>([])
        let reporter = ProgressReporter { progress in
            handler(progress.received)
            passed.withLock { $0.append(progress.received) }
        }
        body(reporter)
        await reporter.finish()
        return passed.withLock { $0 }
    }

    private func progress(_ received: Int) -> TransferProgress {
        TransferProgress(received: received, expected: nil, resumedFrom: 0)
    }

    @Test(.hangGuard) func `the last report is passed on before the end, and none out of order`() async {
        for count in 0..<100 {
            let passed = await reports { reporter in
                for number in 0..<count {
                    reporter.report(progress(number), isLast: number == count - 1 && count.isMultiple(of: 2))
                }
            }
            #expect(passed.last == (count == 0 ? nil : count - 1) && passed == passed.sorted())
            #expect(Set(passed).count == passed.count)
        }
    }

    @Test(.hangGuard) func `a slow function gets only the first report and the latest`() async {
        let (isCalled, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let passed = await reports { number in
            guard number == 0 else { return }
            isCalled.signal()
            mayReturn.wait()
        } _: { reporter in
            reporter.report(progress(0))
            isCalled.wait()
            for number in 1...5 { reporter.report(progress(number), isLast: number == 5) }
            mayReturn.signal()
        }
        #expect(passed == [0, 5])
    }
}
