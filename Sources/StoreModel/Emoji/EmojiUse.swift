/// The emoji set that is in use, and the chosen one if it is not available.
public struct EmojiUse: Sendable, Hashable, Codable {
    /// The product identifier of the set in use; `nil` if none is in use.
    @OrNull public var set: String?
    /// The version of the set in use; `nil` if it has none.
    @OrNull public var version: Version?
    /// The product identifier of the set that the user chose; `nil` if the user chose none.
    @OrNull public var chosen: String?
    /// Why the chosen set is not in use; `nil` if it is.
    @OrNull public var problem: ErrorReport?

    /// Creates the description of the set in use.
    public init(set: String?, version: Version? = nil, chosen: String?, problem: ErrorReport? = nil) {
        self.set = set
        self.version = version
        self.chosen = chosen
        self.problem = problem
    }
}
