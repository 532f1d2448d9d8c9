import Synchronization

/// An executor that runs changes of an application's objects, normally on the thread of its user interface.
///
/// An actor conforms with an empty extension (`extension Window: SkinExecutor {}`), as `MainActor` does. A conforming
/// type for another kind of event loop runs the work there, and returns when it is done.
public protocol SkinExecutor: AnyObject, Sendable {
    /// Runs a piece of work, such as changing objects of the user interface, and returns when it has ended.
    func run(_ work: @Sendable () -> Void) async
}

extension Actor where Self: SkinExecutor {
    public func run(_ work: @Sendable () -> Void) async { work() }
}

extension MainActor: SkinExecutor {}

/// Performs skin operations (changes of appearance) on user-interface objects of one type.
public protocol SkinApplier<Object>: Sendable {
    associatedtype Object: AnyObject, Sendable

    /// Changes a user-interface object by performing a skin operation that the object's component supports.
    ///
    /// Called on the object's ``SkinExecutor``.
    func apply(_ operation: SkinEntity.Operation, of skin: ResolvedSkin, to object: Object)

    /// Restores the object's own appearance for an operation that the previous skin performed and this one does not.
    func reset(_ operation: String, of object: Object)
}

/// The user-interface objects to which skins are applied, referenced weakly.
///
/// The entry of a deallocated object is removed as others are added, and at the next change.
final class SkinnedObjects: Sendable {
    private let vocabulary: SkinVocabulary
    private let state = Mutex(State())

    private struct State {
        var skin: ResolvedSkin?
        /// A number that is incremented with each skin, by which an object knows whether it has the newest one.
        var generation = 0
        var objects: [ObjectIdentifier: SkinnedObject] = [:]
        /// The number of entries at which the entries of deallocated objects are removed.
        var cleanupThreshold = 64
        /// The skin operations for each pair of identifier and component, computed once for all objects with it.
        var plans: [PlanKey: SkinPlan] = [:]
    }
    private struct PlanKey: Hashable {
        let identifier: String
        let component: String
    }

    init(vocabulary: SkinVocabulary) { self.vocabulary = vocabulary }

    // No object, entry or applier is released while the state is locked: its end may remove an object.

    /// The number of user-interface objects with a skin that have not been deallocated.
    var count: Int { removeDeallocated().count }

    func add(_ object: SkinnedObject, key: ObjectIdentifier) {
        let isFull = state.withLock { $0.objects.count >= $0.cleanupThreshold }
        if isFull {
            // Doubling the threshold makes the clean-up amortized constant time.
            let threshold = max(64, removeDeallocated().count * 2)
            state.withLock { $0.cleanupThreshold = threshold }
        }
        _ = state.withLock { $0.objects.updateValue(object, forKey: key) }
    }

    func remove(_ key: ObjectIdentifier) { _ = state.withLock { $0.objects.removeValue(forKey: key) } }

    /// Removes the entries of objects that were deallocated, and returns the others.
    @discardableResult
    private func removeDeallocated() -> [SkinnedObject] {
        let objects = state.withLock { $0.objects }
        let gone = objects.filter { !$0.value.isAlive }
        if gone.isEmpty { return Array(objects.values) }
        state.withLock { state in
            for (key, object) in gone where state.objects[key] === object { state.objects[key] = nil }
        }
        return objects.filter { gone[$0.key] == nil }.map(\.value)
    }

    /// Sets the skin for objects that are added later; ``applyToAll()`` applies it to the others.
    func set(_ skin: ResolvedSkin) {
        state.withLock { state in
            state.skin = skin
            state.generation += 1
            state.plans = [:]
        }
    }

    /// Applies the current skin to one user-interface object on the calling thread, unless that was already done.
    func apply(to object: SkinnedObject) { apply(to: [object]) }

    private func apply(to objects: ArraySlice<SkinnedObject>) {
        guard let (skin, generation, plans) = plans(for: objects) else { return }
        for (object, plan) in zip(objects, plans) { object.apply(plan, of: skin, generation: generation) }
    }

