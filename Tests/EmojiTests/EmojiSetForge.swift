import StoreEmoji
import StoreTestSupport

/// Makes emoji sets for tests.
enum EmojiSetForge {
    /// Returns a set of random emoji with images of several formats, and names in two languages.
    static func set(seed: UInt64, count: Int) throws -> EmojiSetDescription {
        var generator = SeededGenerator(seed: seed)
        var keys: Set<[UInt32]> = []
        var items: [EmojiSetDescription.Item] = []
        while items.count < count {
            let length = Int.random(in: 1...12, using: &generator)
            let points = (0..<length).map { _ in
                [UInt32.random(in: 0x1F300...0x1F64F, using: &generator), 0xFE0F, 0x200D].randomElement(
                    using: &generator)!
            }
            guard let sequence = EmojiSequence(codePoints: points), keys.insert(sequence.key).inserted else { continue }
            var item = EmojiSetDescription.Item(sequence: sequence)
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                item.images.append(try EmojiImage(image(&generator)))
            }
            for language in ["en", "pt"] where Bool.random(using: &generator) {
                let words = (0..<Int.random(in: 0...3, using: &generator)).map { _ in word(&generator) }
                item.texts[language] = EmojiNames(
                    name: Bool.random(using: &generator) ? word(&generator) : "", keywords: words)
            }
            items.append(item)
        }
        var groups: [EmojiSetDescription.Group] = []
        while !items.isEmpty {
            var subgroups: [EmojiSetDescription.Subgroup] = []
            for number in 0..<Int.random(in: 1...2, using: &generator) where !items.isEmpty {
                let taken = items.prefix(Int.random(in: 1...5, using: &generator))
                subgroups.append(.init(name: "part \(number)", emoji: Array(taken)))
                items.removeFirst(taken.count)
            }
            groups.append(.init(name: "group <\(groups.count)> & \"more\"", subgroups: subgroups))
        }
        return EmojiSetDescription(groups: groups)
    }

    private static func image(_ generator: inout SeededGenerator) -> [UInt8] {
        let (width, height) = (Int.random(in: 1...9, using: &generator), Int.random(in: 1...9, using: &generator))
        return switch Int.random(in: 0...4, using: &generator) {
        case 0: ImageForge.png(width, height)
        case 1: ImageForge.gif(width, height)
        case 2: ImageForge.svg("<circle r='\(width)'/>")
        case 3: ImageForge.jpeg(width, height)
        default: ImageForge.apng(width, height)
        }
    }

    private static func word(_ generator: inout SeededGenerator) -> String {
        ["cat face", "São", "smile", "ÄRGER", "猫", "a & b", "smiling", "don't"].randomElement(using: &generator)!
    }
}
