import StoreModel
import StoreTestSupport
import StoreTransfers
import Testing

@testable import StoreDownloads

/// Tests every event in every state, including combinations that can't occur.
@Suite struct DownloadStateMachineTests {
    /// Content without files: numbers of bytes, and names.
    enum TestContent: DownloadContent {
        struct Partial: PartialContent, Equatable {
            var bytesReceived: Int?
            var isContinued = false
            static let none = Partial()
        }
        typealias Archive = String
        typealias Staged = String
        typealias Pack = String
    }
    typealias Machine = DownloadStateMachine<TestContent>
    static let archive = "the archive"
    static let staged = "the staged content"
    static let pack = "the pack"
    static let broken = ErrorReport(code: .init("test.broken", .failed), message: "It broke.")
    static let policy = RetryPolicy(attempts: 3, delay: .seconds(1), longestDelay: .seconds(60))

    /// An event and its function, with a name that identifies it in a failure.
    struct Event: CustomStringConvertible, Sendable {
        let description: String
        let apply: @Sendable (inout Machine) -> Machine.Action
    }

    static let events: [Event] = [
        Event(description: "start") { $0.start() },
        Event(description: "prerequisitesInstalled") { $0.prerequisitesInstalled() },
        Event(description: "admitted") { $0.admitted() },
        Event(description: "circuitOpen") { $0.circuitOpen() },
        Event(description: "circuitClosed") { $0.circuitClosed() },
        Event(description: "progressed") {
            $0.progressed(to: 50, of: 100)
            return .none
        },
        Event(description: "fetched") { $0.fetched(archive, size: 100) },
        Event(description: "fetchFailed, transient") { $0.fetchFailed(broken, isTransient: true) },
        Event(description: "fetchFailed, permanent") { $0.fetchFailed(broken, isTransient: false) },
        Event(description: "fetchFailed without a network") {
            $0.fetchFailed(broken, isTransient: true, lacksNetwork: true)
        },
        Event(description: "fetchStopped") { $0.fetchStopped(leaving: .none) },
        Event(description: "retryDue") { $0.retryDue() },
        Event(description: "unpacked") { $0.unpacked(staged) },
        Event(description: "committed") { $0.committed(pack) },
        Event(description: "failed") { $0.failed(broken) },
        Event(description: "pause") { $0.pause(by: "the test") },
        Event(description: "resume") { $0.resume() },
        Event(description: "cancel") { $0.cancel() },
        Event(description: "suspend") { $0.suspend() },
        Event(description: "stopped") { $0.stopped() },
    ]

    /// Returns a machine in the state with this name.
    static func machine(in state: String) -> Machine {
        var machine = Machine(policy: policy, bytesExpected: 100)
        if state == "createdPaused" {
            _ = machine.pause(by: "the test")
            return machine
        }
        if state == "waitingForPrerequisites" {
            machine = Machine(policy: policy, prerequisites: ["base"])
            _ = machine.start()
            return machine
        }
        let way: [(String, (inout Machine) -> Machine.Action)] = [
            ("created", { _ in .none }), ("queued", { $0.start() }), ("connecting", { $0.admitted() }),
            (
                "transferring",
                {
                    $0.progressed(to: 0)
                    return .none
                }
            ), ("unpacking", { $0.fetched(archive, size: 100) }),
            ("committing", { $0.unpacked(staged) }), ("finished", { $0.committed(pack) }),
        ]
        let goal = way.contains { $0.0 == state } ? state : "transferring"
        for (name, step) in way {
            _ = step(&machine)
            if name == goal { break }
        }
        switch state {
        case "waitingToRetry": _ = machine.fetchFailed(broken, isTransient: true)
        case "waitingForNetwork":
            _ = machine.fetchFailed(broken, isTransient: true, lacksNetwork: true)
        case "pausing": _ = machine.pause(by: "the test")
        case "paused":
            _ = machine.pause(by: "the test")
            _ = machine.stopped()
        case "resuming":
            _ = machine.pause(by: "the test")
            _ = machine.stopped()
            _ = machine.resume()
        case "cancelling": _ = machine.cancel()
        case "suspending": _ = machine.suspend()
        case "cancelled":
            _ = machine.cancel()
            _ = machine.stopped()
        case "suspended":
            _ = machine.suspend()
            _ = machine.stopped()
        case "failed": _ = machine.failed(broken)
        default: break
        }
        return machine
    }

