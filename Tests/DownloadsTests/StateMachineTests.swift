import StoreModel
import StoreTransfers
import Testing

@testable import StoreDownloads

/// Every event in every state: those that leave it, and those that can't happen in it.
@Suite struct StateMachineTests {
    typealias Machine = DownloadStateMachine
    static let broken = ErrorReport(code: .init("test.broken", .failed), message: "It broke.")
    static let policy = RetryPolicy(attempts: 3, delay: .seconds(1), longestDelay: .seconds(60))

    /// An event with what it does, by name, so that a failing case says which it was.
    struct Event: CustomStringConvertible, Sendable {
        let description: String
        let apply: @Sendable (inout Machine) -> Machine.Action
    }

    static let events: [Event] = [
        Event(description: "start") { $0.start() },
        Event(description: "prerequisitesMet") { $0.prerequisitesMet() },
        Event(description: "admitted") { $0.admitted() },
        Event(description: "networkMissing") { $0.networkMissing() },
        Event(description: "networkBack") { $0.networkBack() },
        Event(description: "connected") { $0.connected(expected: 100) },
        Event(description: "progressed") { $0.progressed(to: 50) },
        Event(description: "transferred") { $0.transferred(size: 100) },
        Event(description: "transferFailed for a while") {
            $0.transferFailed(broken, isTransient: true, jitter: 0)
        },
        Event(description: "transferFailed for good") { $0.transferFailed(broken, isTransient: false, jitter: 0) },
        Event(description: "transferFailed without a network") {
            $0.transferFailed(broken, isTransient: true, lacksNetwork: true, jitter: 0)
        },
        Event(description: "retryDue") { $0.retryDue() },
        Event(description: "unpacked") { $0.unpacked() },
        Event(description: "saved") { $0.saved() },
        Event(description: "failed") { $0.failed(broken) },
        Event(description: "pause") { $0.pause(by: "the test") },
        Event(description: "resume") { $0.resume() },
        Event(description: "cancel") { $0.cancel() },
        Event(description: "suspend") { $0.suspend() },
        Event(description: "stopped") { $0.stopped() },
    ]

