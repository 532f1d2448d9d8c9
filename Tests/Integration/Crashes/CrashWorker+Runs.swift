import Foundation
import StoreModel

/// What became of a run.
struct CrashOutcome: Sendable {
    /// The call that was killed or that failed; `nil` where the run ended before it.
    var call: String?
    /// Whether everything was done, as it was found at the end of recovery.
    var isNew = false
    var exits: [Int32] = []
    /// What did not hold.
    var problem: String?
}

/// Something that may be hit by a crash, and what must hold after it.
protocol CrashSubject: Sendable {
    var name: String { get }
    /// Whether what must hold can be told after such a fault.
    func canJudge(_ fault: CrashFault) -> Bool
    /// Makes one run, and holds what it leaves to what must hold.
    ///
    /// - Parameter place: which of the calls that count is hit, from 1.
    func run(on worker: CrashWorker, _ fault: CrashFault, at place: Int) async -> CrashOutcome
    /// Makes a run that nobody disturbs, with all that it does written down.
    func record(on worker: CrashWorker) async throws -> PowerCutModel
    /// Begins with what a power cut left, and holds what comes of it to what must hold.
    func recover(from state: PowerCutState, on worker: CrashWorker) async -> CrashOutcome
}

extension CrashSubject {
    func canJudge(_ fault: CrashFault) -> Bool { true }
}

/// A daemon's home, and commands of `storectl`.
struct HomeSubject: CrashSubject {
    let scenario: CrashScenario

    func canJudge(_ fault: CrashFault) -> Bool { !scenario.hasDownloadBeside || fault.action != .fail }
    let home: CrashRig.Home
    var name: String { scenario.name }
    private var after: HomeFacts {
        var facts = home.facts
        scenario.after(&facts)
        return facts
    }

    func run(on worker: CrashWorker, _ fault: CrashFault, at place: Int) async -> CrashOutcome {
        await worker.run(scenario, from: home, fault, at: place)
    }

    func record(on worker: CrashWorker) async throws -> PowerCutModel {
        try worker.put(home.tree)
        try worker.control.order(.none)
        let record = worker.folder.path + "/record"
        try? FileManager.default.removeItem(atPath: record)
        let daemon = try worker.startDaemon(preloaded: true, record: record)
        guard try await worker.untilListening(daemon) else { throw CrashWorker.Wrong(description: "does not start") }
        let results = try await worker.run(scenario.commands)
        guard results.allSatisfy({ $0.exit == 0 }) else { throw CrashWorker.Wrong(description: "\(results)") }
        try RecordedCall.noteTold(in: record)
        try await worker.untilTrashIsEmpty(daemon)
        _ = try await worker.stop(daemon)
        return PowerCutModel(from: home.tree, try RecordedCall.read(record))
    }

    func recover(from state: PowerCutState, on worker: CrashWorker) async -> CrashOutcome {
        var outcome = CrashOutcome(call: state.origin)
        do {
            try worker.put(state.tree)
            try worker.checkRemains()
            outcome.isNew = try await worker.checkRecovery(
                scenario, from: home, after, isTold: state.isTold, mayFail: false)
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }
}

extension CrashWorker {
    /// Makes one run, and holds what it leaves to what must hold.
    ///
    /// - Parameter place: which of the calls that count is hit, from 1.
    func run(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ fault: CrashFault, at place: Int
    ) async -> CrashOutcome {
        var outcome = CrashOutcome()
        var after = home.facts
        scenario.after(&after)
        do {
            try put(home.tree)
            try control.order(fault, at: place)
            if fault.action == .fail {
                try await fail(scenario, from: home, after, fault, place, &outcome)
            } else {
                try await kill(scenario, from: home, after, fault, &outcome)
            }
        } catch {
            outcome.problem = "\(error)"
        }
        outcome.call = try? control.call
        return outcome
    }

    // MARK: Killed

    private func kill(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ after: HomeFacts, _ fault: CrashFault,
        _ outcome: inout CrashOutcome
    ) async throws {
        if scenario.countsStart { try control.arm() }
        let daemon = try startDaemon(preloaded: true)
        if try await untilListening(daemon) {
            if !scenario.countsStart { try control.arm() }
            outcome.exits = try await run(scenario.commands).map(\.exit)
            try await untilTrashIsEmpty(daemon)
        }
        let end = try await stop(daemon)
        let isHit = try control.call != nil
        guard isHit ? end.exit == 128 + SIGKILL : end.exit == 0 else { throw Wrong(description: "ended so: \(end)") }
        if !isHit, !outcome.exits.allSatisfy({ $0 == 0 }) {
            throw Wrong(description: "undisturbed, and exit codes \(outcome.exits)")
        }
        try checkRemains()
        outcome.isNew = try await checkRecovery(
            scenario, from: home, after, isTold: !outcome.exits.isEmpty && outcome.exits.contains(0), mayFail: false)
    }

