/// Where appliers run: a user interface's own thread, as a rule. An actor conforms by saying so
/// (`extension Window: SkinPlace {}`); `MainActor.shared` does. For an event loop of another kind, have it run the work
/// and return when that is done.
public protocol SkinPlace: AnyObject, Sendable {
    /// Runs a piece of work and returns after it.
    func run(_ work: @Sendable () -> Void) async
}

extension Actor where Self: SkinPlace {
    public func run(_ work: @Sendable () -> Void) async { work() }
}

extension MainActor: SkinPlace {}

/// Carries out operations on objects of one type.
public protocol SkinApplier<Object>: Sendable {
    associatedtype Object: AnyObject, Sendable

    /// Carries out one operation, which the object's component has. Runs on the object's ``SkinPlace``.
    func apply(_ operation: SkinEntity.Operation, of skin: ResolvedSkin, to object: Object)

    /// The skin before carried out an operation that this one does not: puts back what the application itself wants.
    func reset(_ operation: String, of object: Object)
}
