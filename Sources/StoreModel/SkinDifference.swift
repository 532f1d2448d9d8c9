/// What is another between two skins, or two versions of one: for whoever shows the first and is to show the second.
/// Only absolute values are in it, so that it may be applied twice.
public struct SkinDifference: Sendable, Hashable, Codable {
    /// `nil` where there was none.
    @OrNull public var from: SkinReference?
    public let to: SkinReference
    /// By identifier and operation: the new inputs; `nil` where the skin no longer gives the operation.
    public let identifiers: [String: [String: SkinValues.Operation?]]
    /// The custom properties of a page that are another, by name: CSS; `nil` where there is none any more.
    public let properties: [String: String?]
    /// Whether the page's rules are others as well, so that setting ``properties`` is not enough and the style sheet is
    /// to be loaded again.
    public let rules: Bool

    public init(
        from: SkinReference?, to: SkinReference, identifiers: [String: [String: SkinValues.Operation?]],
        properties: [String: String?], rules: Bool
    ) {
        self.to = to
        self.identifiers = identifiers
        self.properties = properties
        self.rules = rules
        self.from = from
    }

    /// Whether nothing is another.
    public var isEmpty: Bool { identifiers.isEmpty && properties.isEmpty && !rules }
}
