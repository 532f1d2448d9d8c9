import StoreEngine
import StoreModel

extension Scenario {
    /// Performs a step of the scenario's script; an error is recorded in the outcome.
    func perform(_ step: ScenarioScript.Step, with manager: StoreManager?) async -> StepOutcome {
        do {
            guard let manager else { return StepOutcome(step: step, error: nil) }
            try await perform(step.action, step.product, manager)
            return StepOutcome(step: step, error: nil)
        } catch {
            return StepOutcome(step: step, error: ErrorReport(error))
        }
    }

    private func perform(_ action: ScenarioScript.Step.Action, _ product: String?, _ manager: StoreManager) async throws
    {
        let permissions = script.products.first { $0.productIdentifier == product }?.permissions ?? []
        let consent = Consent(Set(permissions).union([.code]))
        switch (action, product) {
        case (.install, let product?): _ = try await manager.installs.install(product, store: nil, consent: consent)
        case (.uninstall, let product?): _ = try await manager.packs.uninstall(product)
        case (.rollback, let product?): _ = try await manager.packs.rollBack(product)
        case (.cancel, let product?): _ = try await manager.downloads.cancel(product)
        case (.pause, let product?): _ = try await manager.downloads.change(product, paused: true)
        case (.resume, let product?): _ = try await manager.downloads.change(product, paused: false)
        case (.grant, let product?): _ = try await manager.purchases.grant(product)
        case (.revoke, let product?): try await manager.purchases.revoke(product)
        case (.withdraw, let product?): try await environment?.store.withdraw(product)
        case (.update, let product):
            let outcomes = try await manager.updates.update(product.map { [$0] }, consent: consent)
            if let error = outcomes.lazy.compactMap(\.error).first { throw error }
        case (.check, _): await manager.updates.check()
        case (.disconnect, _): environment?.transfers.setConnected(false)
        case (.reconnect, _): environment?.transfers.setConnected(true)
        default: break
        }
    }
}
