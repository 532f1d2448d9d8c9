import Foundation
import StoreModel

/// The outcome of a run.
struct CrashOutcome: Sendable {
    /// The call with the fault; `nil` if the run ended before it.
    var call: String?
    /// Whether the action took effect, as found after recovery.
    var isNew = false
    var exits: [Int32] = []
    /// The violated invariant.
    var problem: String?
}

/// An action that a crash may interrupt, with its invariants.
protocol CrashSubject: Sendable {
    var name: String { get }
    /// Returns whether the invariants can be checked after a fault.
    func canJudge(_ fault: CrashFault) -> Bool
    /// Runs the action with a fault, and checks the invariants.
    ///
    /// - Parameter place: the number of the call with the fault, counted from 1.
    func run(on worker: CrashWorker, _ fault: CrashFault, at place: Int) async -> CrashOutcome
    /// Runs the action without a fault, and records its calls.
    func record(on worker: CrashWorker) async throws -> PowerCutModel
    /// Recovers from a state that a power failure left, and checks the invariants.
    ///
    /// - Parameter tree: the files of the state.
    func recover(from state: PowerCutState, _ tree: FolderTree, on worker: CrashWorker) async -> CrashOutcome
}

extension CrashSubject {
    func canJudge(_ fault: CrashFault) -> Bool { true }
}

/// The home of a daemon, and commands of `storectl`.
struct HomeSubject: CrashSubject {
    let scenario: CrashScenario
    let home: CrashRig.Home

    var name: String { scenario.name }
    private var after: HomeFacts {
        var facts = home.facts
        scenario.after(&facts)
        return facts
    }

    func canJudge(_ fault: CrashFault) -> Bool { !scenario.hasDownloadBeside || fault.action != .fail }

    func run(on worker: CrashWorker, _ fault: CrashFault, at place: Int) async -> CrashOutcome {
        await worker.run(scenario, from: home, fault, at: place)
    }

    func record(on worker: CrashWorker) async throws -> PowerCutModel {
        // On a busy machine the measured rate of a connection may not be worth a second one.
        for _ in 0..<5 {
            let calls = try await recordCalls(on: worker)
            if !scenario.usesRanges || RecordedCall.writeRanges(calls) {
                return PowerCutModel(from: home.tree, calls)
            }
        }
        throw CrashWorker.Wrong(description: "the archive is not fetched in ranges")
    }

    private func recordCalls(on worker: CrashWorker) async throws -> [RecordedCall] {
        try worker.put(home.tree)
        try worker.control.order(.none)
        let record = worker.folder.path + "/record"
        try? FileManager.default.removeItem(atPath: record)
        let daemon = try worker.startDaemon(
            preloaded: true, record: record, lacksExchange: scenario.lacksExchange)
        guard try await worker.untilListening(daemon) else { throw CrashWorker.Wrong(description: "does not start") }
        let witness = try await worker.startWitness(record: record)
        let results = try await worker.run(scenario.commands)
        guard results.allSatisfy({ $0.exit == 0 }) else { throw CrashWorker.Wrong(description: "\(results)") }
        try RecordedCall.note(.confirmed, in: record)
        try await worker.untilTrashIsEmpty(daemon)
        _ = try await worker.stop(daemon)
        _ = try await witness.received()
        return try RecordedCall.read(record)
    }

    func recover(from state: PowerCutState, _ tree: FolderTree, on worker: CrashWorker) async -> CrashOutcome {
        var outcome = CrashOutcome(call: state.origin)
        do {
            try worker.put(tree)
            try worker.checkRemains()
            outcome.isNew = try await worker.checkRecovery(
                scenario, from: home, after, isConfirmed: state.isConfirmed, mayFail: false, received: state.received,
                isOtherBoot: true)
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }
}

extension CrashWorker {
    /// Runs the scenario with a fault, and checks the invariants.
    ///
    /// - Parameter place: the number of the call with the fault, counted from 1.
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

    // MARK: Kills

    private func kill(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ after: HomeFacts, _ fault: CrashFault,
        _ outcome: inout CrashOutcome
    ) async throws {
        if scenario.countsStart { try control.arm() }
        let daemon = try startDaemon(preloaded: true, lacksExchange: scenario.lacksExchange)
        var witness: EventWitness?
        if try await untilListening(daemon) {
            if !scenario.countsStart {
                witness = try await startWitness()
                try control.arm()
            }
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
            scenario, from: home, after, isConfirmed: !outcome.exits.isEmpty && outcome.exits.contains(0),
            mayFail: false, received: try await witness?.received() ?? [])
    }

