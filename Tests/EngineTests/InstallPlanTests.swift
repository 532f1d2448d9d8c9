import Synchronization
import Testing

@testable import StoreEngine

@Suite struct InstallPlanTests {
    private typealias Step = InstallPlan.Step

    private func plan(
        _ identifier: String, _ needs: [String: [String]], installed: Set<String> = []
    ) async throws -> [Step] {
        let asked = Mutex<[String]>([])
        let steps = try await InstallPlan.steps(for: identifier) { product in
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

    @Test func `an unknown dependency fails the plan`() async {
        await #expect(throws: Unknown(product: "c")) { try await plan("a", ["a": ["b"], "b": ["c"]]) }
    }
}
