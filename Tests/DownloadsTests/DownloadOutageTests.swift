import StoreModel
import StoreTransfers
import Testing

@testable import StoreDownloads

/// Tests for how long a download tries to reach a server that is away, and how its attempts are counted.
@Suite struct DownloadOutageTests {
    private typealias Machine = DownloadStateMachineTests.Machine
    private static let broken = DownloadStateMachineTests.broken

    private static func machine(in state: String) -> Machine { DownloadStateMachineTests.machine(in: state) }

    @Test func `a server that never answered is tried for the contact time, whatever the number of attempts`() {
        var machine = Self.machine(in: "connecting")
        let (time, delays) = machine.untilFailed()
        #expect(time == .seconds(10))
        #expect(delays == [500, 1000, 2000, 4000, 2500].map { .milliseconds($0) })
        #expect(machine.error == Self.broken)
    }

    @Test func `a server that answered before is tried for the outage time, at most ten seconds apart`() {
        var machine = Self.machine(in: "connecting")
        machine.progressed(to: 50, of: 100)
        let (time, delays) = machine.untilFailed(from: .seconds(7))
        #expect(time == .seconds(600))
        #expect(delays.count > 10 && delays.max() == .seconds(10))
        #expect(machine.error == Self.broken)
    }

    @Test func `a download that an earlier process began counts as answered`() {
        var machine = Self.machine(in: "connecting")
        #expect(machine.untilFailed(isContinued: true).time == .seconds(600))
    }

    @Test func `an answer ends an outage, also one that is an error`() {
        var machine = Self.machine(in: "connecting")
        #expect(machine.serverUnreachable(at: .zero) == .wait(.milliseconds(500)))
        _ = (machine.retryDue(), machine.admitted())
        let refused = FetchFailure(error: Self.broken, isTransient: true, hasResponse: true)
        #expect(machine.fetchFailed(refused, leaving: .none, at: .seconds(9), jitter: 0) == .wait(.seconds(1)))
        _ = (machine.retryDue(), machine.admitted())
        #expect(machine.untilFailed(from: .seconds(11)).time == .seconds(600))
    }

    @Test func `outages do not use up the attempts`() {
        var machine = Self.machine(in: "connecting")
        machine.progressed(to: 50, of: 100)
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(1)))
        for second in 1...30 {
            _ = (machine.retryDue(), machine.admitted())
            let action = machine.serverUnreachable(at: .seconds(second))
            guard case .wait = action else {
                Issue.record("\(action) at \(second) s")
                return
            }
        }
        _ = (machine.retryDue(), machine.admitted())
        #expect(machine.attempt == 32)
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(2)))
    }

    @Test func `a pause is not another attempt`() {
        var machine = Self.machine(in: "connecting")
        for _ in 1...3 {
            machine.progressed(to: 50, of: 100)
            _ = (machine.pause(by: "the user"), machine.fetchStopped(leaving: .none))
            _ = (machine.resume(), machine.stopped(), machine.admitted())
            #expect(machine.attempt == 1)
        }
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(1)))
        _ = (machine.pause(by: "the user"), machine.stopped())
        _ = (machine.resume(), machine.stopped(), machine.admitted())
        #expect(machine.attempt == 2, "the failure before the pause counts")
    }
}

extension DownloadStateMachine where Content == DownloadStateMachineTests.TestContent {
    /// Reports that the server could not be reached at a time, without jitter.
    fileprivate mutating func serverUnreachable(at now: Duration, isContinued: Bool = false) -> Action {
        fetchFailed(
            FetchFailure(error: DownloadStateMachineTests.broken, isTransient: true, isUnreachable: true),
            leaving: .init(bytesReceived: nil, isContinued: isContinued), at: now, jitter: 0)
    }

    /// Lets the server be unreachable until the download fails.
    ///
    /// - Returns: the time for which the server was tried, and the delays between the attempts.
    fileprivate mutating func untilFailed(
        from start: Duration = .zero, isContinued: Bool = false
    ) -> (time: Duration, delays: [Duration]) {
        var (now, delays) = (start, [Duration]())
        while case .wait(let delay) = serverUnreachable(at: now, isContinued: isContinued) {
            delays.append(delay)
            now += delay
            _ = retryDue()
            _ = admitted()
        }
        return (now - start, delays)
    }
}