    /// Waits until the daemon has emptied the trash, which a call that was made to fail may prevent: two seconds then.
    ///
    /// - Throws: ``Wrong`` if nothing prevents it, and it is not empty after ten minutes.
    func untilTrashIsEmpty(_ daemon: Programs.Running) async throws {
        let start = ContinuousClock.now
        while daemon.isRunning,
            (try? FileManager.default.contentsOfDirectory(atPath: home + "/data/trash"))?.isEmpty == false
        {
            if ContinuousClock.now > start + .seconds(2), try control.call != nil { return }
            guard ContinuousClock.now < start + .seconds(600) else {
                throw Wrong(description: "the trash is not emptied")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Starts the daemon without the library, and checks the invariants.
    ///
    /// - Parameters:
    ///   - isConfirmed: whether success was confirmed.
    ///   - received: the events that a client had received.
    ///   - isOtherBoot: whether the machine has started again since the last daemon.
    /// - Returns: whether the action took effect.
    func checkRecovery(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ after: HomeFacts, isConfirmed: Bool, mayFail: Bool,
        mayStay: Bool = false, received: [ReceivedEvent], isOtherBoot: Bool = false
    ) async throws -> Bool {
        try await withDaemon(lacksExchange: scenario.lacksExchange, isOtherBoot: isOtherBoot) { daemon in
            do {
                let found = try await checkAtRest()
                try await checkEvents(received, mayBeGone: mayFail || isOtherBoot)
                guard isConfirmed ? found == after : found.isBetween(home.facts, and: after) else {
                    throw Wrong(
                        description: "is \(found), was \(home.facts)"
                            + (isConfirmed ? ", although success was confirmed" : ""))
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

    /// Checks that the next command works.
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

    /// Completes the download of the slow product, which must continue with the bytes received so far.
    private func letCome() async throws {
        var follower = try await client.follower()
        follower.follow(try await client.changeDownload(CrashStore.slow, paused: false, rateLimit: 0))
        while let status = try await follower.next() {
            guard status.end == nil || status.end == .finished else {
                throw Wrong(description: "the resumed download ended: \(status)")
            }
        }
        let facts = try await checkAtRest()
        guard facts.coming == nil, facts.packs[CrashStore.slow] == KillModel(current: 2) else {
            throw Wrong(description: "after the resumed download: \(facts)")
        }
    }

    // MARK: Failures

    /// Returns whether an error states that the disk could not be read, instead of what that looks like: a damaged or a
    /// missing file.
    private static func namesDisk(_ errors: String) -> Bool {
        errors.contains("Input/output error") || errors.contains("disk I/O error")
    }

    private func fail(
        _ scenario: CrashScenario, from home: CrashRig.Home, _ after: HomeFacts, _ fault: CrashFault, _ place: Int,
        _ outcome: inout CrashOutcome
    ) async throws {
        if scenario.countsStart { try control.arm() }
        let daemon = try startDaemon(preloaded: true, lacksExchange: scenario.lacksExchange)
        let isFull = [ENOSPC, EDQUOT].contains(fault.number)
        var isListening = try await untilListening(daemon)
        if isListening, scenario.countsStart {
            // The daemon may still fail when it announces its socket.
            do {
                _ = try await client.status()
            } catch {
                _ = try await end(of: daemon, "the daemon")
                isListening = false
            }
        }
        var isConfirmed = false
        var witness: EventWitness?
        if isListening {
            if !scenario.countsStart {
                witness = try await startWitness()
                try control.arm()
            }
            let results = try await run(scenario.commands)
            outcome.exits = results.map(\.exit)
            for result in results where result.exit != 0 {
                guard [isFull ? 6 : 1, 10].contains(result.exit), !result.errors.isEmpty,
                    fault.kinds != .read || Self.namesDisk(result.errors)
                else { throw Wrong(description: "answers so: \(result)\n    daemon: \(daemon.errors)") }
            }
            isConfirmed = !results.isEmpty && results.allSatisfy { $0.exit == 0 }
            guard daemon.isRunning else { throw Wrong(description: "ended: \(try await daemon.result())") }
            // One of two daemons continues when there is space again; the other exits on the full disk.
            if place.isMultiple(of: 2) {
                try control.disarm()
                do {
                    // Before it reads the library, the daemon finishes what the disk refused after a commit.
                    _ = try await client.packs()
                    let found = try await facts()
                    guard isConfirmed ? found == after : found.isBetween(home.facts, and: after) else {
                        throw Wrong(description: "is \(found), exit codes \(outcome.exits)")
                    }
                    if !isConfirmed, scenario.again == nil, found != after {
                        let results = try await run(scenario.commands)
                        guard results.allSatisfy({ $0.exit == 0 }) else {
                            throw Wrong(description: "tried again with the same daemon: \(results)")
                        }
                        isConfirmed = true
                    }
                } catch {
                    throw Wrong(description: "\(error)\n    the same daemon: \(daemon.errors)")
                }
            }
        } else {
            outcome.exits = [try await daemon.result().exit]
        }
        // A journal that lacks events could not be removed until the daemon had ended.
        let isJournalLost = fault.isLasting && !isFull && isListening && !place.isMultiple(of: 2)
        let end = try await stop(daemon)
        // SQLite loses the system's error if the connection has only just been opened.
        let codes: [Int32] = isFull && !end.errors.contains("disk I/O error") ? [6, 8] : [1, 8]
        guard isListening ? end.exit == 0 : codes.contains(end.exit) && !end.errors.isEmpty else {
            throw Wrong(description: "the daemon ended so: \(end)")
        }
        try control.disarm()
        try checkRemains()
        outcome.isNew = try await checkRecovery(
            scenario, from: home, after, isConfirmed: isConfirmed, mayFail: true, mayStay: fault.isLasting,
            received: isJournalLost ? [] : try await witness?.received() ?? [])
    }
}
