import StoreSkins

/// An application's own text label.
private final class Label: Sendable {}

/// Performs operations on labels.
private struct LabelApplier: SkinApplier {
    func apply(_ operation: SkinEntity.Operation, of skin: ResolvedSkin, to object: Label) {}
    func reset(_ operation: String, of object: Label) {}
}

private func skinsManagerSample(settings: SkinsManager.Settings, label: Label) async throws {
    // sample
    let manager = SkinsManager(settings)
    await manager.start()
    await MainActor.run {
        manager.apply("header_title", to: label, as: "uilabel", on: MainActor.shared, with: LabelApplier())
    }
    try await manager.use("night")  // the label now has the colours of the skin
    for await change in manager.changes {
        print(change.skin.name, change.identifiers)
    }
    // end
}
