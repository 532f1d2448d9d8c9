import StoreEngine
import StoreModel

extension Scenario {
    /// Runs a step; a failure is reported with the step and does not end the scenario.
    func make(_ step: Story.Step, with manager: StoreManager?) async -> Done {
        do {
            guard let manager else { return Done(step: step, error: nil) }
            try await make(step.action, step.product, manager)
            return Done(step: step, error: nil)
        } catch {
            return Done(step: step, error: ErrorReport(error))
        }
    }

    private func make(_ action: Story.Step.Action, _ product: String?, _ manager: StoreManager) async throws {
        let consent = Set(story.products.first { $0.productIdentifier == product }?.permissions ?? []).union([.code])
        switch (action, product) {
        case (.install, let product?): _ = try await manager.installs.install(product, store: nil, consent: consent)
        case (.uninstall, let product?): _ = try await manager.packs.uninstall(product)
        case (.rollback, let product?): _ = try await manager.packs.rollBack(product)
        case (.cancel, let product?): _ = try await manager.downloads.cancel(product)
        case (.pause, let product?): _ = try await manager.downloads.change(product, paused: true)
        case (.resume, let product?): _ = try await manager.downloads.change(product, paused: false)
        case (.grant, let product?): _ = try await manager.purchases.grant(product)
        case (.revoke, let product?): try await manager.purchases.revoke(product)
        case (.withdraw, let product?): try await stage?.store.withdraw(product)
        case (.update, let product):
            let outcomes = try await manager.updates.update(product.map { [$0] }, consent: consent)
            if let error = outcomes.lazy.compactMap(\.error).first { throw error }
        case (.check, _): await manager.updates.check()
        case (.disconnect, _): stage?.transfers.setConnected(false)
        case (.reconnect, _): stage?.transfers.setConnected(true)
        default: break
        }
    }
}
