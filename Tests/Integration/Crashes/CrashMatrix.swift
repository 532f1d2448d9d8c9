import Foundation
import Glibc
import Synchronization

/// Runs every scenario with every fault at every call, or at a sample of them, and counts the outcomes.
final class CrashMatrix: Sendable {
    /// The faults, in the order of the printed table.
    static let faults: [(title: String, fault: CrashFault)] = [
        ("killed", CrashFault(action: .kill, kinds: .changes)),
        ("torn", CrashFault(action: .tear, kinds: .write)),
        ("ENOSPC", CrashFault(action: .fail, kinds: .growth, number: ENOSPC)),
        ("ENOSPC from there on", CrashFault(action: .fail, kinds: .growth, number: ENOSPC, isLasting: true)),
        ("EDQUOT", CrashFault(action: .fail, kinds: .growth, number: EDQUOT)),
        ("EIO", CrashFault(action: .fail, kinds: .changes, number: EIO)),
        ("EIO from there on", CrashFault(action: .fail, kinds: .changes, number: EIO, isLasting: true)),
        ("EIO of a read", CrashFault(action: .fail, kinds: .read, number: EIO)),
        ("EIO of all reads from there on", CrashFault(action: .fail, kinds: .read, number: EIO, isLasting: true)),
        ("EMFILE", CrashFault(action: .fail, kinds: .descriptor, number: EMFILE)),
        ("EMFILE from there on", CrashFault(action: .fail, kinds: .descriptor, number: EMFILE, isLasting: true)),
    ]

    /// Faults at all calls of some scenarios, which are no part of the table but of every sample.
    ///
    /// Each found a defect once, or is rarely hit by a sample.
    static let always: [(scenario: String, title: String, fault: CrashFault)] = [
        ("uninstall", "EIO of a read", CrashFault(action: .fail, kinds: .read, number: EIO)),
        ("storehouse publish, again", "EIO of a read", CrashFault(action: .fail, kinds: .read, number: EIO)),
        ("update, no exchange", "killed at a rename", CrashFault(action: .kill, kinds: .rename)),
        ("rollback, no exchange", "killed at a rename", CrashFault(action: .kill, kinds: .rename)),
        ("rollback, no exchange", "EIO of a rename", CrashFault(action: .fail, kinds: .rename, number: EIO)),
        (
            "rollback, no exchange", "EIO from a rename on",
            CrashFault(action: .fail, kinds: .rename, number: EIO, isLasting: true)
        ),
    ]

    /// The number of runs by outcome.
    struct Cell: Sendable {
        var old = 0
        var new = 0
    }
    struct Problem: Sendable, CustomStringConvertible {
        let scenario: String
        let fault: String
        let place: Int
        let call: String?
        let text: String
        var description: String { "\(scenario), \(fault) at call \(place) (\(call ?? "none")): \(text)" }
    }

    private struct State {
        /// The number of changes in an undisturbed run of each scenario.
        var calls: [String: Int] = [:]
        var cells: [String: [String: Cell]] = [:]
        var problems: [Problem] = []
        var runs = 0
        var unaffected = 0
    }
    private let state = Mutex(State())

    var problems: [Problem] { state.withLock { $0.problems } }
    var runs: Int { state.withLock { $0.runs } }
    /// The number of runs that ended before the call with the fault.
    var unaffected: Int { state.withLock { $0.unaffected } }

