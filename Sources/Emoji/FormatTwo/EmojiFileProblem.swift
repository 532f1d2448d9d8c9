public import StoreModel

/// A place in a compiled emoji file that is not as the format says, with what was expected there.
public struct EmojiFileProblem: Sendable, Hashable {
    /// The place, such as "emoji 12 (1F600)" or "section 'index', record 3".
    public let place: String
    /// What the format says should be there.
    public let expected: String
    /// What is there.
    public let found: String

    init(_ place: String, expected: String, found: String) {
        self.place = place
        self.expected = expected
        self.found = found
    }

    /// The problem as an error with the code `content.emoji-damaged`.
    public var error: StoreError {
        StoreError(.emojiFileDamaged, ["place": place, "expected": expected, "found": found])
    }
}
