import StoreTestSupport
import Synchronization

/// Records every scenario, and recovers from the states that a power failure may have left on the modelled file systems.
final class PowerCuts: Sendable {
    private struct Row: Sendable {
        var calls = 0
        var states = 0
        /// The number of states that are possible under each of the rules.
        var statesByRules: [String: Int] = [:]
        var old = 0
        var new = 0
    }
    private struct State {
        var rows: [String: Row] = [:]
        var problems: [String] = []
    }
    private let state = Mutex(State())

    var problems: [String] { state.withLock { $0.problems } }
    var states: Int { state.withLock { $0.rows.values.reduce(0) { $0 + $1.old + $1.new } } }

    /// Runs the scenarios.
    ///
    /// - Parameter sample: the number of states of each scenario and each of the rules; `nil` for all.
    func run(
        _ subjects: [any CrashSubject], on workers: [CrashWorker], sample: Int?, _ random: inout SeededGenerator
    ) async throws {
        for subject in subjects {
            let model = try await subject.record(on: workers[0])
            let chosen =
                if let sample {
                    PowerCutRules.all.flatMap { model.sample(sample, $0, &random) }
                } else {
                    model.states(PowerCutRules.all, &random)
                }
            state.withLock { state in
                var row = Row(calls: model.calls.count(where: \.kind.isCall), states: chosen.count)
                for rules in PowerCutRules.all.map(\.name) {
                    row.statesByRules[rules] = chosen.count { $0.fileSystems.contains(rules) }
                }
                state.rows[subject.name] = row
            }
            if chosen.isEmpty { take(CrashOutcome(problem: "no state after a power cut was found"), of: subject.name) }
            let next = Mutex(chosen[...])
            try await workers.runConcurrently { worker in
                while let state = next.withLock({ $0.popFirst() }) {
                    let outcome = await subject.recover(from: state, model.tree(after: state.cut), on: worker)
                    self.take(outcome, of: subject.name)
                }
            }
        }
    }

    private func take(_ outcome: CrashOutcome, of name: String) {
        state.withLock { state in
            if let problem = outcome.problem {
                let text = "\(name), \(outcome.call ?? ""): \(problem)"
                state.problems.append(text)
                print(text)
            } else if outcome.isNew {
                state.rows[name]?.new += 1
            } else {
                state.rows[name]?.old += 1
            }
        }
    }

    /// Returns the row of a scenario: the number of possible states under each of the rules and in all, and their outcomes
    /// after recovery.
    func row(of name: String) -> String {
        let row = state.withLock { $0.rows[name] } ?? Row()
        let states = PowerCutRules.all.map { "\(row.statesByRules[$0.name] ?? 0)" }.joined(separator: " | ")
        return "| \(name) | \(row.calls) | \(states) | \(row.states) | \(row.old) | \(row.new) |"
    }

    /// The first two lines of the Markdown table.
    static var head: String {
        let titles = ["scenario", "calls recorded"] + PowerCutRules.all.map(\.name) + ["states", "old", "new"]
        return "| " + titles.joined(separator: " | ") + " |\n|" + String(repeating: "---|", count: titles.count)
    }
}