    /// Runs the scenarios.
    ///
    /// - Parameter choose: selects the calls of an undisturbed run at which faults occur; `nil` for all, and those
    ///   behind the last until a run is not affected, which is a problem if it never comes.
    func run(
        _ subjects: [any CrashSubject], on workers: [CrashWorker], faults wanted: [String]? = nil,
        choosing choose: ((_ title: String, _ calls: Int) -> [Int])?
    ) async throws {
        for subject in subjects {
            let whole = await subject.run(on: workers[0], .none, at: 0)
            take(whole, subject.name, "undisturbed", 0)
            guard whole.problem == nil else { continue }
            let counts = try Self.faults.map { try workers[0].control.count(of: $0.fault.kinds) }
            let alwaysCounts = try Self.always.map { try workers[0].control.count(of: $0.fault.kinds) }
            state.withLock { $0.calls[subject.name] = counts[0] }
            if counts[0] == 0 {
                take(CrashOutcome(problem: "no call of the programs was counted"), subject.name, "undisturbed", 0)
            }
            for ((title, fault), count) in zip(Self.faults, counts)
            where subject.canJudge(fault) && wanted?.contains(title) ?? true {
                try await run(
                    subject, on: workers, title, fault, at: Places(choose?(title, count), atLeast: count))
            }
            if choose != nil {
                for ((name, title, fault), count) in zip(Self.always, alwaysCounts)
                where name == subject.name && wanted?.contains(title) ?? true {
                    try await run(subject, on: workers, title, fault, at: Places(nil, atLeast: count))
                }
            }
        }
    }

    /// Runs a scenario with a fault at one call after the other.
    private func run(
        _ subject: any CrashSubject, on workers: [CrashWorker], _ title: String, _ fault: CrashFault, at places: Places
    ) async throws {
        try await workers.runConcurrently { worker in
            while let place = places.next() {
                let outcome = await subject.run(on: worker, fault, at: place)
                if outcome.call == nil, outcome.problem == nil {
                    self.state.withLock { $0.unaffected += 1 }
                    places.ended(at: place)
                } else {
                    self.take(outcome, subject.name, title, place)
                }
            }
        }
        if let limit = places.exceededLimit {
            let text = "no run ended unaffected, although an undisturbed one makes \(places.count) calls"
            take(CrashOutcome(problem: text), subject.name, title, limit)
        }
    }

    /// The calls that are still to be tested.
    private final class Places: Sendable {
        private struct State {
            var chosen: [Int]?
            var next = 1
            var isOver = false
        }
        private let state: Mutex<State>
        let count: Int
        /// Threads make their calls in another order each time, but never twice as many.
        private var limit: Int { 2 * count + 100 }

        init(_ chosen: [Int]?, atLeast count: Int) {
            state = Mutex(State(chosen: chosen))
            self.count = count
        }

        func next() -> Int? {
            state.withLock { state in
                if state.chosen != nil { return state.chosen?.popLast() }
                if state.isOver || state.next > limit { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        /// The number of the last call, if all calls up to it were tested and each affected its run.
        var exceededLimit: Int? {
            state.withLock { $0.chosen == nil && !$0.isOver ? limit : nil }
        }

        /// Records that a run ended before the call.
        func ended(at place: Int) { state.withLock { if place > count { $0.isOver = true } } }
    }

    private func take(_ outcome: CrashOutcome, _ name: String, _ title: String, _ place: Int) {
        state.withLock { state in
            state.runs += 1
            if let problem = outcome.problem {
                let problem = Problem(
                    scenario: name, fault: title, place: place, call: outcome.call, text: problem)
                state.problems.append(problem)
                print(problem)
            } else if place == 0 {
                // The fault did not occur.
            } else if outcome.isNew {
                state.cells[name, default: [:]][title, default: Cell()].new += 1
            } else {
                state.cells[name, default: [:]][title, default: Cell()].old += 1
            }
        }
    }

    // MARK: The table

    /// Returns the row of a scenario: the number of runs that were found in the old and the new state, by fault.
    func row(of name: String) -> String {
        let (calls, cells) = state.withLock { ($0.calls[name], $0.cells[name] ?? [:]) }
        let texts = Self.faults.map { title, _ in cells[title].map { "\($0.old) + \($0.new)" } ?? "" }
        return "| \(name) | \(calls.map(String.init) ?? "") | " + texts.joined(separator: " | ") + " |"
    }

    /// The first two lines of the Markdown table.
    static var head: String {
        let titles = ["scenario", "calls"] + faults.map(\.title)
        return "| " + titles.joined(separator: " | ") + " |\n|" + String(repeating: "---|", count: titles.count)
    }
}

extension [CrashWorker] {
    /// Runs `body` on all workers concurrently.
    func runConcurrently(_ body: @escaping @Sendable (CrashWorker) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in self { group.addTask { try await body(worker) } }
            try await group.waitForAll()
        }
    }
}
