/// The skin (appearance of an application) that is applied, and the selected skin, if it could not be applied.
public struct SkinUse: Sendable, Hashable, Codable {
    /// The skin that is applied; `nil` if none could be loaded.
    @OrNull public var skin: SkinReference?
    /// The skins that the applied skin inherits from, the nearest first.
    public var inherits: [SkinReference]
    /// The product identifier of the skin that the user selected; `nil` selects the default skin.
    @OrNull public var chosen: String?
    /// Why the skin that the user selected is not applied; `nil` if it is applied.
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
