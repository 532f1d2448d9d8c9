import StoreImages

extension EmojiSequence {
    /// Creates the sequence that the name of an image file states; `nil` if the name states none.
    ///
    /// Examples are `1f600.png`, `1f468-200d-1f33e.svg`, `emoji_u1f468_200d_1f33e.png` and `u1f1e9_1f1ea.webp`, as
    /// published sets of images use them.
    public init?(fileName: String) {
        let parts = fileName.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, ImageFormat.allSuffixes.contains(String(parts[1])) else { return nil }
        let name = parts[0].hasPrefix("emoji_") ? parts[0].dropFirst("emoji_".count) : parts[0]
        let numbers = name.split(whereSeparator: { $0 == "_" || $0 == "-" }).map { part in
            let digits = part.hasPrefix("u") ? part.dropFirst() : part
            return (2...6).contains(digits.utf8.count) ? UInt32(digits, radix: 16) : nil
        }
        guard numbers.allSatisfy({ $0 != nil }) else { return nil }
        self.init(codePoints: numbers.compactMap { $0 })
        // Other names, such as `face.png`, are hexadecimal numbers, too.
        guard scalars.first?.properties.isEmoji == true else { return nil }
    }

    /// The name of an image file of the emoji, without its extension, such as `1f468-200d-1f33e`.
    public var fileStem: String { hexadecimal(separator: "-", uppercase: false) }
}
