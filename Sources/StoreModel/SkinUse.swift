/// The applied skin, and the selected one if it could not be applied.
public struct SkinUse: Sendable, Hashable, Codable {
    /// The applied skin; `nil` if none could be loaded.
    @OrNull public var skin: SkinReference?
    /// The skins that it inherits from, the nearest first.
    public var inherits: [SkinReference]
    /// The identifier of the selected skin; `nil` is the default.
    @OrNull public var chosen: String?
    /// Why the selected skin is not applied; `nil` if it is.
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
