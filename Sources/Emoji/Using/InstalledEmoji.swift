import FoundationEssentials
import StoreImages
import StoreModel
import StoreSystem

/// The emoji of one installed set, which are looked up by sequence, category and word.
///
/// A set with a file of format 2 is read where the file is. For another set, a list and a table are built.
struct InstalledEmoji: Sendable {
    enum Contents: Sendable {
        case file(EmojiFile)
        case list([EmojiSetReader.Entry], numbers: [[UInt32]: Int])
    }

    let contents: Contents
    private let reader: EmojiSetReader
    /// The open file of format 2, with its size and the time of its last change when it was opened.
    private let opened: (file: OpenFile, size: Int, changedAt: Date)?

    init(_ reader: EmojiSetReader) throws {
        self.reader = reader
        if let (file, open) = try reader.formatTwo() {
            let status = try open.status()
            opened = (open, status.size, status.changedAt)
            contents = .file(file)
            return
        }
        opened = nil
        let entries = try reader.entries()
        var numbers: [[UInt32]: Int] = [:]
        for (number, entry) in entries.enumerated() {
            guard let key = EmojiSequence(text: entry.emoji.text)?.key, numbers[key] == nil else { continue }
            numbers[key] = number
        }
        contents = .list(entries, numbers: numbers)
    }

    /// Whether the file of format 2 is as it was when it was opened.
    ///
    /// A user may damage a file of an installed pack, and reading mapped bytes behind the end of a file that was cut
    /// short ends the process.
    var isUnchanged: Bool {
        guard let opened else {
            // Nothing could be read, which may change without the pack being replaced.
            if case .list(let entries, _) = contents { return !entries.isEmpty }
            return true
        }
        guard let status = try? opened.file.status() else { return false }
        return status.size == opened.size && status.changedAt == opened.changedAt
    }

    // MARK: Looking up

    /// Returns the number of an emoji, or of the emoji without skin tones if the set has none with these tones.
    func number(of sequence: EmojiSequence) -> Int? {
        if let number = exactNumber(of: sequence) { return number }
        return sequence.withoutSkinTones.flatMap(exactNumber)
    }

    private func exactNumber(of sequence: EmojiSequence) -> Int? {
        switch contents {
        case .file(let file): file.number(of: sequence)
        case .list(_, let numbers): numbers[sequence.key]
        }
    }

    /// Returns the text of the emoji with a number.
    func text(_ number: Int) -> String? {
        switch contents {
        case .file(let file): file.sequence(number)?.text
        case .list(let entries, _): entries.indices.contains(number) ? entries[number].emoji.text : nil
        }
    }

    /// Returns the image of the emoji with a number, and the media type of its content.
    ///
    /// - Throws: `content.image-unknown`; an error of the file.
    func image(_ number: Int) throws -> EmojiPicture? {
        switch contents {
        case .file(let file):
            guard let emoji = file.sequence(number)?.text, let image = file.images(number).first else { return nil }
            return EmojiPicture(
                emoji: emoji, data: Data(file.bytes(of: image)), mediaType: image.format.mediaType)
        case .list(let entries, _):
            guard entries.indices.contains(number) else { return nil }
            let data = try reader.image(at: entries[number].place)
            guard let format = ImageFormat(head: Array(data.prefix(ImageFormat.headLength))[...]) else {
                throw StoreError(.imageUnknown)
            }
            return EmojiPicture(emoji: entries[number].emoji.text, data: data, mediaType: format.mediaType)
        }
    }

    // MARK: Categories

    var categories: [EmojiCategory] {
        switch contents {
        case .file(let file):
            return file.categories.map { category in
                EmojiCategory(
                    name: category.name,
                    subgroups: category.subgroups.map { subgroup in
                        EmojiCategory.Subgroup(
                            name: subgroup.name, emoji: subgroup.emoji.compactMap { file.sequence($0)?.text })
                    })
            }
        case .list(let entries, _):
            var (order, emoji): ([String?], [String?: [String]]) = ([], [:])
            for entry in entries {
                let name = entry.emoji.category
                if emoji[name] == nil { order.append(name) }
                emoji[name, default: []].append(entry.emoji.text)
            }
            return order.map { EmojiCategory(name: $0, subgroups: [.init(name: "", emoji: emoji[$0] ?? [])]) }
        }
    }

    // MARK: Searching

    /// Returns the emoji that have all words of a query in the best of some languages.
    ///
    /// A set without names is searched by the English names of the characters in the Unicode standard.
    ///
    /// - Parameters:
    ///   - languages: the user's languages, the preferred first.
    ///   - limit: the maximum number of emoji; none are returned if it is not greater than 0.
    func search(_ query: String, languages: [String], limit: Int) -> [EmojiMatch] {
        guard limit > 0 else { return [] }
        if let sequence = EmojiSequence(text: query.trimmed), let number = number(of: sequence) {
            return [match(number, language: language(languages))].compactMap { $0 }
        }
        switch contents {
        case .file(let file):
            guard let language = language(languages) else { return [] }
            return file.search(query, language: language, limit: limit).compactMap { match($0, language: language) }
        case .list(let entries, _):
            let words = EmojiWords.words(query)
            guard let last = words.last else { return [] }
            return entries.indices.lazy.filter { number in
                let known = EmojiWords.words(Self.unicodeName(entries[number].emoji.text))
                return words.dropLast().allSatisfy(known.contains) && known.contains { $0.hasPrefix(last) }
            }.prefix(limit).compactMap { match($0, language: nil) }
        }
    }

    /// Returns the emoji with a name, such as the one between the colons of `:grinning_face:`, in English.
    func emoji(named name: String) -> String? {
        guard case .file(let file) = contents, let language = language(["en"]) else { return nil }
        return file.number(named: EmojiWords.words(name), language: language).flatMap(text)
    }

    /// Returns the language of the file's names that fits the user's best; `nil` if the file has no names.
    private func language(_ languages: [String]) -> String? {
        guard case .file(let file) = contents else { return nil }
        let known = file.languages
        for language in languages + ["en"] {
            let tag = language.lowercased()
            let base = tag.split(separator: "-").first.map(String.init) ?? tag
            if let found = known.first(where: { $0.lowercased() == tag })
                ?? known.first(where: { $0.lowercased() == base })
            {
                return found
            }
        }
        return known.first
    }

    private func match(_ number: Int, language: String?) -> EmojiMatch? {
        guard let text = text(number) else { return nil }
        switch contents {
        case .file(let file):
            let names = language.flatMap { file.names(number, language: $0) }
            return EmojiMatch(
                emoji: text, name: names?.name, keywords: names?.keywords ?? [], category: file.category(of: number))
        case .list(let entries, _):
            let name = Self.unicodeName(text)
            return EmojiMatch(
                emoji: text, name: name.isEmpty ? nil : name, keywords: [], category: entries[number].emoji.category)
        }
    }

    private static func unicodeName(_ text: String) -> String {
        text.unicodeScalars.first?.properties.name?.lowercased() ?? ""
    }
}
