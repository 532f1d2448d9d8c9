import StoreModel

/// A product together with all that it needs and that is not installed yet, in the order to install them.
struct InstallPlan {
    struct Step: Equatable {
        let productIdentifier: String
        /// Those of its dependencies that are installed by an earlier step.
        let prerequisites: [String]
    }

    /// - Parameters:
    ///   - dependencies: what a product needs; asked for once for each product.
    ///   - isInstalled: whether a product need not be installed any more.
    /// - Throws: what `dependencies` throws. A circle is no error: where each needs the other, one comes first.
    static func steps(
        for productIdentifier: String, dependencies: @Sendable (String) async throws -> [String],
        isInstalled: @Sendable (String) async throws -> Bool
    ) async throws -> [Step] {
        var steps: [Step] = []
        var visited: Set<String> = []
        // Each stands twice on the stack: on its way down, and again when all that it needs is planned.
        var stack: [(identifier: String, needs: [String]?)] = [(productIdentifier, nil)]
        while let (identifier, needs) = stack.popLast() {
            if let needs {
                let planned = Set(steps.map(\.productIdentifier))
                steps.append(Step(productIdentifier: identifier, prerequisites: needs.filter(planned.contains)))
                continue
            }
            guard visited.insert(identifier).inserted else { continue }
            if identifier != productIdentifier, try await isInstalled(identifier) { continue }
            let needs = try await dependencies(identifier)
            stack.append((identifier, needs))
            stack += needs.reversed().map { ($0, nil) }
        }
        return steps
    }
}
