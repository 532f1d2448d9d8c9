import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport

@testable import StoreEmoji

extension FuzzTarget {
    /// Checks a compiled emoji file: it is refused, or nothing in it leads out of it.
    @Sendable static func emojiFile(_ bytes: [UInt8]) throws {
        do {
            let set = try EmojiSetDescription(compiled: bytes)
            // What was read can be written, unless an emoji is in a file of format 1 twice.
            if let again = try? set.compiled() { requireSame(try EmojiSetDescription(compiled: again), set, "again") }
        } catch is StoreError {}
        walk(bytes)
        guard bytes.count >= EmojiFileLayout.headerSize + EmojiFileLayout.sectionSize else { return }
        walk(forged(bytes))
    }

    /// Returns the bytes as a file of format 2 with right checksums, whose sections are places in the input.
    private static func forged(_ bytes: [UInt8]) -> [UInt8] {
        let sections = min((bytes.count - EmojiFileLayout.headerSize) / EmojiFileLayout.sectionSize / 2 + 1, 14)
        var start = EmojiFileLayout.magic
        start.append(number: EmojiFileLayout.version)
        start.append(number: UInt16(0))
        start.append(number: UInt32(sections))
        let end = EmojiFileLayout.headerSize + sections * EmojiFileLayout.sectionSize
        let content = bytes
        start.append(number: UInt64(end + content.count))
        var table = [UInt8](repeating: 0, count: 8)
        for number in 0..<sections {
            let section = EmojiFileLayout.Section.allCases[number % EmojiFileLayout.Section.allCases.count]
            let place = min(Int(bytes[number * 2]) * 2, content.count)
            let count = min(Int(bytes[number * 2 + 1]), (content.count - place) / section.recordSize)
            let size = count * section.recordSize
            table.append(number: section.rawValue)
            table.append(number: UInt32(section.recordSize))
            table.append(number: UInt64(end + place))
            table.append(number: UInt64(size))
            table.append(number: EmojiChecksum.of(content[place..<(place + size)]))
        }
        var checksum: [UInt8] = []
        checksum.append(number: EmojiChecksum.of(start + table))
        return start + checksum + table + content
    }

    private static func walk(_ bytes: [UInt8]) {
        guard let file = try? EmojiFile(bytes) else { return }
        for number in -1...min(file.count, 100) {
            if let sequence = file.sequence(number) { _ = file.number(of: sequence) }
            for image in file.images(number) { require(file.bytes(of: image).count > 0, "an empty image") }
            _ = file.category(of: number)
        }
        for language in file.languages.prefix(8) {
            _ = file.names(0, language: language)
            for number in file.search("a", language: language, limit: 10) {
                require(number < file.count, "a result behind the last emoji")
            }
        }
        for category in file.categories { require(category.emoji.upperBound <= file.count, "\(category)") }
        let problems = file.problems()
        require(problems.count <= EmojiFileCheck.maximumProblems, "too many problems")
        guard problems.isEmpty else { return }
        for number in 0..<file.count {
            requireSame(file.sequence(number).flatMap { file.number(of: $0) }, number, "an emoji without problems")
        }
    }

    /// Checks the sources of emoji sets: each is refused with an error code, or can be written.
    @Sendable static func emojiSource(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let order = try EmojiOrder(testFile: text, file: "a")
            requireSame(EmojiSetDescription(order).items.count, order.entries.filter(\.isPreferred).count, "entries")
        } catch is StoreError {}
        do {
            let annotations = try EmojiAnnotations(bytes, file: "a")
            require(!annotations.language.isEmpty, "no language")
        } catch is StoreError {}
        try Workspace.withFolder { folder in
            try folder.put("a.png", Data(ImageForge.png()))
            try folder.put("order.xml", Data(bytes))
            do {
                let set = try EmojiSetDescription(xml: "order.xml", in: folder)
                for item in set.items { require(!item.images.isEmpty, "an emoji without an image") }
                _ = set.xml()
            } catch is StoreError {}
        }
    }

    /// Checks the emoji in a text: they are in order, at their positions.
    @Sendable static func emojiText(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        for unit in TextUnit.allCases {
            var end = 0
            for span in EmojiTextScanner().spans(in: text, unit: unit) {
                require(span.start >= end && span.end > span.start, "\(span)")
                end = span.end
            }
            let length =
                switch unit {
                case .utf8: text.utf8.count
                case .utf16: text.utf16.count
                case .scalars: text.unicodeScalars.count
                }
            require(end <= length, "behind the end")
        }
    }
}