    static let states = [
        "created", "createdPaused", "waitingForPrerequisites", "queued", "connecting", "transferring", "waitingToRetry",
        "waitingForNetwork", "unpacking", "committing", "pausing", "paused", "resuming", "cancelling", "suspending",
        "finished", "cancelled", "failed", "suspended",
    ]

    /// The transitions of each state: the event, the next state, and the action.
    ///
    /// Any other event changes nothing.
    static let transitions: [String: [String: (Machine.State, Machine.Action)]] = [
        "created": [
            "start": (.queued, .waitForSlot),
            "pause": (.createdPaused(by: "the test"), .none),
            "cancel": (.ended(.stopped(.cancelled)), .end(.stopped(.cancelled))),
            "suspend": (.ended(.stopped(.suspended)), .end(.stopped(.suspended))),
        ],
        "createdPaused": [
            "start": (.paused(by: "the test"), .waitForResume),
            "resume": (.created, .none),
            "cancel": (.ended(.stopped(.cancelled)), .end(.stopped(.cancelled))),
            "suspend": (.ended(.stopped(.suspended)), .end(.stopped(.suspended))),
        ],
        "waitingForPrerequisites": pausable(and: [
            "prerequisitesInstalled": (.queued, .waitForSlot)
        ]),
        "queued": pausable(and: [
            "admitted": (.connecting, .fetch(.none)),
            "circuitOpen": (.waitingForNetwork, .waitForNetwork),
        ]),
        "connecting": pausable(and: transfer.merging(["progressed": (.transferring, .none)]) { $1 }),
        "transferring": pausable(and: transfer.merging(["progressed": (.transferring, .none)]) { $1 }),
        "waitingToRetry": pausable(and: ["retryDue": (.queued, .waitForSlot)]),
        "waitingForNetwork": pausable(and: ["circuitClosed": (.queued, .waitForSlot)]),
        "unpacking": stoppable(and: ["unpacked": (.committing(archive, staged), .commit(archive, staged))]),
        "committing": [
            "committed": (.ended(.finished(archive, pack)), .end(.finished(archive, pack))),
            "failed": (.ended(.failed(broken)), .end(.failed(broken))),
        ],
        "pausing": ordered((.paused(by: "the test"), .waitForResume)).merging([
            "resume": (.resuming, .none),
            "cancel": (.stopping(.cancelled), .none),
            "suspend": (.stopping(.suspended), .none),
        ]) { $1 },
        "paused": [
            "resume": (.resuming, .interrupt),
            "cancel": (.stopping(.cancelled), .interrupt),
            "suspend": (.stopping(.suspended), .interrupt),
        ],
        "resuming": ordered((.queued, .waitForSlot)).merging([
            "pause": (.pausing(by: "the test"), .none),
            "cancel": (.stopping(.cancelled), .none),
            "suspend": (.stopping(.suspended), .none),
        ]) { $1 },
        "cancelling": ordered((.ended(.stopped(.cancelled)), .end(.stopped(.cancelled)))),
        "suspending": ordered((.ended(.stopped(.suspended)), .end(.stopped(.suspended)))).merging(
            ["cancel": (.stopping(.cancelled), .none)]) { $1 },
    ]

    static let transfer: [String: (Machine.State, Machine.Action)] = [
        "fetched": (.unpacking(archive), .unpack(archive)),
        "fetchFailed, transient": (.waitingToRetry(after: broken), .wait(.seconds(1))),
        "fetchFailed, permanent": (.ended(.failed(broken)), .end(.failed(broken))),
        "fetchFailed without a network": (.waitingForNetwork, .waitForNetwork),
    ]

    static func pausable(and others: [String: (Machine.State, Machine.Action)]) -> [String: (
        Machine.State, Machine.Action
    )] {
        stoppable(and: others.merging(["pause": (.pausing(by: "the test"), .interrupt)]) { $1 })
    }

    static func stoppable(and others: [String: (Machine.State, Machine.Action)]) -> [String: (
        Machine.State, Machine.Action
    )] {
        others.merging([
            "failed": (.ended(.failed(broken)), .end(.failed(broken))),
            "cancel": (.stopping(.cancelled), .interrupt),
            "suspend": (.stopping(.suspended), .interrupt),
        ]) { own, _ in own }
    }

