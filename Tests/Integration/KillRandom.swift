import Foundation

/// Numbers that are the same for the same seed (SplitMix64).
struct KillRandom: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// The seed of `STORECTL_TEST_SEED`, to do again what failed; else another one each time.
    init() {
        seed =
            ProcessInfo.processInfo.environment["STORECTL_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
