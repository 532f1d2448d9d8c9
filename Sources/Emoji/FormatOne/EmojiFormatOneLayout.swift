/// The layout of a file of format 1 (the images of an emoji set in one file).
///
/// It has a header of 5 bytes, a header of 15 bytes for each emoji, and the images.
struct EmojiFormatOneLayout {
    static let headerSize = 5
    static let emojiSize = 15

    let count: Int
    private let isLittleEndian: Bool
    /// The order of the bytes of the numbers in the file.
    var byteOrder: EmojiFormatOne.ByteOrder { isLittleEndian ? .little : .big }
    var imagesStart: Int { EmojiFormatOneLayout.headerSize + count * EmojiFormatOneLayout.emojiSize }

    /// Detects a compiled emoji file and its byte order from its first bytes; `nil` if the file is not one.
    ///
    /// - Parameter size: the size of the file in bytes.
    init?(head: [UInt8], size: Int) {
        // A file that was cut short meanwhile has fewer bytes than its size says.
        guard size > EmojiFormatOneLayout.headerSize, head.count >= EmojiFormatOneLayout.headerSize, head[0] == 1 else {
            return nil
        }
        for isLittleEndian in [true, false] {
            let count = EmojiFormatOneLayout.number(head[1..<5], isLittleEndian)
            // Each emoji takes more bytes than its header.
            if count > 0, count < (size - EmojiFormatOneLayout.headerSize) / EmojiFormatOneLayout.emojiSize {
                (self.count, self.isLittleEndian) = (count, isLittleEndian)
                return
            }
        }
        return nil
    }

    /// Returns the offset of an emoji's header in the file.
    func header(_ number: Int) -> Int { EmojiFormatOneLayout.headerSize + number * EmojiFormatOneLayout.emojiSize }

    /// Returns the range of bytes of an emoji's image in the compiled emoji file.
    ///
    /// - Parameter number: the number of the emoji, counted from 0.
    func image(_ number: Int, in bytes: [UInt8]) -> Range<Int> {
        let header = EmojiFormatOneLayout.headerSize + number * EmojiFormatOneLayout.emojiSize
        let offset = EmojiFormatOneLayout.number(bytes[(header + 8)..<(header + 12)], isLittleEndian)
        return offset..<(offset + EmojiFormatOneLayout.number(bytes[(header + 13)..<(header + 15)], isLittleEndian))
    }

    /// Returns the code points of an emoji in the compiled emoji file, one or two.
    func codePoints(_ number: Int, in bytes: [UInt8]) -> [Int] {
        let header = EmojiFormatOneLayout.headerSize + number * EmojiFormatOneLayout.emojiSize
        let second = EmojiFormatOneLayout.number(bytes[(header + 4)..<(header + 8)], isLittleEndian)
        return [EmojiFormatOneLayout.number(bytes[header..<(header + 4)], isLittleEndian)]
            + (second == 0 ? [] : [second])
    }

    /// Returns the index of an emoji's category in the compiled emoji file.
    func category(_ number: Int, in bytes: [UInt8]) -> Int {
        Int(bytes[EmojiFormatOneLayout.headerSize + number * EmojiFormatOneLayout.emojiSize + 12])
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> Int {
        isLittleEndian ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