    /// Every report of the running step leads to the requested stop.
    static func ordered(
        _ after: (Machine.State, Machine.Action)
    ) -> [String: (Machine.State, Machine.Action)] {
        let reports = [
            "prerequisitesInstalled", "admitted", "circuitOpen", "circuitClosed", "fetched", "fetchFailed, transient",
            "fetchFailed, permanent", "fetchFailed without a network", "retryDue",
            "unpacked", "failed", "stopped", "fetchStopped",
        ]
        return Dictionary(uniqueKeysWithValues: reports.map { ($0, after) })
    }

    @Test(arguments: states, events) func `every event in every state has the transition of the table`(
        state: String, event: Event
    ) {
        let before = Self.machine(in: state)
        var after = before
        let action = event.apply(&after)
        if let (expectedState, expectedAction) = Self.transitions[state]?[event.description] {
            #expect(after.state == expectedState)
            #expect(action == expectedAction)
        } else {
            #expect(after.state == before.state, "'\(event)' must change nothing in '\(state)'")
            #expect(action == .none)
        }
    }

    @Test(arguments: states) func `a machine that a test builds is in the state with its name`(state: String) {
        let name = "\(Self.machine(in: state).state)"
        let expected = ["cancelling": "stopping", "suspending": "stopping", "cancelled": "cancelled"][state] ?? state
        #expect(name.contains(expected))
    }

    @Test(arguments: states) func `a reason for people has a word for programs, and none without it`(state: String) {
        let machine = Self.machine(in: state)
        #expect((machine.reason == nil) == (machine.reasonCode == nil))
    }

