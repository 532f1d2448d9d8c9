import Foundation
import StoreTestSupport
import Testing

/// Kills the real programs before and within each call that changes something, or makes the call fail.
///
/// The test runs a sample, another one each time; `scripts/crash-matrix` runs everything. Variables:
/// `STORECTL_CRASHES=all`; `STORECTL_CRASH_SCENARIOS` and `STORECTL_CRASH_FAULTS`, names separated by `;`;
/// `STORECTL_TEST_SEED` to run the same sample again; `STORECTL_CRASH_RESULTS`, the directory of ``CrashTable``.
@Suite(.serialized, .enabled(if: CrashShim.canPreload, "the thread sanitizer takes the place of a preloaded library"))
struct CrashTests {
    static let variables = ProcessInfo.processInfo.environment
    static let isWhole = variables["STORECTL_CRASHES"] == "all"

    @Test(.timeLimit(.minutes(600)))
    func `after a crash or failure at any system call everything is old or new, and complete`() async throws {
        let rig = try await CrashRig()
        let titles = CrashMatrix.faults.map(\.title) + CrashMatrix.always.map(\.title)
        let (subjects, faults) = try (Self.chosen(rig.subjects), Self.list("STORECTL_CRASH_FAULTS", of: titles))
        let matrix = CrashMatrix()
        let start = ContinuousClock.now
        var table = CrashTable(named: "faults", head: CrashMatrix.head)
        if Self.isWhole {
            for subject in subjects where !table.isComplete(subject.name) {
                let before = matrix.problems.count
                try await matrix.run([subject], on: rig.workers, faults: faults, choosing: nil)
                try table.add(matrix.row(of: subject.name), of: subject.name, keep: matrix.problems.count == before)
            }
        } else {
            var random = Self.sample("crashes")
            try await matrix.run(subjects, on: rig.workers, faults: faults) { title, count in
                // Kills are the realistic case; of the failures, half are tested in each scenario.
                let times = title == "killed" ? 2 : Int.random(in: 0...1, using: &random)
                return (0..<times).map { _ in Int.random(in: 1...max(count, 1), using: &random) }
            }
            for subject in subjects { try table.add(matrix.row(of: subject.name), of: subject.name, keep: false) }
        }
        print(table.text(of: subjects.map(\.name)))
        let runs = table.sum(of: /(\d+) \+ (\d+)/)
        print(
            "crashes: \(runs) runs, \(matrix.runs) of them in "
                + "\((ContinuousClock.now - start).components.seconds) s, "
                + "\(matrix.unaffected) more ended before their call")
        #expect(runs >= subjects.count, "\(runs) runs in \(subjects.count) scenarios")
        for problem in matrix.problems.prefix(50) { Issue.record("\(problem) (seed \(Self.seed))") }
    }

    @Test(.timeLimit(.minutes(600)))
    func `after a power cut everything is old or new, and complete`() async throws {
        let rig = try await CrashRig()
        let subjects = try Self.chosen(rig.subjects)
        let cuts = PowerCuts()
        let start = ContinuousClock.now
        var random = Self.sample("power cuts")
        var table = CrashTable(named: "power-cuts", head: PowerCuts.head)
        for subject in subjects where !(Self.isWhole && table.isComplete(subject.name)) {
            let before = cuts.problems.count
            try await cuts.run([subject], on: rig.workers, sample: Self.isWhole ? nil : 1, &random)
            try table.add(
                cuts.row(of: subject.name), of: subject.name, keep: Self.isWhole && cuts.problems.count == before)
        }
        print(table.text(of: subjects.map(\.name)))
        let states = table.sum(of: /(\d+) \| (\d+) \|$/)
        print(
            "power cuts: \(states) states, \(cuts.states) of them in "
                + "\((ContinuousClock.now - start).components.seconds) s")
        #expect(states >= subjects.count, "\(states) states in \(subjects.count) scenarios")
        for problem in cuts.problems.prefix(50) { Issue.record("\(problem) (seed \(Self.seed))") }
    }

    private static func chosen(_ subjects: [any CrashSubject]) throws -> [any CrashSubject] {
        try #require(!subjects.isEmpty)
        guard let names = try list("STORECTL_CRASH_SCENARIOS", of: subjects.map(\.name)) else { return subjects }
        return subjects.filter { names.contains($0.name) }
    }

    private static let seed = TestSeed.chosen()

    private static func sample(_ what: String) -> SeededGenerator {
        print("\(what): seed \(seed) (STORECTL_TEST_SEED does it again)")
        return SeededGenerator(seed: seed)
    }

    /// Returns the names that a variable has; `nil` if it is not set.
    ///
    /// Nothing would be tested with a name that is misspelt.
    private static func list(_ variable: String, of known: [String]) throws -> [String]? {
        guard let names = variables[variable]?.split(separator: ";").map(String.init) else { return nil }
        try #require(!names.isEmpty, "\(variable) has no name")
        for name in names { try #require(known.contains(name), "\(variable): there is no '\(name)'") }
        return names
    }
}
