import FoundationEssentials
import StoreModel
import Testing

@testable import StoreDownloads

/// What is told of a download beside its state, with times that the test makes.
@Suite struct TransferFiguresTests {
    private var figures = TransferFigures()

    private func status(of figures: TransferFigures, received: Int = 0, at now: Double) -> DownloadStatus {
        var status = DownloadStatus(
            operation: OperationID(), action: .install, productIdentifier: "a", store: "s", bytesReceived: received,
            bytesExpected: 10_000)
        figures.tell(&status, at: now)
        return status
    }

    @Test mutating func `rate, time left and source are told while bytes come, and not after`() {
        #expect(status(of: figures, at: 0).source == nil)
        for second in 0...4 {
            figures.follow(.transferring, .nothing, bytes: second * 1000, source: "x", at: Double(second), date: Date())
        }
        let told = status(of: figures, received: 4000, at: 4)
        #expect((told.rate, told.secondsLeft, told.source) == (1000, 6, "x"))
        figures.follow(.unpacking, .unpack, bytes: nil, source: "x", at: 5, date: Date())
        let after = status(of: figures, received: 10_000, at: 5)
        #expect((after.rate, after.secondsLeft, after.source) == (nil, nil, nil))
        // The next transfer has nothing of the one before: a pause is no slow transfer.
        figures.follow(.transferring, .nothing, bytes: 4000, source: "x", at: 1000, date: Date())
        #expect(status(of: figures, received: 4000, at: 1000).rate == nil)
    }

    @Test mutating func `a wait tells when it ends, until it has ended`() throws {
        figures.follow(.waitingToRetry, .wait(.seconds(100)), bytes: nil, source: "x", at: 0, date: Date())
        let retryAt = try #require(status(of: figures, at: 0).retryAt)
        #expect(retryAt > Date() && retryAt <= Date() + 100)
        figures.follow(.waitingToRetry, .nothing, bytes: nil, source: "x", at: 1, date: Date())
        #expect(status(of: figures, at: 1).retryAt == retryAt)
        figures.follow(.queued, .waitForTurn, bytes: nil, source: "x", at: 2, date: Date())
        #expect(status(of: figures, at: 2).retryAt == nil)
    }

    @Test mutating func `progress is told about ten times a second`() {
        var told = 0
        for thousandth in 0..<1000 where figures.mayTell(at: Double(thousandth) / 1000) {
            figures.told(at: Double(thousandth) / 1000)
            told += 1
        }
        #expect((8...12).contains(told))
    }
}
