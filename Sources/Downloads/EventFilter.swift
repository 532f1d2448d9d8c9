public import StoreModel

/// What an observer wants to hear of. Where several things are named, an event has to be about all of them.
public struct EventFilter: Sendable, Hashable {
    /// Only what is about this product.
    public var productIdentifier: String?
    /// Only what is about a product of this kind.
    public var kind: ProductKind?

    /// Everything, unless something is named.
    public init(productIdentifier: String? = nil, kind: ProductKind? = nil) {
        self.productIdentifier = productIdentifier
        self.kind = kind
    }

    /// Everything that happens.
    public static let all = EventFilter()

    public static func product(_ productIdentifier: String) -> EventFilter {
        EventFilter(productIdentifier: productIdentifier)
    }

    public static func kind(_ kind: ProductKind) -> EventFilter { EventFilter(kind: kind) }

    /// Whether an event is to be told.
    public func includes(_ event: Event) -> Bool {
        (productIdentifier == nil || event.productIdentifier == productIdentifier)
            && (kind == nil || event.kind == kind)
    }
}
