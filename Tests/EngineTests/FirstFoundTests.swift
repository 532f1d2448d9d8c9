import StoreTestSupport
import Testing

@testable import StoreEngine

/// The selection of the first elements of a search, compared with sorting all of them.
@Suite struct FirstFoundTests {
    /// Selects the first of some numbers, added one after the other.
    private static func select(_ numbers: [Int], limit: Int) -> (first: [Int], count: Int) {
        var found = FirstFound<Int>(limit: limit)
        for number in numbers { found.add(number) }
        return (Array(found.sorted()), found.count)
    }

    private static func expectFirst(of numbers: [Int], limit: Int, _ comment: Comment) {
        let found = select(numbers, limit: limit)
        #expect(found.first == Array(numbers.sorted().prefix(limit)), comment)
        #expect(found.count == numbers.count, comment)
    }

    /// The range of the numbers: the narrow one makes most of them equal.
    @Test(arguments: [0...3, 0...200, Int.min...Int.max])
    func `of random elements the same are selected as the first of all in order`(values: ClosedRange<Int>) {
        for seed in 0..<150 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let numbers = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                Int.random(in: values, using: &random)
            }
            for limit in [0, 1, 2, 7, 50, numbers.count, numbers.count + 1, .max] {
                Self.expectFirst(of: numbers, limit: limit, "seed \(seed), limit \(limit)")
            }
        }
    }

    @Test(arguments: [0, 1, 5, 100, 101])
    func `elements in ascending, descending and alternating order, and equal ones, are selected as the first of all`(
        limit: Int
    ) {
        let ascending = Array(0..<100)
        Self.expectFirst(of: ascending, limit: limit, "ascending")
        Self.expectFirst(of: ascending.reversed(), limit: limit, "descending")
        Self.expectFirst(of: ascending.map { $0 % 2 == 0 ? $0 : -$0 }, limit: limit, "alternating")
        Self.expectFirst(of: Array(repeating: 7, count: 100), limit: limit, "equal")
        Self.expectFirst(of: [], limit: limit, "none")
    }

    @Test func `the selection is the same after each element`() {
        var random = SeededGenerator(seed: 4)
        var found = FirstFound<Int>(limit: 3)
        var all: [Int] = []
        for _ in 0..<200 {
            all.append(Int.random(in: 0...40, using: &random))
            found.add(all[all.count - 1])
            #expect(Array(found.sorted()) == Array(all.sorted().prefix(3)), "\(all)")
        }
    }
}
