/// A place in a message's text that a front-end shows as an emoji: the emoji itself, an emoticon or a shortcode.
public struct EmojiTextSpan: Sendable, Hashable, Codable {
    /// What a place in a text is that is shown as an emoji.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The emoji itself.
        case emoji
        /// A drawing of a face or another picture with ordinary characters, such as `:-)`.
        case emoticon
        /// A name between colons, such as `:smile:`.
        case shortcode
    }

    /// What the place is.
    public var kind: Kind
    /// The text of the place, as the message has it.
    public var text: String
    /// The emoji to show.
    public var emoji: String
    /// The position of the first unit of the place, counted from 0 in the unit of the request.
    public var start: Int
    /// The position after the last unit of the place, in the unit of the request.
    public var end: Int
    /// The path at which the daemon serves the image of the emoji; `nil` if the set in use has none.
    @OrNull public var image: String?

    /// Creates a place in a text.
    public init(kind: Kind, text: String, emoji: String, start: Int, end: Int, image: String? = nil) {
        self.kind = kind
        self.text = text
        self.emoji = emoji
        self.start = start
        self.end = end
        self.image = image
    }
}

/// The unit in which positions in a text are counted.
public enum TextUnit: String, Sendable, Codable, CaseIterable {
    /// The code units of UTF-16, as in JavaScript, Qt and Java.
    case utf16
    /// The bytes of UTF-8, as in GLib, Rust and Go.
    case utf8
    /// The Unicode scalar values, as in Python.
    case scalars

    /// Returns the number of units that a character takes in a text.
    package func count(of scalar: Unicode.Scalar) -> Int {
        switch self {
        case .utf8: UTF8.width(scalar)
        case .utf16: UTF16.width(scalar)
        case .scalars: 1
        }
    }
}
