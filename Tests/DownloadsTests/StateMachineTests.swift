import StoreModel
import Testing
import Transfers

@testable import Downloads

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
        Event(description: "connected") { $0.connected(expected: 100) },
        Event(description: "progressed") { $0.progressed(to: 50) },
        Event(description: "transferred") { $0.transferred(size: 100) },
        Event(description: "transferFailed for a while") {
            $0.transferFailed(broken, isTransient: true, jitter: 0)
        },
        Event(description: "transferFailed for good") { $0.transferFailed(broken, isTransient: false, jitter: 0) },
        Event(description: "retryDue") { $0.retryDue() },
        Event(description: "unpacked") { $0.unpacked() },
        Event(description: "saved") { $0.saved() },
        Event(description: "failed") { $0.failed(broken) },
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
        let goal =
            [
                "waitingToRetry": "transferring", "cancelling": "transferring", "suspending": "transferring",
                "cancelled": "transferring", "failed": "transferring", "suspended": "transferring",
            ][state] ?? state
        for (name, step) in way {
            _ = step(&machine)
            if name == goal { break }
        }
        switch state {
        case "waitingToRetry": _ = machine.transferFailed(broken, isTransient: true, jitter: 0)
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
        "created", "waitingForPrerequisites", "queued", "connecting", "transferring", "waitingToRetry", "unpacking",
        "saving", "cancelling", "suspending", "finished", "cancelled", "failed", "suspended",
    ]

    /// What leaves a state: event, the state after it, and what is to be done. Whatever is not here changes nothing.
    static let transitions: [String: [String: (Machine.State, Machine.Action)]] = [
        "created": [
            "start": (.queued, .waitForTurn),
            "cancel": (.ended(.cancelled), .end(.cancelled)),
            "suspend": (.ended(.suspended), .end(.suspended)),
        ],
        "waitingForPrerequisites": stoppable(and: [
            "prerequisitesMet": (.queued, .waitForTurn)
        ]),
        "queued": stoppable(and: ["admitted": (.connecting, .transfer)]),
        "connecting": stoppable(and: [
            "connected": (.transferring, .nothing),
            "transferred": (.unpacking, .unpack),
            "transferFailed for a while": (.waitingToRetry, .wait(.seconds(1))),
            "transferFailed for good": (.ended(.failed(broken)), .end(.failed(broken))),
        ]),
        "transferring": stoppable(and: [
            "progressed": (.transferring, .nothing),
            "transferred": (.unpacking, .unpack),
            "transferFailed for a while": (.waitingToRetry, .wait(.seconds(1))),
            "transferFailed for good": (.ended(.failed(broken)), .end(.failed(broken))),
        ]),
        "waitingToRetry": stoppable(and: ["retryDue": (.connecting, .transfer)]),
        "unpacking": stoppable(and: ["unpacked": (.saving, .save)]),
        "saving": [
            "saved": (.ended(.finished), .end(.finished)),
            "failed": (.ended(.failed(broken)), .end(.failed(broken))),
        ],
        "cancelling": ending(.cancelled),
        "suspending": ending(.suspended).merging(
            ["cancel": (.stopping(.cancelled), .nothing)]) { $1 },
    ]

    static func stoppable(and others: [String: (Machine.State, Machine.Action)]) -> [String: (
        Machine.State, Machine.Action
    )] {
        others.merging([
            "failed": (.ended(.failed(broken)), .end(.failed(broken))),
            "cancel": (.stopping(.cancelled), .interrupt),
            "suspend": (.stopping(.suspended), .interrupt),
        ]) { own, _ in own }
    }

    /// Whatever the work that ran reports, it ends as it was told to.
    static func ending(_ outcome: Machine.Outcome) -> [String: (Machine.State, Machine.Action)] {
        let reports = [
            "prerequisitesMet", "admitted", "transferred", "transferFailed for a while", "transferFailed for good",
            "retryDue", "unpacked", "failed", "stopped",
        ]
        return Dictionary(uniqueKeysWithValues: reports.map { ($0, (.ended(outcome), .end(outcome))) })
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
            var machine = Machine(policy: Self.policy, prerequisites: Bool.random(using: &generator) ? ["base"] : [])
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
        #expect(machine.retryDue() == .transfer)
        #expect(machine.attempt == 2)
        #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .wait(.seconds(2)))
        #expect(machine.retryDue() == .transfer)
        #expect(machine.transferFailed(Self.broken, isTransient: true, jitter: 0) == .end(.failed(Self.broken)))
        #expect(machine.error == Self.broken)
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