    func untilTrashIsEmpty(_ daemon: Programs.Running) async throws {
        let deadline = ContinuousClock.now + .seconds(2)
        while daemon.isRunning, ContinuousClock.now < deadline,
            (try? FileManager.default.contentsOfDirectory(atPath: home + "/data/trash"))?.isEmpty == false
        {
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Starts the daemon again, without the library, and looks at everything.
    ///
    /// - Parameter isTold: whether somebody was told that it is done.
    /// - Returns: whether it is.
    func checkRecovery(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ after: HomeFacts, isTold: Bool, mayFail: Bool,
        mayStay: Bool = false
    ) async throws -> Bool {
        try await withDaemon { daemon in
            do {
                let found = try await checkAtRest()
                guard isTold ? found == after : found.isBetween(home.facts, and: after) else {
                    throw Wrong(description: "is \(found), was \(home.facts)" + (isTold ? ", and told to be done" : ""))
                }
                try await checkHistory(
                    since: home.operations, home.facts, after, found: found, mayFail: mayFail, mayStay: mayStay)
                try await goOn(scenario, found, after)
                return found == after
            } catch {
                throw Wrong(description: "\(error)\n    daemon: \(daemon.errors)")
            }
        }
    }

    /// The next command works.
    private func goOn(_ scenario: CrashScenario, _ found: HomeFacts, _ after: HomeFacts) async throws {
        if let again = scenario.again {
            for words in again {
                let result = try await run([words])[0]
                guard result.exit == 0 else { throw Wrong(description: "then '\(words)': \(result)") }
            }
        } else if found != after {
            let results = try await run(scenario.commands)
            guard results.allSatisfy({ $0.exit == 0 }) else { throw Wrong(description: "tried again: \(results)") }
            let now = try await checkAtRest()
            guard now == after else { throw Wrong(description: "tried again, and is \(now)") }
        }
        if after.coming != nil { try await letCome() }
    }

    /// Lets the slow product come as fast as it can: what is here of it must be the beginning of it.
    private func letCome() async throws {
        var follower = try await client.follower()
        follower.follow(try await client.changeDownload(CrashStore.slow, paused: false, rateLimit: 0))
        while let status = try await follower.next() {
            guard status.end == nil || status.end == .finished else {
                throw Wrong(description: "let go on, and ended so: \(status)")
            }
        }
        let facts = try await checkAtRest()
        guard facts.coming == nil, facts.packs[CrashStore.slow] == KillModel(current: 2) else {
            throw Wrong(description: "let go on, and is \(facts)")
        }
    }

    // MARK: Made to fail

    private func fail(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ after: HomeFacts, _ fault: CrashFault, _ place: Int,
        _ outcome: inout CrashOutcome
    ) async throws {
        if scenario.countsStart { try control.arm() }
        let daemon = try startDaemon(preloaded: true)
        let isFull = [ENOSPC, EDQUOT].contains(fault.number)
        var isListening = try await untilListening(daemon)
        if isListening, scenario.countsStart {
            // It may still fail when it says where it listens.
            do {
                _ = try await client.status()
            } catch {
                _ = try await end(of: daemon, "the daemon")
                isListening = false
            }
        }
        var isTold = false
        if isListening {
            if !scenario.countsStart { try control.arm() }
            let results = try await run(scenario.commands)
            outcome.exits = results.map(\.exit)
            for result in results where result.exit != 0 {
                guard [isFull ? 6 : 1, 10].contains(result.exit), !result.errors.isEmpty else {
                    throw Wrong(description: "answers so: \(result)\n    daemon: \(daemon.errors)")
                }
            }
            isTold = !results.isEmpty && results.allSatisfy { $0.exit == 0 }
            guard daemon.isRunning else { throw Wrong(description: "ended: \(try await daemon.result())") }
            // One daemon of two goes on when there is space again; the other ends on the full disk.
            if place.isMultiple(of: 2) {
                try control.disarm()
                do {
                    let found = try await facts()
                    guard isTold ? found == after : found.isBetween(home.facts, and: after) else {
                        throw Wrong(description: "is \(found), exit codes \(outcome.exits)")
                    }
                    if !isTold, scenario.again == nil, found != after {
                        let results = try await run(scenario.commands)
                        guard results.allSatisfy({ $0.exit == 0 }) else {
                            throw Wrong(description: "tried again with the same daemon: \(results)")
                        }
                        isTold = true
                    }
                } catch {
                    throw Wrong(description: "\(error)\n    the same daemon: \(daemon.errors)")
                }
            }
        } else {
            outcome.exits = [try await daemon.result().exit]
        }
        let end = try await stop(daemon)
        // SQLite gives up a connection together with the system's reason, where it is only just opened.
        let codes: [Int32] = isFull && !end.errors.contains("disk I/O error") ? [6, 8] : [1, 8]
        guard isListening ? end.exit == 0 : codes.contains(end.exit) && !end.errors.isEmpty else {
            throw Wrong(description: "the daemon ended so: \(end)")
        }
        try control.disarm()
        try checkRemains()
        outcome.isNew = try await checkRecovery(
            scenario, from: home, after, isTold: isTold, mayFail: true,
            mayStay: fault.isLasting)
    }
}
