public import StoreModel

/// The filter of an event subscription, which receives the events that match all conditions that are set.
public struct EventFilter: Sendable, Hashable {
    /// The identifier of the product that events must be about to be received; `nil` receives events about anything.
    public var productIdentifier: String?
    /// The kind of product that events must be about to be received; `nil` receives events about any kind.
    public var kind: ProductKind?
    /// Whether the subscription receives only the ends and pauses of downloads.
    ///
    /// A program that waits for downloads and does not show their progress needs no other events.
    public var endsOnly: Bool

    /// Creates a filter of events; without arguments, it matches every event.
    public init(productIdentifier: String? = nil, kind: ProductKind? = nil, endsOnly: Bool = false) {
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.endsOnly = endsOnly
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
            && (!endsOnly || event.isEndOrPause)
    }
}

extension Event {
    /// Whether the event reports the end or a pause of a download.
    fileprivate var isEndOrPause: Bool {
        guard case .download(let status) = happening else { return false }
        return status.state.isEnd || status.activity == .paused
    }
}
