/// A place in the text of a message that is a reference to a sticker.
public struct StickerReferenceSpan: Sendable, Hashable, Codable {
    /// The reference at the place in the text.
    public var reference: StickerReference
    /// The text to show where the sticker can't be shown; `nil` if the sender sent none.
    @OrNull public var emoji: String?
    /// The identifier of the product that the reference names.
    public var productIdentifier: String
    /// The identifier of the sticker in the sender's version of the pack.
    public var sticker: String
    /// The position of the first unit of the reference, counted from 0.
    public var start: Int
    /// The position after the last unit of the reference.
    public var end: Int

    /// Creates the place of a reference in a text.
    public init(reference: StickerReference, start: Int, end: Int) {
        self.reference = reference
        emoji = reference.emoji.isEmpty ? nil : reference.emoji
        productIdentifier = reference.productIdentifier
        sticker = reference.sticker
        self.start = start
        self.end = end
    }
}

extension StickerReference {
    /// Returns the references in the text of a message, in order.
    ///
    /// A reference does not begin directly after a letter, a digit, `_` or `-`. It takes all following characters that
    /// references can have, except a full stop at the end, and `_`, `~` or `-` with which no reference ends.
    ///
    /// ```swift
    /// let spans = StickerReference.spans(in: message, unit: .utf16)
    /// ```
    ///
    /// - Parameter unit: the unit in which positions are counted.
    public static func spans(in text: String, unit: TextUnit) -> [StickerReferenceSpan] {
        let scalars = Array(text.unicodeScalars)
        let beginning = Array(prefix.unicodeScalars)
        var spans: [StickerReferenceSpan] = []
        var (position, offset) = (0, 0)
        while position < scalars.count {
            let isStart =
                scalars[position] == beginning[0] && scalars[position...].starts(with: beginning)
                && (position == 0 || !scalars[position - 1].continuesWord)
            if isStart, let reference = reference(at: scalars[position...]) {
                // All characters of a reference are ASCII, of one unit each.
                let length = reference.text.utf8.count
                spans.append(StickerReferenceSpan(reference: reference, start: offset, end: offset + length))
                (position, offset) = (position + length, offset + length)
            } else {
                offset += unit.count(of: scalars[position])
                position += 1
            }
        }
        return spans
    }

    /// Returns the reference with which a text begins; `nil` if there is none.
    private static func reference(at scalars: ArraySlice<Unicode.Scalar>) -> StickerReference? {
        var run = scalars.prefix(maximumLength + marks).prefix {
            $0.isASCII && ($0 == "_" || $0 == "~" || unreserved.contains(UInt8($0.value)))
        }
        while run.last == "." { run.removeLast() }
        // A message may end or emphasise a reference with marks that references can have, too.
        for _ in 0...marks {
            if let reference = StickerReference(text: String(String.UnicodeScalarView(run))) { return reference }
            guard let last = run.last, ["_", "~", "-", "."].contains(last) else { return nil }
            run.removeLast()
        }
        return nil
    }

    /// The maximum number of marks behind a reference that are not taken for a part of it.
    private static let marks = 16
}

extension Unicode.Scalar {
    fileprivate var continuesWord: Bool {
        properties.isAlphabetic || properties.numericType != nil || self == "_" || self == "-"
    }
}
