public import StoreImages
import StoreModel
public import StoreSystem

/// A file of format 2 with the emoji of a set, which is read where it is: no table is built from it.
///
/// Opening a file checks the header and the places of the sections. All numbers in the sections are checked when they
/// are used, so that a damaged file has missing emoji, and nothing outside of it is ever read. ``problems(limits:)`` checks
/// everything.
public struct EmojiFile: Sendable {
    /// The bytes of a file: mapped, or in memory.
    enum Storage: Sendable {
        case mapped(MappedFile)
        case array([UInt8])
    }

    let storage: Storage
    private let places: [EmojiFileLayout.Place]
    /// The number of emoji in the file.
    public let count: Int

    /// Opens a file of format 2 in memory.
    ///
    /// - Throws: `content.emoji-damaged`.
    public init(_ bytes: [UInt8]) throws { try self.init(.array(bytes)) }

    /// Opens a file of format 2 that is mapped into memory.
    ///
    /// - Throws: `content.emoji-damaged`.
    public init(_ file: MappedFile) throws { try self.init(.mapped(file)) }

    private init(_ storage: Storage) throws {
        self.storage = storage
        places = try EmojiFile.withBytes(storage) { try EmojiFileHeader.read($0) }
        count = places[Int(EmojiFileLayout.Section.emoji.rawValue)].count
    }

    /// Returns whether a file begins as one of format 2 does.
    public static func isRecognized(_ head: some Sequence<UInt8>) -> Bool { head.starts(with: EmojiFileLayout.magic) }

    // MARK: Bytes

    private static func withBytes<Value>(
        _ storage: Storage, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        switch storage {
        case .mapped(let file): try file.withUnsafeBytes(body)
        case .array(let bytes): try bytes.withUnsafeBytes(body)
        }
    }

    func withBytes<Value>(_ body: (EmojiFileTables) throws -> Value) rethrows -> Value {
        try Self.withBytes(storage) { try body(EmojiFileTables(bytes: $0, places: places)) }
    }

    // MARK: Emoji

    /// Returns the emoji with a number, counted from 0 in the order of the picker; `nil` if there is none.
    public func sequence(_ number: Int) -> EmojiSequence? { withBytes { $0.sequence(number) } }

    /// Returns the number of an emoji, whether the variation selectors in the file are the same or not.
    ///
    /// The time is proportional to the logarithm of the number of emoji. `nil` if the file does not have the emoji.
    public func number(of sequence: EmojiSequence) -> Int? {
        let key = sequence.key
        return withBytes { $0.number(of: key) }
    }

    /// Returns the properties of an emoji's images, the preferred first.
    public func images(_ number: Int) -> [Image] { withBytes { $0.images(number) } }

    /// Returns the bytes of an image.
    public func bytes(of image: Image) -> [UInt8] { withBytes { Array($0.bytes[image.range]) } }

    /// An image in a file: where it is, its format, and its size.
    public struct Image: Sendable, Hashable {
        let range: Range<Int>
        /// The format of the image.
        public let format: ImageFormat
        /// The width in pixels; 0 for an SVG that requests none.
        public let width: Int
        /// The height in pixels; 0 for an SVG that requests none.
        public let height: Int
        /// The first eight bytes of the image's SHA-256 as a little-endian number, as the file states it.
        public let checksum: UInt64
    }

    // MARK: Categories

    /// A category or subgroup of emoji: its name, and the numbers of its emoji.
    public struct Category: Sendable, Hashable {
        /// The name, such as "Smileys & Emotion".
        public let name: String
        /// The numbers of the emoji, in order.
        public let emoji: Range<Int>
        /// The subgroups of a category; a subgroup has none.
        public let subgroups: [Category]
    }

    /// The categories in order.
    public var categories: [Category] { withBytes { $0.categories } }

    /// Returns the name of the category of an emoji; `nil` if it has none.
    public func category(of number: Int) -> String? { withBytes { $0.category(of: number) } }
}

extension EmojiFile {
    /// The language tags in which the file has names and keywords, in their order.
    public var languages: [String] {
        withBytes { tables in
            tables.records(.languages).compactMap { tables.string(tables.number(.languages, $0, 0)) }
        }
    }

    /// Returns the name and the keywords of an emoji in a language; `nil` if the file has none.
    public func names(_ number: Int, language: String) -> EmojiNames? { withBytes { $0.names(number, language) } }

    /// Returns the number of the emoji whose name in a language has exactly these words; `nil` if there is none.
    ///
    /// - Parameter words: words as ``EmojiWords`` divides a text.
    func number(named words: [String], language: String) -> Int? { withBytes { $0.number(named: words, language) } }

    /// Returns the numbers of the emoji that have all words of a query, in the order of the picker.
    ///
    /// The last word of the query may be the beginning of a word. Emoji that have all words whole come first.
    ///
    /// - Parameters:
    ///   - language: one of ``languages``.
    ///   - limit: the maximum number of results.
    public func search(_ query: String, language: String, limit: Int) -> [Int] {
        withBytes { $0.search(EmojiWords.words(query), language, limit: limit) }
    }
}
