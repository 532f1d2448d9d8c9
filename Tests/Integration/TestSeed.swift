import Foundation

/// The seed of a test's random numbers: another one in each run, unless `STORECTL_TEST_SEED` repeats an earlier run.
///
/// Tests print it.
enum TestSeed {
    static func chosen() -> UInt64 {
        let given = ProcessInfo.processInfo.environment["STORECTL_TEST_SEED"]
        return given.map { UInt64($0) ?? 0 } ?? .random(in: 1 ... .max)
    }
}
