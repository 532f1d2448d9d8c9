public import StoreModel

/// The filter of a subscription, which receives the events that match all conditions that are set.
public struct EventFilter: Sendable, Hashable {
    /// The product that events must be about; `nil` for events about anything.
    public var productIdentifier: String?
    /// The kind of product that events must be about; `nil` for any kind.
    public var kind: ProductKind?

    /// Creates a filter; without arguments, it matches every event.
    public init(productIdentifier: String? = nil, kind: ProductKind? = nil) {
        self.productIdentifier = productIdentifier
        self.kind = kind
    }

    /// A filter that matches every event.
    public static let all = EventFilter()

    /// Returns a filter that matches events about one product.
    public static func product(_ productIdentifier: String) -> EventFilter {
        EventFilter(productIdentifier: productIdentifier)
    }

    /// Returns a filter that matches events about products of one kind.
    public static func kind(_ kind: ProductKind) -> EventFilter { EventFilter(kind: kind) }

    /// Returns whether an event matches all conditions.
    public func matches(_ event: Event) -> Bool {
        (productIdentifier == nil || event.productIdentifier == productIdentifier)
            && (kind == nil || event.kind == kind)
    }
}
