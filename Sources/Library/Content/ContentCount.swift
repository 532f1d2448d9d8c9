/// The number of items in a pack, with the word for them: `12 stickers`.
public struct ContentCount: Sendable, Hashable, CustomStringConvertible {
    /// The number of items in the pack.
    public let number: Int
    /// The word for one item of the pack, such as `sticker`.
    public let singular: String
    /// The word for any other number of items of the pack, such as `stickers`.
    public let plural: String

    /// Creates the number of items in a pack.
    public init(_ number: Int, singular: String, plural: String) {
        self.number = number
        self.singular = singular
        self.plural = plural
    }

    public var description: String { "\(number) \(number == 1 ? singular : plural)" }
}
