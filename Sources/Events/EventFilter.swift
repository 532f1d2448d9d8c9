public import StoreModel

/// The filter of an event subscription, which receives the events that match all conditions that are set.
public struct EventFilter: Sendable, Hashable {
    /// The identifier of the product that events must be about to be received; `nil` receives events about anything.
    public var productIdentifier: String?
    /// The kind of product that events must be about to be received; `nil` receives events about any kind.
    public var kind: ProductKind?

    /// Creates a filter of events; without arguments, it matches every event.
    public init(productIdentifier: String? = nil, kind: ProductKind? = nil) {
        self.productIdentifier = productIdentifier
        self.kind = kind
    }

    /// A filter of events that matches every event.
    public static let all = EventFilter()

    /// Returns a filter that matches events about the product with an identifier.
    public static func product(_ productIdentifier: String) -> EventFilter {
        EventFilter(productIdentifier: productIdentifier)
    }

    /// Returns a filter that matches events about products of one kind.
    public static func kind(_ kind: ProductKind) -> EventFilter { EventFilter(kind: kind) }

    /// Returns whether an event matches all conditions of the filter.
    public func matches(_ event: Event) -> Bool {
        (productIdentifier.map(event.isAbout) ?? true)
            && (kind == nil || event.kind == kind)
    }
}
