import StoreModel
import StoreTestSupport
import Testing

@Suite struct NaturalOrderTests {
    @Test(
        arguments: [
            ["1.png", "2.png", "10.png"],
            ["a1b2", "a1b10", "a2b1", "a10b1"],
            ["", "0", "1", "1a", "1b", "2", "a", "a0", "b"],
            ["01.png", "1.png", "02.png", "2.png"],
            ["x99999999999999999999999", "x100000000000000000000000"],
            ["é1", "é2", "é10"],
        ])
    func `names are sorted by the values of their numbers`(names: [String]) {
        #expect(names.shuffled().sorted(by: isNaturallyBefore) == names)
    }

    @Test func `natural order is a total order on distinct names`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        func name() -> String {
            (0..<Int.random(in: 0...6, using: &random))
                .map { _ in ["0", "1", "2", "00", "a", "b", "-", "~", "é"].randomElement(using: &random)! }.joined()
        }
        for _ in 0..<20_000 {
            let (a, b, c) = (name(), name(), name())
            let comment = Comment(rawValue: "\(a) \(b) \(c) (seed \(seed))")
            #expect(!isNaturallyBefore(a, a), comment)
            if a != b { #expect(isNaturallyBefore(a, b) != isNaturallyBefore(b, a), comment) }
            if isNaturallyBefore(a, b), isNaturallyBefore(b, c) { #expect(isNaturallyBefore(a, c), comment) }
        }
    }
}
