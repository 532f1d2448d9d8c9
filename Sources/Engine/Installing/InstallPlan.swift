/// A namespace for computing the order in which to install a product and its missing dependencies.
struct InstallPlan {
    /// A step of an installation plan: the installation of one product.
    struct Step: Equatable {
        let productIdentifier: String
        /// The identifiers of those dependencies of the step's product that an earlier step installs.
        let prerequisites: [String]
    }

    /// Returns the steps to install a product; the last step is that of the product itself.
    ///
    /// A cycle of dependencies is no error: one of its products is installed before its dependency.
    ///
    /// - Parameters:
    ///   - dependenciesOf: returns the dependencies of a product; called once for each product.
    ///   - isInstalled: whether a dependency is installed already.
    /// - Throws: the errors of `dependenciesOf` and `isInstalled`.
    static func steps(
        for productIdentifier: String, dependencies dependenciesOf: (String) async throws -> [String],
        isInstalled: (String) async throws -> Bool
    ) async throws -> [Step] {
        var steps: [Step] = []
        var visited: Set<String> = []
        // Each product is on the stack twice: to find its dependencies, and again when all of them are planned.
        var stack: [(identifier: String, dependencies: [String]?)] = [(productIdentifier, nil)]
        while let (identifier, dependencies) = stack.popLast() {
            if let dependencies {
                let planned = Set(steps.map(\.productIdentifier))
                steps.append(Step(productIdentifier: identifier, prerequisites: dependencies.filter(planned.contains)))
                continue
            }
            guard visited.insert(identifier).inserted else { continue }
            if identifier != productIdentifier, try await isInstalled(identifier) { continue }
            let found = try await dependenciesOf(identifier)
            stack.append((identifier, found))
            stack += found.reversed().map { ($0, nil) }
        }
        return steps
    }
}
