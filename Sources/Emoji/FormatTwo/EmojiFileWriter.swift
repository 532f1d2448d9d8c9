import StoreImages
import StoreModel

/// Writes emoji sets as files of format 2; the same set results in the same bytes.
struct EmojiFileWriter {
    private var tables: [EmojiFileLayout.Section: [UInt8]] = [:]
    private var counts: [EmojiFileLayout.Section: Int] = [:]
    /// The numbers of the strings by their UTF-8: strings that are canonically equivalent are equal, and have other bytes.
    private var strings: [[UInt8]: UInt32] = [:]
    /// The places of images in the data by their bytes, so that equal images are stored once.
    private var stored: [[UInt8]: Int] = [:]

    /// Returns the file of an emoji set.
    ///
    /// - Throws: `emoji.duplicate` if two emoji differ in variation selectors only; `emoji.no-image`; `emoji.too-large`.
    static func write(_ set: EmojiSetDescription) throws -> [UInt8] {
        var writer = EmojiFileWriter()
        try writer.add(set)
        return try writer.file()
    }

    // MARK: Tables

    private mutating func add(_ set: EmojiSetDescription) throws {
        let items = set.items
        try addIndex(items)
        append(.stringEnds, [0])
        var number = 0
        for (groupNumber, group) in set.groups.enumerated() {
            append(.groups, [string(group.name), count32(.subgroups), UInt32(group.subgroups.count)])
            for subgroup in group.subgroups {
                let name = string(subgroup.name)
                append(.subgroups, [name, UInt32(number), UInt32(subgroup.emoji.count), UInt32(groupNumber)])
                for item in subgroup.emoji {
                    try add(item, subgroup: count32(.subgroups) - 1)
                    number += 1
                }
            }
        }
        addTexts(items)
    }

    /// Adds the numbers of the emoji in the order of their keys, for the binary search.
    private mutating func addIndex(_ items: [EmojiSetDescription.Item]) throws {
        let keys = items.map(\.sequence.key)
        let order = keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
        for (one, next) in zip(order, order.dropFirst()) where keys[one] == keys[next] {
            throw StoreError(.emojiDuplicate, ["emoji": items[max(one, next)].sequence.hexadecimal()])
        }
        append(.index, order.map { UInt32($0) })
    }

    private mutating func add(_ item: EmojiSetDescription.Item, subgroup: UInt32) throws {
        guard !item.images.isEmpty else {
            throw StoreError(.emojiWithoutImage, ["emoji": item.sequence.hexadecimal()])
        }
        let scalars = item.sequence.scalars
        append(
            .emoji,
            [count32(.codePoints), UInt32(scalars.count), count32(.images), UInt32(item.images.count), subgroup])
        append(.codePoints, scalars.map(\.value))
        for image in item.images {
            let offset = place(of: image.bytes)
            var record: [UInt8] = []
            record.append(number: UInt64(offset))
            record.append(number: UInt64(image.bytes.count))
            record.append(number: image.format.number)
            record.append(number: UInt32(clamping: image.width))
            record.append(number: UInt32(clamping: image.height))
            record.append(number: UInt32(0))
            record.append(number: EmojiChecksum.of(image.bytes))
            append(.images, bytes: record)
        }
    }

    /// Returns the offset of an image in the section of the images' bytes, where it is added unless it is there.
    private mutating func place(of bytes: [UInt8]) -> Int {
        if let known = stored[bytes] { return known }
        let offset = counts[.data, default: 0]
        append(.data, bytes: bytes)
        stored[bytes] = offset
        return offset
    }

    /// Adds the names, the keywords and the words of the search for each language.
    private mutating func addTexts(_ items: [EmojiSetDescription.Item]) {
        for language in Set(items.flatMap(\.texts.keys)).sorted() {
            let (firstText, firstWord) = (count32(.texts), count32(.words))
            var found: [String: [UInt32]] = [:]
            for (number, item) in items.enumerated() {
                guard let names = item.texts[language] else { continue }
                let name = names.name.isEmpty ? EmojiFileLayout.none : string(names.name)
                append(.texts, [UInt32(number), name, count32(.keywords), UInt32(names.keywords.count)])
                for keyword in names.keywords { append(.keywords, [string(keyword)]) }
                for word in Set(([names.name] + names.keywords).flatMap(EmojiWords.words)) {
                    found[word, default: []].append(UInt32(number))
                }
            }
            for (word, numbers) in found.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                append(.words, [string(word), count32(.postings), UInt32(numbers.count)])
                append(.postings, numbers)
            }
            append(
                .languages,
                [
                    string(language), firstText, count32(.texts) - firstText, firstWord,
                    count32(.words) - firstWord,
                ])
        }
    }

    // MARK: Records

    private func count32(_ section: EmojiFileLayout.Section) -> UInt32 { UInt32(counts[section, default: 0]) }

    private mutating func append(_ section: EmojiFileLayout.Section, _ numbers: [UInt32]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 4)
        for number in numbers { bytes.append(number: number) }
        append(section, bytes: bytes)
    }

    private mutating func append(_ section: EmojiFileLayout.Section, bytes: [UInt8]) {
        tables[section, default: []] += bytes
        counts[section, default: 0] += bytes.count / section.recordSize
    }

    /// Returns the number of a string, which is added unless it is known.
    private mutating func string(_ text: String) -> UInt32 {
        let bytes = Array(text.utf8)
        if let known = strings[bytes] { return known }
        let number = UInt32(strings.count)
        strings[bytes] = number
        append(.stringBytes, bytes: bytes)
        append(.stringEnds, [count32(.stringBytes)])
        return number
    }

    // MARK: The file

    private func file() throws -> [UInt8] {
        let sections = EmojiFileLayout.Section.allCases
        var offset = EmojiFileLayout.headerSize + sections.count * EmojiFileLayout.sectionSize
        var table: [UInt8] = []
        var content: [UInt8] = []
        for section in sections {
            let bytes = tables[section] ?? []
            let padding = (EmojiFileLayout.alignment - offset % EmojiFileLayout.alignment) % EmojiFileLayout.alignment
            content += [UInt8](repeating: 0, count: padding) + bytes
            offset += padding
            table.append(number: section.rawValue)
            table.append(number: UInt32(section.recordSize))
            table.append(number: UInt64(offset))
            table.append(number: UInt64(bytes.count))
            table.append(number: EmojiChecksum.of(bytes))
            offset += bytes.count
        }
        guard offset <= EmojiFileLayout.maximumSize else {
            throw StoreError(.emojiFileTooLarge, ["limit": .bytes(EmojiFileLayout.maximumSize)])
        }
        var start = EmojiFileLayout.magic
        start.append(number: EmojiFileLayout.version)
        start.append(number: UInt16(0))
        start.append(number: UInt32(sections.count))
        start.append(number: UInt64(offset))
        let rest = [UInt8](repeating: 0, count: 8) + table
        var checksum: [UInt8] = []
        checksum.append(number: EmojiChecksum.of(start + rest))
        return start + checksum + rest + content
    }
}

extension [UInt8] {
    /// Appends a number in little-endian byte order.
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension ImageFormat {
    /// The number of the image format in files of format 2.
    var number: UInt32 {
        switch self {
        case .png: 1
        case .apng: 2
        case .gif: 3
        case .jpeg: 4
        case .webp: 5
        case .svg: 6
        }
    }

    /// Returns the image format with a number in files of format 2; `nil` for one of a later revision.
    init?(number: UInt32) {
        guard let found = ImageFormat.allCases.first(where: { $0.number == number }) else { return nil }
        self = found
    }
}
