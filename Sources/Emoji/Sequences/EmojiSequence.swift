/// The code points of one emoji, such as a face, a flag, or several people joined to one picture.
public struct EmojiSequence: Sendable, Hashable {
    /// The maximum number of code points of an emoji; the longest of Unicode 15 have ten.
    public static let maximumLength = 32

    /// The code points of the emoji, with the variation selectors that it was created with.
    public let scalars: [Unicode.Scalar]

    /// Creates a sequence from its code points.
    ///
    /// `nil` if there are none or too many, if one is a control character, or if there are only variation selectors.
    public init?(_ scalars: some Sequence<Unicode.Scalar>) {
        let scalars = Array(scalars)
        guard !scalars.isEmpty, scalars.count <= Self.maximumLength, scalars.allSatisfy({ $0.value >= 0x20 }),
            scalars.contains(where: { !$0.isVariationSelector })
        else { return nil }
        self.scalars = scalars
    }

    /// Creates a sequence from the text of one emoji, such as `👩‍🌾`; `nil` if it can't be one.
    public init?(text: String) { self.init(text.unicodeScalars) }

    /// Creates a sequence from the numbers of its code points; `nil` if one of them is no character.
    public init?(codePoints: some Sequence<UInt32>) {
        var scalars: [Unicode.Scalar] = []
        for number in codePoints {
            guard scalars.count <= Self.maximumLength, let scalar = Unicode.Scalar(number) else { return nil }
            scalars.append(scalar)
        }
        self.init(scalars)
    }

    /// Creates a sequence from code points in hexadecimal, separated by spaces, such as `1F468 200D 1F33E`.
    ///
    /// `nil` if they are invalid.
    public init?(hexadecimal text: some StringProtocol) {
        var numbers: [UInt32] = []
        for part in text.split(separator: " ") {
            guard part.utf8.count <= 6, part.utf8.allSatisfy(\.isHexadecimalDigit), let number = UInt32(part, radix: 16)
            else { return nil }
            numbers.append(number)
        }
        self.init(codePoints: numbers)
    }

    /// The emoji as text.
    public var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The code points in hexadecimal with upper-case digits, separated by a text.
    public func hexadecimal(separator: String = " ", uppercase: Bool = true) -> String {
        scalars.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: uppercase)
            return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        }.joined(separator: separator)
    }

    /// The numbers of the code points without variation selectors (U+FE0E and U+FE0F), by which emoji are looked up.
    ///
    /// Programs differ in whether they write the selectors, so that sequences with the same key are the same emoji.
    public var key: [UInt32] { scalars.lazy.filter { !$0.isVariationSelector }.map(\.value) }

    // MARK: Skin tones

    /// The sequence without skin tones, for sets without an image for the combination of tones.
    ///
    /// `nil` if the sequence has no skin tone, or nothing else. Two people with a tone each are written as two joined
    /// emoji, and without tones as one; this returns that one.
    public var withoutSkinTones: EmojiSequence? {
        let rest = scalars.filter { !$0.isSkinTone }
        guard rest.count < scalars.count, let plain = EmojiSequence(rest) else { return nil }
        return Self.pairs[plain.key] ?? plain
    }

    /// The emoji of two people, without skin tones, by the joined sequences that have tones (Unicode, emoji-zwj-sequences).
    private static let pairs: [[UInt32]: EmojiSequence] = {
        let (woman, man, person): (UInt32, UInt32, UInt32) = (0x1F469, 0x1F468, 0x1F9D1)
        let (joiner, heart, kiss): (UInt32, UInt32, UInt32) = (0x200D, 0x2764, 0x1F48B)
        let pairs: [([UInt32], UInt32)] = [
            ([woman, joiner, 0x1F91D, joiner, woman], 0x1F46D), ([man, joiner, 0x1F91D, joiner, man], 0x1F46C),
            ([woman, joiner, 0x1F91D, joiner, man], 0x1F46B), ([person, joiner, heart, joiner, person], 0x1F491),
            ([person, joiner, heart, joiner, kiss, joiner, person], 0x1F48F), ([0x1FAF1, joiner, 0x1FAF2], 0x1F91D),
        ]
        var found: [[UInt32]: EmojiSequence] = [:]
        for (joined, one) in pairs { found[joined] = EmojiSequence(codePoints: [one]) }
        return found
    }()
}

extension Unicode.Scalar {
    /// Whether the code point selects the text or the emoji form of the one before it.
    var isVariationSelector: Bool { value == 0xFE0E || value == 0xFE0F }
    /// Whether the code point is a modifier that gives the emoji before it a skin tone.
    var isSkinTone: Bool { (0x1F3FB...0x1F3FF).contains(value) }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
