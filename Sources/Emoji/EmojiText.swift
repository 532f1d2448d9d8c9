import StoreImages

/// The text of an emoji, from its code points.
struct EmojiText {
    /// The maximum number of code points of an emoji; the longest of Unicode have ten.
    private static let maximumLength = 16

    let text: String

    /// Creates a text from code points; `nil` if one of them is no character, or there are none.
    init?(_ codePoints: [Int]) {
        let scalars = codePoints.compactMap { UInt32(exactly: $0).flatMap(Unicode.Scalar.init) }
        guard !scalars.isEmpty, scalars.count == codePoints.count, scalars.count <= Self.maximumLength,
            scalars.allSatisfy({ $0.value >= 0x20 })
        else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        self.text = String(text)
    }

    /// Creates a text from code points in hexadecimal, separated by spaces; `nil` if they are invalid.
    init?(codePoints: String) {
        let numbers = codePoints.split(separator: " ").map { Int($0, radix: 16) }
        guard numbers.allSatisfy({ $0 != nil }) else { return nil }
        self.init(numbers.compactMap { $0 })
    }

    /// Creates the text of the emoji that the name of an image file states, such as `u1f1e9_1f1ea.png` or
    /// `emoji_u0023-20e3.svg`; `nil` if the name states none.
    init?(fileName: String) {
        let parts = fileName.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, ImageFormat.allSuffixes.contains(String(parts[1])) else { return nil }
        let name = parts[0].hasPrefix("emoji_") ? parts[0].dropFirst("emoji_".count) : parts[0]
        let numbers = name.split(whereSeparator: { $0 == "_" || $0 == "-" }).map { part in
            let digits = part.hasPrefix("u") ? part.dropFirst() : part
            return (2...6).contains(digits.utf8.count) ? Int(digits, radix: 16) : nil
        }
        guard numbers.allSatisfy({ $0 != nil }) else { return nil }
        self.init(numbers.compactMap { $0 })
        // Other names, such as `face.png`, are hexadecimal numbers, too.
        guard text.unicodeScalars.first?.properties.isEmoji == true else { return nil }
    }
}
