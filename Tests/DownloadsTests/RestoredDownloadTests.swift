import StoreModel
import StoreTransfers
import Testing

@testable import StoreDownloads

/// Tests what a download's status keeps across pauses and across restarts of the daemon.
@Suite struct RestoredDownloadTests {
    private typealias Machine = DownloadStateMachine<DownloadStateMachineTests.TestContent>

    @Test func `a pause does not count as an attempt, and a failure before it does`() {
        var machine = DownloadStateMachineTests.machine(in: "transferring")
        for _ in 1...3 {
            _ = machine.pause(by: "the user")
            #expect(machine.fetchStopped(leaving: .init(bytesReceived: 10)) == .waitForResume)
            _ = machine.resume()
            #expect(machine.stopped() == .waitForSlot)
            #expect(machine.admitted() == .fetch(.init(bytesReceived: 10)))
            #expect(machine.attempt == 1)
        }
        _ = machine.fetchFailed(DownloadStateMachineTests.broken, isTransient: true)
        _ = machine.pause(by: "the user")
        _ = machine.stopped()
        _ = machine.resume()
        #expect(machine.stopped() == .waitForSlot)
        #expect(machine.attempt == 2)
    }

    @Test(arguments: [
        (0, DownloadState.initializing, DownloadState.downloading), (40, .downloading, .downloading),
        (100, .downloaded, .downloaded),
    ])
    func `a download that is restored with its bytes has the state that they prove`(
        bytes: Int, state: DownloadState, later: DownloadState
    ) {
        var machine = Machine(policy: DownloadStateMachineTests.policy, bytesReceived: bytes, bytesExpected: 100)
        #expect(machine.publicState.state == state && machine.publicState.activity == .queued)
        _ = machine.start()
        _ = machine.admitted()
        #expect(machine.publicState.state == state && machine.publicState.activity == .connecting)
        #expect(machine.bytesReceived == bytes)
        // Where the bytes turn out to be wrong, the transfer starts over, and the state does not go back.
        machine.progressed(to: 0, of: 100)
        #expect(machine.publicState.state == later)
    }
}
