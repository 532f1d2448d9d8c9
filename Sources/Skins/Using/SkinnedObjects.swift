import Synchronization

/// The objects that skins are applied to. They are held weakly: one that went away costs nothing from then on but the
/// few words that are swept up as others come, and at the next change.
final class SkinnedObjects: Sendable {
    private let vocabulary: SkinVocabulary
    private let state = Mutex(State())

    private struct State {
        var skin: ResolvedSkin?
        /// Raised with each skin.
        var generation = 0
        var objects: [ObjectIdentifier: SkinnedObject] = [:]
        /// How many there may be before those that went away are swept up.
        var sweepAt = 64
        /// What the skin means for an identifier on a component: many objects have the same.
        var plans: [PlanKey: [SkinEntity.Operation]] = [:]
    }
    private struct PlanKey: Hashable {
        let identifier: String
        let component: String
    }

    init(vocabulary: SkinVocabulary) { self.vocabulary = vocabulary }

    /// Objects that are still there.
    var count: Int {
        state.withLock { state in
            Self.sweep(&state)
            return state.objects.count
        }
    }

    func add(_ object: SkinnedObject, key: ObjectIdentifier) {
        state.withLock { state in
            // Else every object would be looked at for each that comes.
            if state.objects.count >= state.sweepAt {
                Self.sweep(&state)
                state.sweepAt = max(64, state.objects.count * 2)
            }
            state.objects[key] = object
        }
    }

    func remove(_ key: ObjectIdentifier) { state.withLock { $0.objects[key] = nil } }

    private static func sweep(_ state: inout State) { state.objects = state.objects.filter { $0.value.isThere } }

    /// From the return on, objects that are added get this skin; those that are there get it by ``applyToAll()``.
    func set(_ skin: ResolvedSkin) {
        state.withLock { state in
            state.skin = skin
            state.generation += 1
            state.plans = [:]
        }
    }

    /// Applies the present skin to one object, here, unless it has it already.
    func apply(to object: SkinnedObject) {
        guard let (skin, generation, operations) = plan(for: object) else { return }
        object.apply(operations, of: skin, generation: generation)
    }

    private func plan(for object: SkinnedObject) -> (ResolvedSkin, Int, [SkinEntity.Operation])? {
        let key = PlanKey(identifier: object.identifier, component: object.component)
        let (skin, generation, known) = state.withLock { ($0.skin, $0.generation, $0.plans[key]) }
        guard let skin else { return nil }
        if let known { return (skin, generation, known) }
        let operations = (skin[object.identifier]?.operations ?? []).filter {
            vocabulary.operation($0.name, of: object.component) != nil
        }
        state.withLock { if $0.generation == generation { $0.plans[key] = operations } }
        return (skin, generation, operations)
    }

    /// Applies the present skin to all objects, each where it belongs, and returns when that is done.
    func applyToAll() async {
        let objects = state.withLock { state in
            Self.sweep(&state)
            return Array(state.objects.values)
        }
        let places = Dictionary(grouping: objects) { ObjectIdentifier($0.place) }
        await withDiscardingTaskGroup { group in
            for objects in places.values {
                group.addTask { await self.apply(toAll: objects) }
            }
        }
    }

    /// How many objects are done in one go: few enough for what else the place has to do in between.
    private static let piece = 256

    /// - Parameter objects: all of one place.
    private func apply(toAll objects: [SkinnedObject]) async {
        for start in stride(from: 0, to: objects.count, by: Self.piece) {
            let piece = objects[start..<min(start + Self.piece, objects.count)]
            await objects[start].place.run {
                for object in piece { self.apply(to: object) }
            }
        }
    }
}

/// One object with what is to be done to it.
final class SkinnedObject: Sendable {
    let identifier: String
    let component: String
    let place: any SkinPlace
    private let target: any SkinTarget
    private let applied = Mutex(Applied())

    private struct Applied {
        var generation = 0
        var operations: [String] = []
    }

    init<Applier: SkinApplier>(
        _ object: Applier.Object, identifier: String, component: String, place: some SkinPlace, applier: Applier
    ) {
        self.identifier = identifier
        self.component = component
        self.place = place
        target = WeakTarget(object: object, applier: applier)
    }

    var isThere: Bool { target.isThere }

    func apply(_ operations: [SkinEntity.Operation], of skin: ResolvedSkin, generation: Int) {
        let gone = applied.withLock { applied -> [String]? in
            // What comes late does not undo what came after it.
            guard applied.generation < generation else { return nil }
            let names = operations.map(\.name)
            let gone = applied.operations == names ? [] : applied.operations.filter { !names.contains($0) }
            applied = Applied(generation: generation, operations: names)
            return gone
        }
        if let gone { target.apply(operations, of: skin, gone: gone) }
    }
}

private protocol SkinTarget: Sendable {
    var isThere: Bool { get }
    func apply(_ operations: [SkinEntity.Operation], of skin: ResolvedSkin, gone: [String])
}

private final class WeakTarget<Applier: SkinApplier>: SkinTarget {
    private weak let object: Applier.Object?
    private let applier: Applier

    init(object: Applier.Object, applier: Applier) {
        self.object = object
        self.applier = applier
    }

    var isThere: Bool { object != nil }

    func apply(_ operations: [SkinEntity.Operation], of skin: ResolvedSkin, gone: [String]) {
        guard let object else { return }
        for name in gone { applier.reset(name, of: object) }
        for operation in operations { applier.apply(operation, of: skin, to: object) }
    }
}
