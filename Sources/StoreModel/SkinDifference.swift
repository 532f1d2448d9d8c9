/// The differences between two skins, or two versions of a skin.
///
/// The values are absolute, so that applying them twice has no further effect.
public struct SkinDifference: Sendable, Hashable, Codable {
    /// The skin that was applied before; `nil` if there was none.
    @OrNull public var from: SkinReference?
    public let to: SkinReference
    /// The new inputs by component identifier and operation; `nil` if the operation was removed.
    public let identifiers: [String: [String: SkinValues.Operation?]]
    /// The changed CSS custom properties by name; `nil` if a property was removed.
    public let properties: [String: String?]
    /// Whether the rules of the style sheet changed, so that it has to be loaded again.
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

    /// Whether the two skins do not differ.
    public var isEmpty: Bool { identifiers.isEmpty && properties.isEmpty && !rules }
}
