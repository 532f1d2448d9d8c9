import StoreModel

/// A smiley theme of the instant messenger Pidgin: a directory with the file `theme` and images.
///
/// After a header with `Name=`, `Icon=`, `Author=` and `Description=`, each line of a section such as `[default]` or
/// `[XMPP]` names an image and the texts that it stands for. `! ` at the beginning hides a smiley in the picker.
struct PidginFormat: PackImporting {
    let format = "pidgin"
    let title = "Pidgin smiley theme (theme)"

    func recognizes(_ source: ImportSource) -> Bool {
        guard let path = source.description(named: "theme"), let text = try? source.text(path).text else {
            return false
        }
        return text.split(separator: "\n").contains { $0.trimmed.hasPrefix("[") || $0.hasPrefix("Name=") }
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "theme") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "theme"])
        }
        let content = try source.text(path)
        let theme = PidginTheme(content.text)
        let root = path.directoryPrefix
        let name = theme.header["name"] ?? source.name
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(name, theme.header["author"] ?? ""), name: LocalizedText(name),
            description: theme.header["description"].map { LocalizedText($0) }, publisher: theme.header["author"],
            cover: theme.header["icon"].map { .file(root + $0) },
            notes: content.notes(about: path) + theme.notes)
        for smiley in try source.limited(theme.smileys) {
            draft.stickers.append(StickerDraft(image: .file(root + smiley.file), texts: smiley.texts))
        }
        return [draft]
    }
}

/// The content of a Pidgin theme's file `theme`.
struct PidginTheme {
    /// An image of the theme, with the texts that it stands for in any section.
    struct Smiley {
        let file: String
        /// The texts in order; one that stands for the image in several sections occurs several times.
        var texts: [String]
        /// Whether the picker shows the smiley.
        var isHidden: Bool
    }

    /// Returns a word without the backslashes that quote the character behind them.
    private static func unescaped(_ word: Substring) -> String {
        var (text, rest) = ("", word)
        while let character = rest.popFirst() {
            text.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        return text
    }

    /// The values before the first section, by their names in lower case.
    private(set) var header: [String: String] = [:]
    /// The smileys of all sections, each image once, in the order of their first occurrence.
    private(set) var smileys: [Smiley] = []
    private(set) var notes: [String] = []

    init(_ text: String) {
        var indexes: [String: Int] = [:]
        var (section, hiddenCount): (String?, Int) = (nil, 0)
        var sections: [String] = []
        var knownSections: Set<String> = []
        for (number, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var line = raw.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                let name = String(line[..<end].dropFirst())
                if knownSections.insert(name).inserted { sections.append(name) }
                section = name
                continue
            }
            guard section != nil else {
                if let equals = line.firstIndex(of: "=") {
                    header[line[..<equals].trimmed.lowercased()] = line[line.index(after: equals)...].nonempty
                } else {
                    notes.append(
                        EnglishText.filled(
                            "line {line} of the theme is neither a value nor in a section, and was ignored",
                            ["line": "\(number + 1)"]))
                }
                continue
            }
            let isHidden = line.hasPrefix("! ") || line.hasPrefix("!\t")
            if isHidden { line = line.dropFirst(2).trimmed }
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(Self.unescaped)
            guard let file = words.first else { continue }
            let texts = Array(words.dropFirst())
            if let index = indexes[file] {
                smileys[index].texts += texts
                smileys[index].isHidden = smileys[index].isHidden && isHidden
            } else {
                indexes[file] = smileys.count
                smileys.append(Smiley(file: file, texts: texts, isHidden: isHidden))
            }
        }
        hiddenCount = smileys.count(where: \.isHidden)
        if hiddenCount > 0 {
            notes.append(
                EnglishText.filled(
                    hiddenCount,
                    one: "{count} smiley is hidden in Pidgin's picker; packs don't hold that",
                    other: "{count} smileys are hidden in Pidgin's picker; packs don't hold that"))
        }
        if sections.count > 1 {
            notes.append(
                EnglishText.filled(
                    "the sections {sections} were joined; packs have no sections",
                    ["sections": sections.joined(separator: ", ")]))
        }
    }
}