    /// A machine in each of its states, by the name of the state.
    static func machine(in state: String) -> Machine {
        var machine = Machine(policy: policy, bytesExpected: 100)
        if state == "waitingForPrerequisites" {
            machine = Machine(policy: policy, prerequisites: ["base"])
            _ = machine.start()
            return machine
        }
        let way: [(String, (inout Machine) -> Machine.Action)] = [
            ("created", { _ in .nothing }), ("queued", { $0.start() }), ("connecting", { $0.admitted() }),
            ("transferring", { $0.connected(expected: nil) }), ("unpacking", { $0.transferred(size: 100) }),
            ("saving", { $0.unpacked() }), ("finished", { $0.saved() }),
        ]
        let goal = way.contains { $0.0 == state } ? state : "transferring"
        for (name, step) in way {
            _ = step(&machine)
            if name == goal { break }
        }
        switch state {
        case "waitingToRetry": _ = machine.transferFailed(broken, isTransient: true, jitter: 0)
        case "waitingForNetwork":
            _ = machine.transferFailed(broken, isTransient: true, lacksNetwork: true, jitter: 0)
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
        "created", "waitingForPrerequisites", "queued", "connecting", "transferring", "waitingToRetry",
        "waitingForNetwork", "unpacking", "saving", "pausing", "paused", "resuming", "cancelling", "suspending",
        "finished", "cancelled", "failed", "suspended",
    ]

    /// What leaves a state: event, the state after it, and what is to be done. Whatever is not here changes nothing.
    static let transitions: [String: [String: (Machine.State, Machine.Action)]] = [
        "created": [
            "start": (.queued, .waitForTurn),
            "cancel": (.ended(.cancelled), .end(.cancelled)),
            "suspend": (.ended(.suspended), .end(.suspended)),
        ],
        "waitingForPrerequisites": pausable(and: [
            "prerequisitesMet": (.queued, .waitForTurn)
        ]),
        "queued": pausable(and: [
            "admitted": (.connecting, .transfer),
            "networkMissing": (.waitingForNetwork, .waitForNetwork),
        ]),
        "connecting": pausable(and: transfer.merging(["connected": (.transferring, .nothing)]) { $1 }),
        "transferring": pausable(and: transfer.merging(["progressed": (.transferring, .nothing)]) { $1 }),
        "waitingToRetry": pausable(and: ["retryDue": (.queued, .waitForTurn)]),
        "waitingForNetwork": pausable(and: ["networkBack": (.queued, .waitForTurn)]),
        "unpacking": stoppable(and: ["unpacked": (.saving, .save)]),
        "saving": [
            "saved": (.ended(.finished), .end(.finished)),
            "failed": (.ended(.failed(broken)), .end(.failed(broken))),
        ],
        "pausing": told((.paused, .standStill)).merging([
            "resume": (.resuming, .nothing),
            "cancel": (.stopping(.cancelled), .nothing),
            "suspend": (.stopping(.suspended), .nothing),
        ]) { $1 },
        "paused": [
            "resume": (.resuming, .interrupt),
            "cancel": (.stopping(.cancelled), .interrupt),
            "suspend": (.stopping(.suspended), .interrupt),
        ],
        "resuming": told((.queued, .waitForTurn)).merging([
            "pause": (.pausing, .nothing),
            "cancel": (.stopping(.cancelled), .nothing),
            "suspend": (.stopping(.suspended), .nothing),
        ]) { $1 },
        "cancelling": told((.ended(.cancelled), .end(.cancelled))),
        "suspending": told((.ended(.suspended), .end(.suspended))).merging(
            ["cancel": (.stopping(.cancelled), .nothing)]) { $1 },
    ]

    static let transfer: [String: (Machine.State, Machine.Action)] = [
        "transferred": (.unpacking, .unpack),
        "transferFailed for a while": (.waitingToRetry, .wait(.seconds(1))),
        "transferFailed for good": (.ended(.failed(broken)), .end(.failed(broken))),
        "transferFailed without a network": (.waitingForNetwork, .waitForNetwork),
    ]

    static func pausable(and others: [String: (Machine.State, Machine.Action)]) -> [String: (
        Machine.State, Machine.Action
    )] {
        stoppable(and: others.merging(["pause": (.pausing, .interrupt)]) { $1 })
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

    /// Whatever the work that ran reports, it becomes what it was told to become.
    static func told(
        _ after: (Machine.State, Machine.Action)
    ) -> [String: (Machine.State, Machine.Action)] {
        let reports = [
            "prerequisitesMet", "admitted", "networkMissing", "networkBack", "transferred",
            "transferFailed for a while", "transferFailed for good", "transferFailed without a network", "retryDue",
            "unpacked", "failed", "stopped",
        ]
        return Dictionary(uniqueKeysWithValues: reports.map { ($0, after) })
    }

    @Test(arguments: states, events) func `every event in every state does what the table says`(
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
            #expect(action == .nothing)
        }
    }

    @Test(arguments: states) func `the machine of a test is in the state it is called after`(state: String) {
        let name = "\(Self.machine(in: state).state)"
        let expected = ["cancelling": "stopping", "suspending": "stopping"][state] ?? state
        #expect(name.contains(expected))
    }

    @Test func `an end is told once, whatever comes after it`() {
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

    @Test func `a transfer is tried as often as the policy says, with waits that double`() {
        var machine = Self.machine(in: "connecting")
        #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .wait(.seconds(1)))
        #expect(machine.reason == Self.broken.message)
        #expect(machine.retryDue() == .waitForTurn)
        #expect(machine.admitted() == .transfer)
        #expect(machine.attempt == 2)
        #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .wait(.seconds(2)))
        #expect(machine.retryDue() == .waitForTurn)
        #expect(machine.admitted() == .transfer)
        #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .end(.failed(Self.broken)))
        #expect(machine.error == Self.broken)
    }

    @Test func `a file that comes on is waited for, however often the connection breaks`() {
        var machine = Self.machine(in: "connecting")
        for attempt in 1...50 {
            #expect(machine.attempt == attempt)
            _ = machine.connected(expected: 1000)
            _ = machine.progressed(to: attempt)
            #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .wait(.seconds(1)))
            _ = machine.retryDue()
            _ = machine.admitted()
        }
        // Bytes that were there before are no progress.
        for wait in [2, 4] {
            _ = machine.connected(expected: 1000)
            _ = machine.progressed(to: 50 - wait)
            let expected: Machine.Action = wait == 2 ? .wait(.seconds(2)) : .end(.failed(Self.broken))
            #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == expected)
            _ = machine.retryDue()
            _ = machine.admitted()
        }
    }

    @Test func `without a network no attempt is used up`() {
        var machine = Self.machine(in: "connecting")
        for _ in 1...20 {
            let action = machine.transferFailed(Self.broken, isTransient: true, lacksNetwork: true, jitter: 0)
            #expect(action == .waitForNetwork)
            #expect(machine.reason == "waits for the network" && machine.publicState.activity == .waiting)
            #expect(machine.networkBack() == .waitForTurn)
            _ = machine.admitted()
        }
        #expect(machine.attempt == 21)
        #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .wait(.seconds(1)))
    }

    @Test(arguments: states) func `what is paused says so and who did it, from the order on`(state: String) {
        var machine = Self.machine(in: state)
        _ = machine.pause(by: "the test")
        let isPaused = Self.transitions[state]?["pause"] != nil || ["created", "pausing", "paused"].contains(state)
        #expect((machine.pausedBy != nil) == isPaused)
        #expect((machine.publicState.activity == .paused) == isPaused)
        #expect((machine.reason == "paused by the test") == isPaused)
        #expect(!isPaused || machine.isIdle)
        _ = machine.resume()
        #expect(machine.pausedBy == nil && machine.publicState.activity != .paused)
    }

    @Test func `one that was paused before it began stands still, and keeps what was known of it`() {
        var machine = Machine(
            policy: Self.policy, bytesReceived: 40, bytesExpected: 100, prerequisites: ["base"], pausedBy: "the user")
        #expect(machine.publicState.activity == .paused && machine.reason == "paused by the user")
        #expect(machine.start() == .standStill)
        #expect((machine.bytesReceived, machine.bytesExpected, machine.attempt) == (40, 100, 1))
        #expect(machine.resume() == .interrupt)
        #expect(machine.stopped() == .waitForPrerequisites)
        #expect(machine.prerequisitesMet() == .waitForTurn)
        #expect(machine.pause(by: "the user") == .interrupt)
        #expect(machine.stopped() == .standStill)
        #expect(machine.resume() == .interrupt)
        // What it needed came before.
        #expect(machine.stopped() == .waitForTurn)
        #expect(machine.attempt == 1)
    }

    @Test func `bytes that came and were not told of count, when it stops and when it fails`() {
        var machine = Self.machine(in: "transferring")
        _ = machine.progressed(to: 10)
        _ = machine.pause(by: "the user")
        #expect(machine.stopped(at: 60) == .standStill)
        #expect(machine.bytesReceived == 60)
        machine = Self.machine(in: "transferring")
        for bytes in [5, 6, 7, 8] {
            #expect(machine.transferFailed(Self.broken, isTransient: true, at: bytes, jitter: 0) == .wait(.seconds(1)))
            #expect(machine.bytesReceived == bytes)
            _ = machine.retryDue()
            _ = machine.admitted()
        }
    }

    @Test func `a pause that is taken back before anything stopped is none`() {
        var machine = Self.machine(in: "transferring")
        #expect(machine.pause(by: "the user") == .interrupt)
        #expect(machine.resume() == .nothing)
        #expect(machine.pause(by: "the user") == .nothing)
        #expect(machine.resume() == .nothing)
        #expect(machine.stopped() == .waitForTurn)
        #expect(machine.attempt == 2)
    }

    @Test func `what the store said of the size holds until the server says better`() {
        var machine = Self.machine(in: "connecting")
        _ = machine.connected(expected: nil)
        #expect(machine.bytesExpected == 100)
        _ = machine.progressed(to: 60)
        #expect(machine.bytesReceived == 60)
        _ = machine.transferred(size: 90)
        #expect(machine.bytesReceived == 90)
        #expect(machine.bytesExpected == 90)
    }

    @Test func `a cancelled task that waits to try again ends as cancelled`() {
        var machine = Self.machine(in: "waitingToRetry")
        #expect(machine.cancel() == .interrupt)
        #expect(machine.stopped() == .end(.cancelled))
        #expect(machine.publicState.state == .cancelled)
        #expect(machine.error == nil)
    }
}

@Suite struct RetryPolicyTests {
    @Test func `jitter takes away up to half, and a server's wish is a floor`() {
        let policy = RetryPolicy(attempts: 10, delay: .seconds(4), longestDelay: .seconds(20))
        #expect(policy.wait(after: 1, retryAfter: nil, jitter: 0) == .seconds(4))
        #expect(policy.wait(after: 1, retryAfter: nil, jitter: 1) == .seconds(2))
        #expect(policy.wait(after: 2, retryAfter: nil, jitter: 0) == .seconds(8))
        #expect(policy.wait(after: 1, retryAfter: .seconds(9), jitter: 0) == .seconds(9))
    }

    @Test func `no wait is longer than the longest, however often it failed or whatever the server asks`() {
        let policy = RetryPolicy(attempts: 1000, delay: .seconds(4), longestDelay: .seconds(20))
        for attempt in [4, 10, 63, 64, 65, 999] {
            #expect(policy.wait(after: attempt, retryAfter: nil, jitter: 0) == .seconds(20))
        }
        #expect(policy.wait(after: 1, retryAfter: .seconds(86_400), jitter: 0) == .seconds(20))
        #expect(policy.wait(after: 1000, retryAfter: nil, jitter: 0) == nil)
    }

    @Test func `attempts are counted from the last that brought bytes`() {
        let policy = RetryPolicy(attempts: 3, delay: .seconds(1), longestDelay: .seconds(60))
        var budget = RetryBudget(policy, at: 10)
        func wait(_ bytes: Int) -> Duration? {
            budget.wait(afterFailureAt: bytes, retryAfter: nil, jitter: 0)
        }
        #expect(wait(10) == .seconds(1))
        #expect(wait(10) == .seconds(2))
        for bytes in 11...40 { #expect(wait(bytes) == .seconds(1)) }
        #expect(wait(40) == .seconds(2))
        #expect(wait(40) == nil)
        // One that begins again at the first byte, and never gets further than before, comes to an end.
        budget = RetryBudget(policy)
        #expect([30, 10, 20].map { wait($0) } == [.seconds(1), .seconds(2), nil])
    }

    @Test func `there is always one attempt`() {
        #expect(RetryPolicy(attempts: 0).attempts == 1)
        #expect(RetryPolicy(attempts: 1).wait(after: 1, retryAfter: nil, jitter: 0) == nil)
    }
}

/// The same numbers for the same seed (splitmix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
