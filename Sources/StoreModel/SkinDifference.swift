/// The differences between two skins (appearances of an application), or two versions of a skin.
///
/// The values are absolute, so that applying them twice has no further effect.
public struct SkinDifference: Sendable, Hashable, Codable {
    /// The skin that was applied before the change; `nil` if there was none.
    @OrNull public var from: SkinReference?
    public let to: SkinReference
    /// The changed skin operations (such as setting a colour) with their new inputs, by component identifier and name.
    ///
    /// The value is `nil` if the new skin does not have the operation.
    public let identifiers: [String: [String: SkinValues.Operation?]]
    /// The CSS custom properties (`--name`) that changed, with their new values; `nil` if the new skin has no value.
    public let properties: [String: String?]
    /// Whether rules of the skin's CSS style sheet changed, so that the style sheet has to be loaded again.
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

    /// Whether there is no difference between the two skins.
    public var isEmpty: Bool { identifiers.isEmpty && properties.isEmpty && !rules }
}
