/// Which skin is in use, and whether it is the one that was asked for.
public struct SkinUse: Sendable, Hashable, Codable {
    /// The skin that is applied; `nil` where none could be loaded.
    @OrNull public var skin: SkinReference?
    /// What it inherits from, the nearest first.
    public var inherits: [SkinReference]
    /// The identifier of the skin that was asked for last; `nil` is the default.
    @OrNull public var chosen: String?
    /// Why what was asked for is not what is applied; `nil` where it is.
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
