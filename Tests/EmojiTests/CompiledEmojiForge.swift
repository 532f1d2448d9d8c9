import StoreTestSupport

/// Creates compiled emoji files of version 1 for tests.
struct CompiledEmojiForge {
    struct Emoji {
        var codePoints: [Int]
        var category = 0
        var image: [UInt8]
    }

    /// Returns a compiled file with an image for each emoji.
    static func file(_ emoji: [Emoji], little: Bool = true) -> [UInt8] {
        func number(_ number: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return little ? bytes : bytes.reversed()
        }
        var offset = 5 + 15 * emoji.count
        var file: [UInt8] = [1] + number(emoji.count, 4)
        for one in emoji {
            file += number(one.codePoints[0], 4) + number(one.codePoints.dropFirst().first ?? 0, 4)
            file += number(offset, 4) + [UInt8(one.category)] + number(one.image.count, 2)
            offset += one.image.count
        }
        return file + emoji.flatMap(\.image)
    }
}