    @Test func `a download ends exactly once, whatever events follow`() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<2000 {
            var machine = Machine(
                policy: Self.policy, prerequisites: Bool.random(using: &generator) ? ["base"] : [],
                pausedBy: Bool.random(using: &generator) ? "the test" : nil)
            var ends = 0
            var reached: [DownloadState] = []
            for _ in 0..<60 {
                let event = Self.events.randomElement(using: &generator)!
                if case .end = event.apply(&machine) { ends += 1 }
                let now = machine.publicState.state
                if reached.last != now { reached.append(now) }
            }
            #expect(ends <= 1)
            let isOver = if case .ended = machine.state { true } else { false }
            #expect(ends == (isOver ? 1 : 0))
            #expect(reached == reached.sorted { order($0) < order($1) }, "states only go forward: \(reached)")
        }
    }

    private func order(_ state: DownloadState) -> Int {
        switch state {
        case .initializing: 0
        case .downloading: 1
        case .downloaded: 2
        case .finished, .cancelled, .failed: 3
        }
    }

    @Test func `a failed transfer is retried as often as the policy permits, with doubled delays`() {
        var machine = Self.machine(in: "connecting")
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(1)))
        #expect(machine.reason == Self.broken.message)
        #expect(machine.retryDue() == .waitForSlot)
        #expect(machine.admitted() == .fetch(.none))
        #expect(machine.attempt == 2)
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(2)))
        #expect(machine.retryDue() == .waitForSlot)
        #expect(machine.admitted() == .fetch(.none))
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .end(.failed(Self.broken)))
        #expect(machine.error == Self.broken)
    }

    @Test func `a transfer that makes progress is retried however often the connection breaks`() {
        var machine = Self.machine(in: "connecting")
        for attempt in 1...50 {
            #expect(machine.attempt == attempt)
            machine.progressed(to: attempt, of: 1000)
            #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(1)))
            _ = machine.retryDue()
            _ = machine.admitted()
        }
        // Bytes that were received before are not progress.
        for wait in [2, 4] {
            machine.progressed(to: 50 - wait, of: 1000)
            let expected: Machine.Action = wait == 2 ? .wait(.seconds(2)) : .end(.failed(Self.broken))
            #expect(machine.fetchFailed(Self.broken, isTransient: true) == expected)
            _ = machine.retryDue()
            _ = machine.admitted()
        }
    }

    @Test func `failures without a network do not count as attempts`() {
        var machine = Self.machine(in: "connecting")
        for _ in 1...20 {
            let action = machine.fetchFailed(Self.broken, isTransient: true, lacksNetwork: true)
            #expect(action == .waitForNetwork)
            #expect(machine.reason == "waiting for the network" && machine.publicState.activity == .waiting)
            #expect(machine.circuitClosed() == .waitForSlot)
            _ = machine.admitted()
        }
        #expect(machine.attempt == 21)
        #expect(machine.fetchFailed(Self.broken, isTransient: true) == .wait(.seconds(1)))
    }

    @Test(arguments: states) func `a download that can be paused reports the pause and its originator at once`(
        state: String
    ) {
        var machine = Self.machine(in: state)
        _ = machine.pause(by: "the test")
        let isPaused =
            Self.transitions[state]?["pause"] != nil || ["createdPaused", "pausing", "paused"].contains(state)
        #expect(machine.isPaused == isPaused && Self.machine(in: state).canPause == isPaused)
        #expect((machine.publicState.activity == .paused) == isPaused)
        #expect((machine.reason == "paused by the test") == isPaused)
        #expect(!isPaused || machine.isIdle)
        _ = machine.resume()
        #expect(!machine.isPaused && machine.publicState.activity != .paused)
    }

    @Test func `a download that is restored as paused does nothing until it is resumed`() {
        var machine = Machine(
            policy: Self.policy, bytesReceived: 40, bytesExpected: 100, prerequisites: ["base"], pausedBy: "the user")
        #expect(machine.publicState.activity == .paused && machine.reason == "paused by the user")
        #expect(machine.start() == .waitForResume)
        #expect((machine.bytesReceived, machine.bytesExpected, machine.attempt) == (40, 100, 1))
        #expect(machine.resume() == .interrupt)
        #expect(machine.stopped() == .waitForPrerequisites)
        #expect(machine.prerequisitesInstalled() == .waitForSlot)
        #expect(machine.pause(by: "the user") == .interrupt)
        #expect(machine.stopped() == .waitForResume)
        #expect(machine.resume() == .interrupt)
        // The prerequisites were installed before the pause.
        #expect(machine.stopped() == .waitForSlot)
        #expect(machine.attempt == 1)
    }

    @Test func `received bytes that were not reported yet count when a fetch stops or fails`() {
        var machine = Self.machine(in: "transferring")
        machine.progressed(to: 10)
        _ = machine.pause(by: "the user")
        #expect(machine.fetchStopped(leaving: .init(bytesReceived: 60)) == .waitForResume)
        #expect(machine.bytesReceived == 60)
        machine = Self.machine(in: "transferring")
        for bytes in [5, 6, 7, 8] {
            let failure = FetchFailure(error: Self.broken, isTransient: true)
            let action = machine.fetchFailed(failure, leaving: .init(bytesReceived: bytes), at: .zero, jitter: 0)
            #expect(action == .wait(.seconds(1)))
            #expect(machine.bytesReceived == bytes)
            _ = machine.retryDue()
            _ = machine.admitted()
        }
    }

    @Test func `a pause that is revoked before the running step stopped has no effect`() {
        var machine = Self.machine(in: "transferring")
        #expect(machine.pause(by: "the user") == .interrupt)
        #expect(machine.resume() == .none)
        #expect(machine.pause(by: "the user") == .none)
        #expect(machine.resume() == .none)
        #expect(machine.stopped() == .waitForSlot)
        #expect(machine.attempt == 1)
    }

    @Test func `the size in the catalogue applies until the server states another`() {
        var machine = Self.machine(in: "connecting")
        machine.progressed(to: 0)
        #expect(machine.bytesExpected == 100)
        machine.progressed(to: 60)
        #expect(machine.bytesReceived == 60)
        _ = machine.fetched(Self.archive, size: 90)
        #expect(machine.bytesReceived == 90)
        #expect(machine.bytesExpected == 90)
    }

    @Test func `a task that is cancelled while it waits to retry ends as cancelled`() {
        var machine = Self.machine(in: "waitingToRetry")
        #expect(machine.cancel() == .interrupt)
        #expect(machine.stopped() == .end(.stopped(.cancelled)))
        #expect(machine.publicState.state == .cancelled)
        #expect(machine.error == nil)
    }
}

extension DownloadStateMachine where Content == DownloadStateMachineTests.TestContent {
    /// Reports a failed fetch without progress and without jitter.
    mutating func fetchFailed(
        _ error: ErrorReport, isTransient: Bool, lacksNetwork: Bool = false
    ) -> Action {
        fetchFailed(
            FetchFailure(error: error, isTransient: isTransient, lacksNetwork: lacksNetwork), leaving: .none, at: .zero,
            jitter: 0)
    }
}
