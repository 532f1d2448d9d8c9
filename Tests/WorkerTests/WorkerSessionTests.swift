import FoundationEssentials
import StoreModel
import StoreSystem
import Testing

@testable import StoreWorker

/// The life of a worker as its supervisor sees it, without a process.
@Suite struct WorkerSessionTests {
    private let done = Array((try? JSON.encode(WorkerReport.done)) ?? Data())
    private let exited = ProcessEnd(exitCode: 0)

    private func session() -> WorkerSession { WorkerSession(limits: WorkerLimits()) }

    /// A session whose worker has sent a report and ended.
    private func result(_ report: [UInt8], _ end: ProcessEnd) -> WorkerSession.Action {
        var session = session()
        #expect(session.received(report) == .wait)
        #expect(session.received([]) == .wait)
        return session.ended(end)
    }

    @Test func `a worker has a result when its report and its process have ended`() {
        #expect(result(done, exited) == .finish(.done))
    }

    @Test func `the report may come in pieces`() {
        var session = session()
        for byte in done { #expect(session.received([byte]) == .wait) }
        #expect(session.received([]) == .wait)
        #expect(session.ended(exited) == .finish(.done))
    }

    @Test func `the text of a report is cut by its bytes`() throws {
        // One character of any number of bytes.
        let text = "e" + String(repeating: "\u{301}", count: 100_000)
        let report = ErrorReport(code: ErrorCode("content.other", .refused), message: text, hint: text)
        let checked = try report.checked()
        #expect(checked.message.utf8.count <= 2100 && checked.hint?.utf8.count ?? 0 <= 2100)
    }

    @Test(arguments: ["", "{}", "null", #"{"done":{}}x"#, #"{"done":{},"done":{}}"#, #"{"other":{}}"#, "\u{0}"])
    func `a malformed report is that of a worker that crashed`(report: String) {
        guard case .fail(.crashed) = result(Array(report.utf8), exited) else {
            Issue.record("\(report) was taken for a report")
            return
        }
    }

    @Test func `a report of a worker that did not exit as it should is not used`() {
        for end in [ProcessEnd(exitCode: 1), ProcessEnd(exitCode: WorkerExitCode.refused), ProcessEnd(signal: 11)] {
            guard case .fail(.crashed) = result(done, end) else {
                Issue.record("\(end)")
                continue
            }
        }
    }

    @Test func `the signal of processor time is a timeout, and one after much memory an excess of memory`() {
        #expect(result([], ProcessEnd(signal: Signal.processorTime.rawValue)) == .fail(.timeout))
        let limit = WorkerLimits().memory
        #expect(result([], ProcessEnd(signal: 5, largestMemory: limit)) == .fail(.memory))
        #expect(result([], ProcessEnd(signal: 5, largestMemory: limit / 2)) == .fail(.crashed("signal 5")))
    }

    @Test func `a report without an end is cut off`() {
        var session = session()
        let piece = [UInt8](repeating: 0x20, count: WorkerReport.sizeLimit)
        #expect(session.received(piece) == .wait)
        #expect(session.received([0x20]) == .kill)
        #expect(session.received(piece) == .wait)
        #expect(session.received([]) == .fail(.crashed("its report is too long")))
    }

    @Test func `a worker that is killed has failed only when its report has ended`() {
        for (event, failure) in [
            ({ $0.timeIsOver() }, WorkerFailure.timeout), ({ $0.cancelled() }, .cancelled),
            ({ $0.helperEnded() }, .crashed("it was killed")),
        ] as [((inout WorkerSession) -> WorkerSession.Action, WorkerFailure)] {
            var session = session()
            #expect(event(&session) == .kill)
            #expect(session.timeIsOver() == .wait)
            #expect(session.received(done) == .wait)
            #expect(session.ended(exited) == .wait)
            #expect(session.received([]) == .fail(failure))
            #expect(session.received([]) == .wait)
        }
    }

    @Test func `a worker that closes its report and goes on is killed at the end of its time`() {
        var session = session()
        #expect(session.received([]) == .wait)
        #expect(session.timeIsOver() == .fail(.timeout))
        #expect(session.ended(exited) == .wait)
    }

    @Test func `how a worker ended counts only after its report`() {
        var session = session()
        #expect(session.ended(exited) == .wait)
        #expect(session.received([]) == .wait)
        #expect(session.helperEnded() == .fail(.crashed("it was killed")))
    }
}
