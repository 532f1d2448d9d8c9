/// The constants of the binary format 2 of emoji sets, which the module's page about the files documents.
enum EmojiFileLayout {
    /// The bytes with which a file of format 2 begins.
    ///
    /// They are not valid text, and contain line ends, so that a conversion of line ends is detected.
    static let magic: [UInt8] = [0x89, 0x45, 0x4D, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The version of the format; a file with another one is refused.
    static let version: UInt16 = 2
    static let headerSize = 40
    /// The offset of the checksum of header and section table, in bytes.
    static let checksumOffset = 24
    /// The offset of the reserved number in the header, in bytes.
    static let reservedOffset = 32
    static let sectionSize = 32
    /// The maximum number of sections; a later revision may add some to those of ``Section``.
    static let maximumSections = 64
    /// The number that stands for a missing string.
    static let none = UInt32.max
    /// Each section begins at a multiple of this number of bytes.
    static let alignment = 8
    /// The maximum size of a file that is accepted, in bytes.
    static let maximumSize = 1 << 30

    /// A table of the file; the raw value is its number in the section table.
    enum Section: UInt32, CaseIterable, Sendable {
        case codePoints = 1
        case emoji, index, groups, subgroups, images, stringEnds, stringBytes, languages, texts, keywords, words,
            postings, data

        /// The size of one record in bytes; a later revision may append fields, so that a file may have larger ones.
        var recordSize: Int {
            switch self {
            case .codePoints, .index, .stringEnds, .keywords, .postings: 4
            case .emoji: 20
            case .groups, .words: 12
            case .subgroups, .texts: 16
            case .images: 40
            case .languages: 20
            case .stringBytes, .data: 1
            }
        }

        /// The name of the section in messages.
        var name: String {
            switch self {
            case .codePoints: "code points"
            case .stringEnds: "string ends"
            case .stringBytes: "string bytes"
            default: "\(self)"
            }
        }
    }

    /// The place of a section in a file.
    struct Place: Sendable, Hashable {
        var offset = 0
        var recordSize = 1
        var count = 0
        var checksum: UInt64 = 0

        var size: Int { count * recordSize }
        var range: Range<Int> { offset..<(offset + size) }
    }
}
