import StoreSystem

/// A source of notifications about changes of the machine's network.
public struct NetworkSource: Sendable {
    let observe: @Sendable (_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// Creates a source of network changes from a function that observes the network.
    ///
    /// - Parameter observe: a function that calls its argument at each change, on any thread, for as long as the value
    ///   that it returns is retained.
    public init(observe: @escaping @Sendable (_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)?) {
        self.observe = observe
    }

    /// The system's source of network changes: the kernel's messages about links, addresses and routes (rtnetlink).
    public static let system = NetworkSource { NetworkChanges($0) }
}
