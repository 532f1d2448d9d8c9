import StoreAPI
public import StoreModel

extension StoreClient {
    /// Returns what a request to install, update or uninstall products would change, without changing anything.
    ///
    /// ```swift
    /// let plan = try await client.plan(.install, [ChangePlan.Product("org.example.cups")])
    /// print(plan.steps.map(\.name), plan.downloadSize ?? 0)
    /// _ = try await client.beginInstall("org.example.cups", agreed: plan.agreement)
    /// ```
    ///
    /// - Parameters:
    ///   - products: the products; `nil` is all packs, which only an update may concern. Files of this machine are handed to
    ///     the daemon open, as by ``beginInstall(file:consent:agreed:priority:rateLimit:)``.
    ///   - successor: for a removal, the skin to apply if one of the packs is the skin in use.
    public func plan(
        _ action: ChangePlan.Action, _ products: [ChangePlan.Product]? = nil, using successor: String? = nil
    ) async throws -> ChangePlan {
        try await ask(
            "POST", Resource("plans"), body: PlanRequest(action: action, products: products, use: successor),
            files: try await Self.opened(products?.compactMap(\.file) ?? []))
    }
}
