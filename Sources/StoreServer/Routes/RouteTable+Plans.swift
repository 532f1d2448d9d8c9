import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP route `/v1/plans`: what a request to install, update or uninstall would change.
    mutating func addPlans(_ manager: StoreManager) {
        on(
            .post, "/v1/plans",
            Endpoint(
                "plan",
                "Computes what an installation, an update or a removal would change, and changes nothing. A request whose "
                    + "`agreed` names the steps of the plan does nothing else.",
                body: PlanRequest.self, .ok(ChangePlan.self, "The plan.")
            ).readOnly()
        ) { request in
            let body = try await request.body(PlanRequest.self)
            for product in body.products ?? [] { try request.requireMayName(product.file) }
            for product in body.products ?? [] where (product.productIdentifier == nil) == (product.file == nil) {
                throw StoreError(
                    .requestBodyInvalid, ["reason": "each of 'products' needs either 'productIdentifier' or 'file'"])
            }
            guard body.products != nil || body.action == .update else {
                throw StoreError(.requestBodyInvalid, ["reason": "'products' is missing"])
            }
            guard body.action == .install || body.products?.allSatisfy({ $0.file == nil && $0.store == nil }) ?? true
            else {
                throw StoreError(.requestBodyInvalid, ["reason": "'file' and 'store' are only for 'install'"])
            }
            guard body.action == .uninstall || body.use == nil else {
                throw StoreError(.requestBodyInvalid, ["reason": "'use' is only for 'uninstall'"])
            }
            // A list that repeats a product has it once in the plan.
            var seen: Set<ChangePlan.Product> = []
            let products = body.products?.filter { seen.insert($0).inserted }
            let identifiers = products?.map(\.name)
            let files = zip((body.products ?? []).compactMap(\.file), try request.files())
            let opened = Dictionary(files.map { ($0, $1) }) { first, _ in first }
            return try await .json(
                request.cancelledOnClose {
                    switch body.action {
                    case .install: try await manager.installs.plan(products ?? [], opened: opened)
                    case .update: try await manager.updates.plan(identifiers)
                    case .uninstall: try await manager.packs.plan(removing: identifiers ?? [], using: body.use)
                    }
                })
        }
    }
}
