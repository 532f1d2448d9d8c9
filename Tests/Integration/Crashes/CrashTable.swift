import Foundation

/// A Markdown table with one row for each scenario, which is kept in a file, so that a later run continues there.
///
/// The whole matrix takes hours. `STORECTL_CRASH_RESULTS` names the directory of the file; without it nothing is kept.
struct CrashTable {
    private let head: String
    private let file: URL?
    private var rows: [String: String] = [:]
    private var kept: Set<String> = []

    init(named name: String, head: String) {
        self.head = head
        file = CrashTests.variables["STORECTL_CRASH_RESULTS"].map { URL(filePath: $0).appending(path: name + ".md") }
        guard let file, let text = try? String(contentsOf: file, encoding: .utf8), text.hasPrefix(head) else { return }
        for row in text.split(separator: "\n").dropFirst(2) {
            let name = String(row.dropFirst(2).prefix { $0 != "|" }.dropLast())
            rows[name] = String(row)
            kept.insert(name)
        }
    }

    /// Returns whether the file has the row of a scenario.
    func isComplete(_ scenario: String) -> Bool { kept.contains(scenario) }

    /// Adds the row of a scenario.
    ///
    /// - Parameter keep: whether the row is written to the file: all runs were made, and none found a problem.
    mutating func add(_ row: String, of scenario: String, keep: Bool) throws {
        rows[scenario] = row
        guard keep, let file else { return }
        kept.insert(scenario)
        try (text(of: kept.sorted()) + "\n").write(to: file, atomically: true, encoding: .utf8)
    }

    /// Returns the table with the rows of some scenarios.
    func text(of scenarios: [String]) -> String { ([head] + scenarios.compactMap { rows[$0] }).joined(separator: "\n") }

    /// Returns the sum of the two numbers in each match of a pattern.
    func sum(of pattern: Regex<(Substring, Substring, Substring)>) -> Int {
        rows.values.flatMap { $0.matches(of: pattern) }.reduce(0) { $0 + Int($1.1)! + Int($1.2)! }
    }
}
