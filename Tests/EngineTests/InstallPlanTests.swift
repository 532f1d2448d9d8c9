import StoreModel
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct InstallPlanTests {
    private typealias Step = InstallPlan.Step

    private func plan(
        _ identifier: String, _ needs: [String: [String]], installed: Set<String> = [], count: Int = 100,
        depth: Int = 100
    ) async throws -> [Step] {
        let asked = Mutex<[String]>([])
        let limits = InstallPlan.Limits(count: count, depth: depth)
        let steps = try await InstallPlan.steps(for: identifier, limits: limits) { product in
            asked.withLock { $0.append(product) }
            guard let needed = needs[product] else { throw Unknown(product: product) }
            return needed
        } isInstalled: {
            installed.contains($0)
        }
        let all = asked.withLock { $0 }
        #expect(Set(all).count == all.count, "each is asked for once: \(all)")
        return steps
    }

    private struct Unknown: Error, Equatable { let product: String }

    @Test func `the plan of a product without dependencies is the product`() async throws {
        #expect(try await plan("a", ["a": []]) == [Step(productIdentifier: "a", prerequisites: [])])
    }

    @Test func `the last product of a chain of dependencies is installed first`() async throws {
        let steps = try await plan("a", ["a": ["b"], "b": ["c"], "c": []])
        #expect(
            steps == [
                Step(productIdentifier: "c", prerequisites: []), Step(productIdentifier: "b", prerequisites: ["c"]),
                Step(productIdentifier: "a", prerequisites: ["b"]),
            ])
    }

    @Test func `a shared dependency is planned once`() async throws {
        let steps = try await plan("a", ["a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []])
        #expect(steps.map(\.productIdentifier) == ["d", "b", "c", "a"])
        #expect(steps.map(\.prerequisites) == [[], ["d"], ["d"], ["b", "c"]])
    }

    @Test(arguments: [
        ["a": ["a"]], ["a": ["b"], "b": ["a"]], ["a": ["b"], "b": ["c"], "c": ["a", "b"]],
    ])
    func `a cycle of dependencies has a finite plan`(needs: [String: [String]]) async throws {
        let steps = try await plan("a", needs)
        #expect(Set(steps.map(\.productIdentifier)) == Set(needs.keys) && steps.count == needs.count)
        #expect(steps.last?.productIdentifier == "a")
        // Each product only waits for those that were planned before it.
        var begun: Set<String> = []
        for step in steps {
            #expect(begun.isSuperset(of: step.prerequisites))
            begun.insert(step.productIdentifier)
        }
    }

    @Test func `installed dependencies are left out`() async throws {
        let needs = ["a": ["b", "c"], "b": ["d"], "c": [], "d": []]
        #expect(try await plan("a", needs, installed: ["b"]).map(\.productIdentifier) == ["c", "a"])
        // The product itself is planned even if it is installed.
        #expect(try await plan("a", needs, installed: ["a", "b", "c"]).map(\.productIdentifier) == ["a"])
    }

    /// Returns a chain in which `p0` needs `p1`, and so on, with `length` dependencies.
    private func chain(_ length: Int) -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: (0...length).map { ("p\($0)", $0 == length ? [] : ["p\($0 + 1)"]) })
    }

    @Test func `a chain of dependencies is limited in length`() async throws {
        #expect(try await plan("p0", chain(5), depth: 5).count == 6)
        let error = await #expect(throws: StoreError.self) { try await plan("p0", chain(6), depth: 5) }
        #expect(error?.code == .dependencyLimit && error?.code.exitCode == .refused)
        #expect(error?.message.contains("'p0'") == true && error?.hint?.contains("maximumDepth") == true)
        // The longest chain counts, whichever way a product was reached first.
        let shortcut = ["a": ["d", "b"], "b": ["c"], "c": ["d"], "d": ["e"], "e": []]
        #expect(try await plan("a", shortcut, depth: 4).count == 5)
        await #expect(throws: StoreError.self) { try await plan("a", shortcut, depth: 3) }
        // Installed products end a chain.
        #expect(try await plan("p0", chain(6), installed: ["p6"], depth: 5).count == 6)
    }

    @Test func `the number of dependencies is limited`() async throws {
        let needs = ["a": ["b", "c", "d"], "b": ["c"], "c": [], "d": []]
        #expect(try await plan("a", needs, count: 3).count == 4)
        #expect(try await plan("a", needs, installed: ["d"], count: 2).count == 3)
        let error = await #expect(throws: StoreError.self) { try await plan("a", needs, count: 2) }
        #expect(error?.code == .dependencyLimit && error?.hint?.contains("maximumCount") == true)
    }

    /// If each step searched all steps before it, this would take minutes.
    @Test func `a chain of 100,000 dependencies is planned in linear time`() async throws {
        let steps = try await plan("p0", chain(100_000), count: 100_000, depth: 100_000)
        #expect(steps.count == 100_001)
        #expect(steps.first == Step(productIdentifier: "p100000", prerequisites: []))
        #expect(steps.last == Step(productIdentifier: "p0", prerequisites: ["p1"]))
    }

    @Test func `an unknown dependency fails the plan`() async {
        await #expect(throws: Unknown(product: "c")) { try await plan("a", ["a": ["b"], "b": ["c"]]) }
    }
}
