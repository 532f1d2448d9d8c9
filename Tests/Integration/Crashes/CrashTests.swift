import Foundation
import StoreTestSupport
import Testing

/// Kills the real programs before and within each call that changes something, or makes the call fail.
///
/// The test runs a sample; `scripts/crash-matrix` runs everything. Variables: `STORECTL_CRASHES=all`;
/// `STORECTL_CRASH_SCENARIOS` and `STORECTL_CRASH_FAULTS`, names separated by `;`; `STORECTL_TEST_SEED` for another
/// sample.
@Suite(.serialized, .enabled(if: CrashShim.canPreload, "a sanitizer has to be loaded before the rig")) struct CrashTests
{
    static let variables = ProcessInfo.processInfo.environment
    static let isWhole = variables["STORECTL_CRASHES"] == "all"

    @Test(.timeLimit(.minutes(240)))
    func `after a crash or failure at any system call everything is old or new, and complete`() async throws {
        let rig = try await CrashRig()
        let (subjects, faults) = (Self.chosen(rig.subjects), Self.list("STORECTL_CRASH_FAULTS"))
        let matrix = CrashMatrix()
        let start = ContinuousClock.now
        if Self.isWhole {
            try await matrix.run(subjects, on: rig.workers, faults: faults, choosing: nil)
        } else {
            var random = Self.sample("crashes")
            try await matrix.run(subjects, on: rig.workers, faults: faults) { title, count in
                // Kills are the realistic case; of the failures, half are tested in each scenario.
                let times = title == "killed" ? 2 : Int.random(in: 0...1, using: &random)
                return (0..<times).map { _ in Int.random(in: 1...max(count, 1), using: &random) }
            }
        }
        print(matrix.table(of: subjects.map(\.name)))
        print("crashes: \(matrix.runs) runs in \((ContinuousClock.now - start).components.seconds) s")
        for problem in matrix.problems.prefix(50) { Issue.record("\(problem)") }
    }

    @Test(.timeLimit(.minutes(240)))
    func `after a power cut everything is old or new, and complete`() async throws {
        let rig = try await CrashRig()
        let subjects = Self.chosen(rig.subjects)
        let cuts = PowerCuts()
        let start = ContinuousClock.now
        var random = Self.sample("power cuts")
        try await cuts.run(subjects, on: rig.workers, sample: Self.isWhole ? nil : 4, &random)
        print(cuts.table(of: subjects.map(\.name)))
        print("power cuts: \(cuts.states) states in \((ContinuousClock.now - start).components.seconds) s")
        for problem in cuts.problems.prefix(50) { Issue.record("\(problem)") }
    }

    private static func chosen(_ subjects: [any CrashSubject]) -> [any CrashSubject] {
        guard let names = list("STORECTL_CRASH_SCENARIOS") else { return subjects }
        return subjects.filter { names.contains($0.name) }
    }

    private static func sample(_ what: String) -> SeededGenerator {
        // The sample is always the same, so that the test is reproducible; scripts/crash-matrix runs everything.
        let seed = variables["STORECTL_TEST_SEED"].flatMap { UInt64($0) } ?? 1
        print("\(what): seed \(seed) (STORECTL_TEST_SEED does it again)")
        return SeededGenerator(seed: seed)
    }

    private static func list(_ variable: String) -> [String]? {
        variables[variable].map { $0.split(separator: ";").map(String.init) }
    }
}
