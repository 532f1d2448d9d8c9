/// The skin that is applied, and the skin that is selected, if it could not be applied.
public struct SkinUse: Sendable, Hashable, Codable {
    /// The applied skin; `nil` if none could be loaded.
    @OrNull public var skin: SkinReference?
    /// The skins that the applied skin inherits from, the nearest first.
    public var inherits: [SkinReference]
    /// The identifier of the selected skin; `nil` selects the default skin.
    @OrNull public var chosen: String?
    /// Why the selected skin is not applied; `nil` if it is applied.
    @OrNull public var problem: ErrorReport?

    public init(
        skin: SkinReference?, inherits: [SkinReference] = [], chosen: String? = nil, problem: ErrorReport? = nil
    ) {
        self.inherits = inherits
        self.skin = skin
        self.chosen = chosen
        self.problem = problem
    }
}
