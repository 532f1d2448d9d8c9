import StoreModel
import StoreSettings

/// A namespace for computing the order in which to install a product and its missing dependencies.
struct InstallPlan {
    /// A step of an installation plan: the installation of one product.
    struct Step: Equatable {
        let productIdentifier: String
        /// The identifiers of those dependencies of the step's product that an earlier step installs.
        let prerequisites: [String]
    }

    /// The limits of a plan, because a store chooses what its products depend on.
    struct Limits {
        /// The maximum number of dependencies that are installed with a product.
        var count: Int
        /// The maximum number of dependencies one after another, each needed by the one before it.
        var depth: Int
    }

    /// Returns the steps to install a product; the last step is that of the product itself.
    ///
    /// A cycle of dependencies is no error: one of its products is installed before its dependency. The time is
    /// proportional to the number of products and of their dependencies.
    ///
    /// - Parameters:
    ///   - dependenciesOf: returns the dependencies of a product; called once for each product.
    ///   - isInstalled: whether a dependency is installed already.
    /// - Throws: `dependency.limit`; the errors of `dependenciesOf` and `isInstalled`.
    static func steps(
        for productIdentifier: String, limits: Limits, dependencies dependenciesOf: (String) async throws -> [String],
        isInstalled: (String) async throws -> Bool
    ) async throws -> [Step] {
        var steps: [Step] = []
        var visited: Set<String> = []
        // The product itself is no dependency.
        var planned = -1
        /// The length of the longest chain of dependencies of each planned product.
        var heights: [String: Int] = [:]
        // Each product is on the stack twice: to find its dependencies, and again when all of them are planned.
        var stack: [(identifier: String, depth: Int, dependencies: [String]?)] = [(productIdentifier, 0, nil)]
        while let (identifier, depth, dependencies) = stack.popLast() {
            if let dependencies {
                let prerequisites = dependencies.filter { heights[$0] != nil }
                let height = prerequisites.compactMap { heights[$0] }.max().map { $0 + 1 } ?? 0
                try limits.check(depth: height, of: productIdentifier)
                heights[identifier] = height
                steps.append(Step(productIdentifier: identifier, prerequisites: prerequisites))
                continue
            }
            guard visited.insert(identifier).inserted else { continue }
            if identifier != productIdentifier, try await isInstalled(identifier) { continue }
            try limits.check(depth: depth, of: productIdentifier)
            planned += 1
            try limits.check(count: planned, of: productIdentifier)
            let found = try await dependenciesOf(identifier)
            stack.append((identifier, depth, found))
            stack += found.reversed().map { ($0, depth + 1, nil) }
        }
        return steps
    }
}

extension InstallPlan.Limits {
    init(_ settings: Settings) {
        self.init(count: settings.dependenciesMaximumCount, depth: settings.dependenciesMaximumDepth)
    }

    fileprivate func check(count found: Int, of product: String) throws(StoreError) {
        guard found <= count else {
            throw StoreError(.tooManyDependencies, ["product": product, "limit": count])
        }
    }

    fileprivate func check(depth found: Int, of product: String) throws(StoreError) {
        guard found <= depth else {
            throw StoreError(.dependenciesTooDeep, ["product": product, "limit": depth])
        }
    }
}
