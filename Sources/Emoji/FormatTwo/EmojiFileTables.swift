import StoreImages

/// Reads the records of a file of format 2, while its bytes are accessible.
///
/// Each function returns `nil`, or leaves out, what the file does not have or what is damaged.
struct EmojiFileTables {
    typealias Section = EmojiFileLayout.Section

    /// The maximum number of results of words that a search visits.
    ///
    /// A forged file could otherwise make each of many words refer to all emoji.
    static let maximumVisits = 1_000_000

    let bytes: UnsafeRawBufferPointer
    let places: [EmojiFileLayout.Place]

    func place(_ section: Section) -> EmojiFileLayout.Place { places[Int(section.rawValue)] }
    func records(_ section: Section) -> Range<Int> { 0..<place(section).count }

    /// Returns a 32-bit number of a record.
    ///
    /// - Parameter field: the offset of the number in the record, which all records of the section have.
    func number(_ section: Section, _ record: Int, _ field: Int) -> UInt32? {
        let place = place(section)
        guard record >= 0, record < place.count else { return nil }
        return bytes.number(place.offset + record * place.recordSize + field)
    }

    /// Returns a range of records of another section; `nil` if it is not within that section.
    func range(_ first: UInt32?, _ count: UInt32?, in section: Section) -> Range<Int>? {
        guard let first, let count, Int(first) + Int(count) <= place(section).count else { return nil }
        return Int(first)..<(Int(first) + Int(count))
    }

    // MARK: Strings

    func stringBytes(_ number: UInt32?) -> UnsafeRawBufferPointer? {
        guard let number, number != EmojiFileLayout.none,
            let start = self.number(.stringEnds, Int(number), 0), let end = self.number(.stringEnds, Int(number) + 1, 0)
        else { return nil }
        let place = place(.stringBytes)
        guard start <= end, Int(end) <= place.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[(place.offset + Int(start))..<(place.offset + Int(end))])
    }

    func string(_ number: UInt32?) -> String? { stringBytes(number).flatMap { String(validating: $0, as: UTF8.self) } }

    // MARK: Emoji

    func codePoints(_ number: Int) -> Range<Int>? {
        range(self.number(.emoji, number, 0), self.number(.emoji, number, 4), in: .codePoints)
    }

    func sequence(_ number: Int) -> EmojiSequence? {
        guard let range = codePoints(number), range.count <= EmojiSequence.maximumLength else { return nil }
        return EmojiSequence(codePoints: range.compactMap { self.number(.codePoints, $0, 0) })
    }

    /// Finds an emoji by binary search.
    func number(of key: [UInt32]) -> Int? {
        var (low, high) = (0, place(.index).count)
        while low < high {
            let middle = (low + high) / 2
            guard let number = number(.index, middle, 0).map(Int.init), let order = compare(number, key) else {
                return nil
            }
            if order == 0 { return number }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Returns a negative number if the key of an emoji is before another key, 0 if they are equal, else a positive one.
    private func compare(_ number: Int, _ key: [UInt32]) -> Int? {
        guard let range = codePoints(number), range.count <= EmojiSequence.maximumLength else { return nil }
        var position = 0
        for index in range {
            guard let value = self.number(.codePoints, index, 0) else { return nil }
            if value == 0xFE0E || value == 0xFE0F { continue }
            guard position < key.count else { return 1 }
            if value != key[position] { return value < key[position] ? -1 : 1 }
            position += 1
        }
        return position == key.count ? 0 : -1
    }

    func images(_ number: Int) -> [EmojiFile.Image] {
        let range = range(self.number(.emoji, number, 8), self.number(.emoji, number, 12), in: .images)
        // No emoji needs more, and a forged file could give each all images.
        return range?.prefix(16).compactMap(image) ?? []
    }

    func image(_ record: Int) -> EmojiFile.Image? {
        let (images, data) = (place(.images), place(.data))
        guard record >= 0, record < images.count else { return nil }
        let start = images.offset + record * images.recordSize
        let (offset, size): (UInt64, UInt64) = (bytes.number(start), bytes.number(start + 8))
        guard offset <= UInt64(data.count), size <= UInt64(data.count) - offset, size > 0,
            let format = ImageFormat(number: bytes.number(start + 16))
        else { return nil }
        let first = data.offset + Int(offset)
        return EmojiFile.Image(
            range: first..<(first + Int(size)), format: format, width: Int(bytes.number(start + 20) as UInt32),
            height: Int(bytes.number(start + 24) as UInt32), checksum: bytes.number(start + 32))
    }

    // MARK: Categories

    var categories: [EmojiFile.Category] {
        // Each subgroup belongs to one category, so that a forged file can't repeat them without end.
        var rest = place(.subgroups).count
        return records(.groups).compactMap { group in
            guard let name = string(number(.groups, group, 0)),
                let subgroups = range(number(.groups, group, 4), number(.groups, group, 8), in: .subgroups),
                subgroups.count <= rest
            else { return nil }
            rest -= subgroups.count
            let parts = subgroups.compactMap(subgroup)
            guard let first = parts.first?.emoji.lowerBound, let last = parts.last?.emoji.upperBound, first <= last
            else { return nil }
            return EmojiFile.Category(name: name, emoji: first..<last, subgroups: parts)
        }
    }

    private func subgroup(_ record: Int) -> EmojiFile.Category? {
        guard let name = string(number(.subgroups, record, 0)),
            let emoji = range(number(.subgroups, record, 4), number(.subgroups, record, 8), in: .emoji)
        else { return nil }
        return EmojiFile.Category(name: name, emoji: emoji, subgroups: [])
    }

    func category(of number: Int) -> String? {
        guard let subgroup = self.number(.emoji, number, 16), let group = self.number(.subgroups, Int(subgroup), 12)
        else { return nil }
        return string(self.number(.groups, Int(group), 0))
    }
}
