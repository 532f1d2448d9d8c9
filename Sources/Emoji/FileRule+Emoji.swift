import StoreImages
import StoreLibrary
import StoreModel

extension FileRule {
    /// Returns the rule that accepts compiled emoji files of version 1 in an emoji set and checks their images.
    ///
    /// They are recognized by a number of emoji that fits the file's size in either byte order.
    static func emojiFiles(_ images: ImageLimits) -> FileRule {
        FileRule("compiled emoji") { file in
            guard file.content == .other(nil), let layout = EmojiFileLayout(head: file.head, size: file.size) else {
                return false
            }
            let bytes = try file.bytes(limit: images.size)
            let reader = ImageReader(limits: images)
            var total = 0
            for number in 0..<layout.count {
                let place = layout.image(number, in: bytes)
                total += place.count
                // Overlapping images could take more than linear time to check.
                guard place.lowerBound >= layout.imagesStart, place.upperBound <= bytes.count, total <= bytes.count
                else {
                    throw StoreError(.emojiImageOutside, ["number": number + 1, "path": .untrusted(file.path)])
                }
                do {
                    _ = try reader.read(Array(bytes[place]))
                } catch let error as StoreError where error.isImageError {
                    throw StoreError(
                        .imageInEmojiFile, ["number": number + 1, "path": .untrusted(file.path)], cause: error)
                }
            }
            return true
        }
    }
}

/// The layout of a compiled emoji file (the images of an emoji set in one file).
///
/// It has a header of 5 bytes, a header of 15 bytes for each emoji, and the images.
struct EmojiFileLayout {
    static let headerSize = 5
    static let emojiSize = 15

    let count: Int
    private let isLittleEndian: Bool
    var imagesStart: Int { EmojiFileLayout.headerSize + count * EmojiFileLayout.emojiSize }

    /// Detects a compiled emoji file and its byte order from its first bytes; `nil` if the file is not one.
    ///
    /// - Parameter size: the size of the file in bytes.
    init?(head: [UInt8], size: Int) {
        guard size > EmojiFileLayout.headerSize, head[0] == 1 else { return nil }
        for isLittleEndian in [true, false] {
            let count = EmojiFileLayout.number(head[1..<5], isLittleEndian)
            // Each emoji takes more bytes than its header.
            if count > 0, count < (size - EmojiFileLayout.headerSize) / EmojiFileLayout.emojiSize {
                (self.count, self.isLittleEndian) = (count, isLittleEndian)
                return
            }
        }
        return nil
    }

    /// Returns the range of bytes of an emoji's image in the compiled emoji file.
    ///
    /// - Parameter number: the number of the emoji, counted from 0.
    func image(_ number: Int, in bytes: [UInt8]) -> Range<Int> {
        let header = EmojiFileLayout.headerSize + number * EmojiFileLayout.emojiSize
        let offset = EmojiFileLayout.number(bytes[(header + 8)..<(header + 12)], isLittleEndian)
        return offset..<(offset + EmojiFileLayout.number(bytes[(header + 13)..<(header + 15)], isLittleEndian))
    }

    /// Returns the code points of an emoji in the compiled emoji file, one or two.
    func codePoints(_ number: Int, in bytes: [UInt8]) -> [Int] {
        let header = EmojiFileLayout.headerSize + number * EmojiFileLayout.emojiSize
        let second = EmojiFileLayout.number(bytes[(header + 4)..<(header + 8)], isLittleEndian)
        return [EmojiFileLayout.number(bytes[header..<(header + 4)], isLittleEndian)] + (second == 0 ? [] : [second])
    }

    /// Returns the index of an emoji's category in the compiled emoji file.
    func category(_ number: Int, in bytes: [UInt8]) -> Int {
        Int(bytes[EmojiFileLayout.headerSize + number * EmojiFileLayout.emojiSize + 12])
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> Int {
        isLittleEndian ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
