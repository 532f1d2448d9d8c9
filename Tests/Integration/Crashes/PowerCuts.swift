import StoreTestSupport
import Synchronization

/// Records every scenario, and recovers from the states that a power failure may have left.
final class PowerCuts: Sendable {
    private struct Row: Sendable {
        var calls = 0
        var states = 0
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
    /// - Parameter sample: the number of states of each scenario; `nil` for all.
    func run(
        _ subjects: [any CrashSubject], on workers: [CrashWorker], sample: Int?, _ random: inout SeededGenerator
    ) async throws {
        for subject in subjects {
            let model = try await subject.record(on: workers[0])
            let all = model.states(&random)
            let chosen = sample.map { Array(all.shuffled(using: &random).prefix($0)) } ?? all
            state.withLock { $0.rows[subject.name] = Row(calls: model.steps.count, states: all.count) }
            let next = Mutex(chosen[...])
            try await workers.runConcurrently { worker in
                while let state = next.withLock({ $0.popFirst() }) {
                    self.take(await subject.recover(from: state, on: worker), of: subject.name)
                }
            }
            if sample == nil { print(line(subject.name)) }
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

    private func line(_ name: String) -> String {
        let row = state.withLock { $0.rows[name] } ?? Row()
        return "| \(name) | \(row.calls) | \(row.states) | \(row.old) | \(row.new) |"
    }

    /// Returns a Markdown table: the number of possible states of each scenario, and their outcomes after recovery.
    func table(of names: [String]) -> String {
        (["| scenario | calls recorded | states | old | new |", "|---|---|---|---|---|"] + names.map(line))
            .joined(separator: "\n")
    }
}