    /// Returns the current skin, its generation (see `State`), and its operations on each of the objects, in their order.
    ///
    /// The result is `nil` as long as no skin is set.
    private func plans(for objects: ArraySlice<SkinnedObject>) -> (ResolvedSkin, Int, [SkinPlan])? {
        let keys = objects.map { PlanKey(identifier: $0.identifier, component: $0.component) }
        let (skin, generation, known) = state.withLock { state in
            (state.skin, state.generation, keys.map { state.plans[$0] })
        }
        guard let skin else { return nil }
        var made: [PlanKey: SkinPlan] = [:]
        let plans = zip(keys, known).map { key, known in
            if let plan = known ?? made[key] { return plan }
            let operations = (skin[key.identifier]?.operations ?? []).filter {
                vocabulary.operation($0.name, of: key.component) != nil
            }
            let plan = SkinPlan(operations)
            made[key] = plan
            return plan
        }
        if !made.isEmpty {
            state.withLock { if $0.generation == generation { $0.plans.merge(made) { known, _ in known } } }
        }
        return (skin, generation, plans)
    }

    /// Applies the current skin to all user-interface objects, each on its executor, and returns when that is done.
    func applyToAll() async {
        let objects = removeDeallocated()
        guard let first = objects.first else { return }
        // Nearly all applications have one executor.
        if objects.allSatisfy({ $0.executor === first.executor }) { return await apply(toAll: objects) }
        let groups = Dictionary(grouping: objects) { ObjectIdentifier($0.executor) }
        await withDiscardingTaskGroup { group in
            for objects in groups.values {
                group.addTask { await self.apply(toAll: objects) }
            }
        }
    }

    /// The number of objects to which a skin is applied without a break.
    ///
    /// Between batches the executor can do other work.
    private static let batchSize = 256

    /// Applies the current skin to the user-interface objects of one executor.
    private func apply(toAll objects: [SkinnedObject]) async {
        for start in stride(from: 0, to: objects.count, by: Self.batchSize) {
            let batch = objects[start..<min(start + Self.batchSize, objects.count)]
            await objects[start].executor.run { self.apply(to: batch) }
        }
    }
}

/// What a skin does to all objects with the same identifier and component.
final class SkinPlan: Sendable {
    let operations: [SkinEntity.Operation]
    /// The names of the operations.
    let names: [String]

    init(_ operations: [SkinEntity.Operation]) {
        self.operations = operations
        names = operations.map(\.name)
    }
}

/// A weakly referenced user-interface object with its identifier, component and applier.
final class SkinnedObject: Sendable {
    let identifier: String
    let component: String
    let executor: any SkinExecutor
    private let target: any SkinTarget
    private let applied = Mutex(Applied())

    private struct Applied {
        var generation = 0
        var operations: [String] = []
    }

    init<Applier: SkinApplier>(
        _ object: Applier.Object, identifier: String, component: String, executor: some SkinExecutor, applier: Applier
    ) {
        self.identifier = identifier
        self.component = component
        self.executor = executor
        target = WeakTarget(object: object, applier: applier)
    }

    var isAlive: Bool { target.isAlive }

    func apply(_ plan: SkinPlan, of skin: ResolvedSkin, generation: Int) {
        let obsolete = applied.withLock { applied -> [String]? in
            // A delayed call must not undo a newer skin.
            guard applied.generation < generation else { return nil }
            let names = plan.names
            let obsolete = applied.operations == names ? [] : applied.operations.filter { !names.contains($0) }
            applied = Applied(generation: generation, operations: names)
            return obsolete
        }
        if let obsolete { target.apply(plan.operations, of: skin, resetting: obsolete) }
    }
}

private protocol SkinTarget: Sendable {
    var isAlive: Bool { get }
    func apply(_ operations: [SkinEntity.Operation], of skin: ResolvedSkin, resetting obsolete: [String])
}

private final class WeakTarget<Applier: SkinApplier>: SkinTarget {
    private weak let object: Applier.Object?
    private let applier: Applier

    init(object: Applier.Object, applier: Applier) {
        self.object = object
        self.applier = applier
    }

    var isAlive: Bool { object != nil }

    func apply(_ operations: [SkinEntity.Operation], of skin: ResolvedSkin, resetting obsolete: [String]) {
        guard let object else { return }
        for name in obsolete { applier.reset(name, of: object) }
        for operation in operations { applier.apply(operation, of: skin, to: object) }
    }
}
