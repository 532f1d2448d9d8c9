import Foundation
import StoreTestSupport

/// A random number generator whose seed can be set in `STORECTL_TEST_SEED` to repeat a failure.
struct KillRandom: RandomNumberGenerator {
    let seed: UInt64
    private var generator: SeededGenerator

    init() {
        seed =
            ProcessInfo.processInfo.environment["STORECTL_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }
}
