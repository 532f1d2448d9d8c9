import StoreModel
import StoreSkins
import StoreTestSupport
import Synchronization
import Testing

/// A user interface object that belongs to one actor.
private final class Label: Sendable {
    let applied = Mutex<[String]>([])
    var operations: [String] { applied.withLock { $0 } }
}

private actor Window: SkinExecutor {
    let asked = Mutex(0)
    func run(_ work: @Sendable () -> Void) async {
        asked.withLock { $0 += 1 }
        work()
    }
}

private struct LabelApplier: SkinApplier {
    let window: Window
    var isStrict = false

    func apply(_ operation: SkinEntity.Operation, of skin: ResolvedSkin, to object: Label) {
        // Ends the test process if it runs elsewhere.
        if isStrict { window.assumeIsolated { _ in } }
        let text = operation.parameters.map(\.value.text).joined(separator: ",")
        object.applied.withLock { $0.append("\(operation.name)=\(text)") }
    }

    func reset(_ operation: String, of object: Label) { object.applied.withLock { $0.append("-\(operation)") } }
}

/// An applier that is released with its object's entry, and whose end has another object removed.
private struct LastApplier: SkinApplier {
    final class Owner: Sendable {
        let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    let owner: Owner
    func apply(_ operation: SkinEntity.Operation, of skin: ResolvedSkin, to object: Label) {}
    func reset(_ operation: String, of object: Label) {}
}

@Suite(.hangGuard) struct ApplyingTests {
    private func manager() async throws -> (SkinShelf, SkinsManager) {
        let shelf = try SkinShelf()
        try shelf.put(
            "base",
            [
                "a.xml":
                    "<instances>\(instance("uilabel", "x", color("textColor", "#000001") + color("borderColor", "#000009")))</instances>"
            ])
        try shelf.put(
            "night", ["a.xml": "<instances>\(instance("uilabel", "x", color("textColor", "#000002")))</instances>"])
        let manager = SkinsManager(shelf.settings())
        await manager.start()
        return (shelf, manager)
    }

    @Test(arguments: ["remove", "replace", "deallocate"])
    func `an object may be removed while the entry of another ends`(how: String) async throws {
        let (shelf, manager) = try await manager()
        defer { withExtendedLifetime(shelf) {} }
        let window = Window()
        let other = Label()
        manager.apply("x", to: other, as: "uilabel", on: window, with: LabelApplier(window: window))
        var label: Label? = Label()
        var applier: LastApplier? = LastApplier(owner: .init { manager.remove(other) })
        manager.apply("x", to: try #require(label), as: "uilabel", on: window, with: try #require(applier))
        applier = nil
        #expect(manager.objectCount == 2)
        switch how {
        case "remove": manager.remove(try #require(label))
        case "replace":
            manager.apply(
                "x", to: try #require(label), as: "uilabel", on: window, with: LabelApplier(window: window))
        default: label = nil
        }
        // The first look finds what is gone, and the end of that removes the other object.
        _ = manager.objectCount
        #expect(manager.objectCount == (how == "replace" ? 1 : 0))
        withExtendedLifetime((label, other)) {}
    }

    @Test func `each operation is validated and runs on the object's executor`() async throws {
        let (shelf, manager) = try await manager()
        defer { withExtendedLifetime(shelf) {} }
        let window = Window()
        let (label, view) = (Label(), Label())
        manager.apply("x", to: label, as: "uilabel", on: window, with: LabelApplier(window: window))
        // The component has no text.
        manager.apply("x", to: view, as: "uiview", on: window, with: LabelApplier(window: window))
        #expect(label.operations == ["borderColor=#000009", "textColor=#000001"])
        #expect(view.operations == ["borderColor=#000009"])
        #expect(window.asked.withLock { $0 } == 0)
        try await manager.use("night")
        #expect(label.operations.suffix(2) == ["-borderColor", "textColor=#000002"])
        #expect(view.operations.suffix(1) == ["-borderColor"])
        #expect(window.asked.withLock { $0 } == 1)
        manager.remove(label)
        try await manager.use("base")
        #expect(label.operations.last == "textColor=#000002" && view.operations.last == "borderColor=#000009")
    }

    @Test func `objects of an actor change on their actor`() async throws {
        let (shelf, manager) = try await manager()
        defer { withExtendedLifetime(shelf) {} }
        let window = Window()
        let labels = (0..<1000).map { _ in Label() }
        // No skin is loaded yet, so nothing is applied.
        for label in labels {
            manager.apply(
                "nothing", to: label, as: "uilabel", on: window, with: LabelApplier(window: window, isStrict: true))
        }
        #expect(labels.allSatisfy { $0.operations.isEmpty } && manager.objectCount == 1000)
        try await manager.use("night")
        #expect(window.asked.withLock { $0 } == 4)
    }

    @Test func `entries of deallocated objects are removed`() async throws {
        let (shelf, manager) = try await manager()
        defer { withExtendedLifetime(shelf) {} }
        let window = Window()
        let kept = Label()
        manager.apply("x", to: kept, as: "uilabel", on: window, with: LabelApplier(window: window))
        for _ in 0..<10_000 {
            manager.apply("x", to: Label(), as: "uilabel", on: window, with: LabelApplier(window: window))
        }
        #expect(manager.objectCount == 1)
        weak var gone: Label?
        do {
            let label = Label()
            gone = label
            manager.apply("x", to: label, as: "uilabel", on: window, with: LabelApplier(window: window))
        }
        #expect(gone == nil)
        try await manager.use("night")
        #expect(window.asked.withLock { $0 } == 1 && kept.operations.last == "textColor=#000002")
    }

    @Test func `the main actor is an executor`() async throws {
        let (shelf, manager) = try await manager()
        defer { withExtendedLifetime(shelf) {} }
        let label = Label()
        let window = Window()
        manager.apply("x", to: label, as: "uilabel", on: MainActor.shared, with: LabelApplier(window: window))
        try await manager.use("night")
        #expect(label.operations.last == "textColor=#000002")
    }

    @Test func `objects added during a change get the newest skin`() async throws {
        let (shelf, manager) = try await manager()
        defer { withExtendedLifetime(shelf) {} }
        let window = Window()
        let labels = (0..<400).map { _ in Label() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for round in 0..<20 { try await manager.use(round % 2 == 0 ? "night" : "base") } }
            group.addTask {
                for label in labels {
                    await window.run {
                        manager.apply("x", to: label, as: "uilabel", on: window, with: LabelApplier(window: window))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await manager.use("night")
        #expect(labels.allSatisfy { $0.operations.last == "textColor=#000002" })
    }
}
