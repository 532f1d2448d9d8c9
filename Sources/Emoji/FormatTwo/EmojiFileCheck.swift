public import StoreImages
import StoreModel

/// Checks every record of a file of format 2, in time proportional to its size.
struct EmojiFileCheck {
    private typealias Section = EmojiFileLayout.Section

    /// The maximum number of problems that are listed; a damaged file may have one in each record.
    static let maximumProblems = 100

    private let tables: EmojiFileTables
    private let reader: ImageReader
    private(set) var problems: [EmojiFileProblem] = []

    init(_ tables: EmojiFileTables, limits: ImageLimits) {
        self.tables = tables
        reader = ImageReader(limits: limits)
    }

    mutating func run() {
        checkSections()
        // What follows would report the same damage again, in other words.
        guard problems.isEmpty else { return }
        checkHeader()
        checkStrings()
        checkCategories()
        checkEmoji()
        checkIndex()
        checkImages()
        checkLanguages()
    }

    private mutating func add(_ place: String, _ expected: String, _ found: String) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(EmojiFileProblem(place, expected: expected, found: found))
    }

    private func place(_ section: Section, _ record: Int) -> String { "section '\(section.name)', record \(record)" }

    private mutating func checkSections() {
        for section in Section.allCases {
            let place = tables.place(section)
            guard place.count > 0 else { continue }
            let found = EmojiChecksum.of(tables.bytes[place.range])
            if found != place.checksum {
                add(
                    "section '\(section.name)', bytes \(place.range.lowerBound) to \(place.range.upperBound - 1)",
                    "the checksum \(hexadecimal(place.checksum))", hexadecimal(found))
            }
        }
        if tables.place(.emoji).count == 0 { add("section 'emoji'", "at least one emoji", "none") }
    }

    private mutating func checkHeader() {
        let (offset, alignment) = (EmojiFileLayout.reservedOffset, EmojiFileLayout.alignment)
        let reserved: UInt64 = tables.bytes.number(offset)
        if reserved != 0 { add("bytes \(offset) to \(offset + 7)", "0", "\(reserved)") }
        for section in Section.allCases {
            let start = tables.place(section).offset
            if start % alignment != 0 {
                add("section '\(section.name)'", "an offset that is a multiple of \(alignment)", "\(start)")
            }
        }
    }

    private mutating func checkStrings() {
        let (ends, bytes) = (tables.place(.stringEnds), tables.place(.stringBytes))
        var previous: UInt32 = 0
        for record in 0..<ends.count {
            let end = tables.number(.stringEnds, record, 0) ?? 0
            if record == 0 ? end != 0 : end < previous || Int(end) > bytes.count {
                add(place(.stringEnds, record), "\(record == 0 ? "0" : "\(previous) to \(bytes.count)")", "\(end)")
                return
            }
            if record > 0, tables.string(UInt32(record - 1)) == nil {
                add("string \(record - 1)", "UTF-8", "other bytes")
            }
            previous = end
        }
    }

    private mutating func checkCategories() {
        var (subgroup, emoji) = (0, 0)
        for record in tables.records(.groups) {
            requireString(.groups, record, 0)
            let range = tables.range(
                tables.number(.groups, record, 4), tables.number(.groups, record, 8), in: .subgroups)
            guard let range, range.lowerBound == subgroup else {
                return add(place(.groups, record), "subgroups from \(subgroup), within their section", "others")
            }
            subgroup = range.upperBound
            for part in range {
                requireString(.subgroups, part, 0)
                let numbers = tables.range(
                    tables.number(.subgroups, part, 4), tables.number(.subgroups, part, 8), in: .emoji)
                guard let numbers, numbers.lowerBound == emoji, tables.number(.subgroups, part, 12) == UInt32(record)
                else { return add(place(.subgroups, part), "emoji from \(emoji) and group \(record)", "others") }
                for number in numbers where tables.number(.emoji, number, 16) != UInt32(part) {
                    add(place(.emoji, number), "subgroup \(part)", "another")
                }
                emoji = numbers.upperBound
            }
        }
        let total = tables.place(.emoji).count
        if emoji != total { add("section 'groups'", "all \(total) emoji", "\(emoji)") }
    }

    private mutating func checkEmoji() {
        for record in tables.records(.emoji) {
            if tables.sequence(record) == nil {
                add(place(.emoji, record), "1 to \(EmojiSequence.maximumLength) code points of an emoji", "others")
            }
            let images = tables.range(tables.number(.emoji, record, 8), tables.number(.emoji, record, 12), in: .images)
            if images?.isEmpty != false { add(place(.emoji, record), "at least one image", "none") }
        }
    }

    private mutating func checkIndex() {
        let (index, emoji) = (tables.place(.index).count, tables.place(.emoji).count)
        guard index == emoji else { return add("section 'index'", "\(emoji) records", "\(index)") }
        var previous: [UInt32] = []
        for record in 0..<index {
            guard let number = tables.number(.index, record, 0), let key = tables.sequence(Int(number))?.key,
                previous.lexicographicallyPrecedes(key)
            else { return add(place(.index, record), "an emoji whose code points follow those before", "another") }
            previous = key
        }
    }

    private mutating func checkImages() {
        var checked: [Range<Int>: UInt64] = [:]
        // Images may share all bytes. Those that share some could take more than linear time to check.
        var rest = tables.place(.data).count
        for record in tables.records(.images) {
            let reserved = tables.number(.images, record, 28) ?? 0
            if reserved != 0 { add(place(.images, record), "0 in the reserved field", "\(reserved)") }
            guard let image = tables.image(record) else {
                add(place(.images, record), "a known format, and bytes within section 'data'", "others")
                continue
            }
            let known = checked[image.range]
            if known == nil {
                rest -= image.range.count
                guard rest >= 0 else { return add(place(.images, record), "bytes of its own", "those of other images") }
                check(image, record)
            }
            let checksum = known ?? EmojiChecksum.of(tables.bytes[image.range])
            checked[image.range] = checksum
            if checksum != image.checksum {
                add(place(.images, record), "the checksum \(hexadecimal(image.checksum))", hexadecimal(checksum))
            }
        }
    }

    private mutating func check(_ image: EmojiFile.Image, _ record: Int) {
        do {
            let facts = try reader.read(Array(tables.bytes[image.range]))
            if facts.format != image.format || facts.width != image.width || facts.height != image.height {
                add(
                    place(.images, record), "\(image.format.title) of \(image.width) × \(image.height) pixels",
                    "\(facts.format.title) of \(facts.width) × \(facts.height)")
            }
        } catch {
            add(place(.images, record), "\(image.format.title) within the limits", ErrorReport(error).message)
        }
    }

    private mutating func checkLanguages() {
        var (nextText, nextWord) = (0, 0)
        for record in tables.records(.languages) {
            requireString(.languages, record, 0)
            let texts = tables.range(
                tables.number(.languages, record, 4), tables.number(.languages, record, 8), in: .texts)
            let words = tables.range(
                tables.number(.languages, record, 12), tables.number(.languages, record, 16), in: .words)
            guard let texts, let words else {
                add(place(.languages, record), "texts and words within their sections", "others")
                continue
            }
            // Each is checked once, so that the time does not grow with the product of both numbers.
            guard texts.lowerBound >= nextText, words.lowerBound >= nextWord else {
                add(place(.languages, record), "texts and words after those of the language before", "others")
                continue
            }
            (nextText, nextWord) = (texts.upperBound, words.upperBound)
            checkOrder(ofTexts: texts)
            for text in texts {
                let name = tables.number(.texts, text, 4)
                if name != EmojiFileLayout.none { requireString(.texts, text, 4) }
                requireRange(.texts, text, 8, in: .keywords)
                if Int(tables.number(.texts, text, 0) ?? 0) >= tables.place(.emoji).count {
                    add(place(.texts, text), "an emoji of the file", "another number")
                }
            }
            for word in words {
                requireString(.words, word, 0)
                requireRange(.words, word, 4, in: .postings)
                if word > words.lowerBound, let one = tables.stringBytes(tables.number(.words, word - 1, 0)),
                    let next = tables.stringBytes(tables.number(.words, word, 0)), !one.lexicographicallyPrecedes(next)
                {
                    add(place(.words, word), "a word that follows the one before", "another")
                }
            }
        }
        for record in tables.records(.keywords) { requireString(.keywords, record, 0) }
        for record in tables.records(.postings)
        where Int(tables.number(.postings, record, 0) ?? 0) >= tables.place(.emoji).count {
            add(place(.postings, record), "an emoji of the file", "another number")
        }
    }

    private mutating func checkOrder(ofTexts range: Range<Int>) {
        for (one, next) in zip(range, range.dropFirst())
        where (tables.number(.texts, one, 0) ?? 0) >= (tables.number(.texts, next, 0) ?? 0) {
            add(place(.texts, next), "an emoji after the one before", "another")
        }
    }

    private mutating func requireString(_ section: Section, _ record: Int, _ field: Int) {
        if tables.stringBytes(tables.number(section, record, field)) == nil {
            add(place(section, record), "a string of the file", "another number")
        }
    }

    private mutating func requireRange(_ section: Section, _ record: Int, _ field: Int, in other: Section) {
        if tables.range(tables.number(section, record, field), tables.number(section, record, field + 4), in: other)
            == nil
        {
            add(place(section, record), "records within section '\(other.name)'", "others")
        }
    }

    private func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }
}

extension EmojiFile {
    /// Returns the places that are not as the format says, at most 100 of them; none if the file is in order.
    ///
    /// Everything is checked: checksums, order, references, and the images themselves. If the checksum of a section does
    /// not match, only the sections with that problem are returned.
    ///
    /// - Parameter limits: the limits of the images.
    public func problems(limits: ImageLimits = ImageLimits()) -> [EmojiFileProblem] {
        withBytes { tables in
            var check = EmojiFileCheck(tables, limits: limits)
            check.run()
            return check.problems
        }
    }
}
