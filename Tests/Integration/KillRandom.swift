import StoreTestSupport

/// A random number generator whose seed can be set in `STORECTL_TEST_SEED` to repeat a failure.
struct KillRandom: RandomNumberGenerator {
    let seed: UInt64
    private var generator: SeededGenerator

    init() {
        seed = TestSeed.chosen()
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }
}
