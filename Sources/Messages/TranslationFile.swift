/// The texts of one language, read from a file in the format of gettext (`.po`).
///
/// The files are part of the program. `scripts/check` has `msgfmt` of gettext validate them, so that what is malformed is
/// a defect of the program; such a text stays English.
struct TranslationFile {
    /// The translations by their English texts.
    private(set) var texts: [String: String] = [:]
    /// The translations of texts with a number, one for each plural form, by their English plural.
    private(set) var plurals: [String: [String]] = [:]

    /// Reads the UTF-8 text of a file.
    ///
    /// Source of the format: GNU gettext manual, "The Format of PO Files".
    init(_ file: [UInt8]) {
        var entry = Entry()
        for line in file.split(separator: UInt8(ascii: "\n")) + [[]] {
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            guard let quote = line.firstIndex(of: UInt8(ascii: "\"")) else { continue }
            let keyword = line[..<quote].filter { $0 != UInt8(ascii: " ") }
            if keyword == Array("msgid".utf8) {
                add(entry)
                entry = Entry()
            }
            entry.append(Self.unquoted(line[quote...]), to: String(decoding: keyword, as: UTF8.self))
        }
        add(entry)
    }

    private mutating func add(_ entry: Entry) {
        // The entry with the empty text is the header.
        guard let text = entry.parts["msgid"], !text.isEmpty else { return }
        if let plural = entry.parts["msgid_plural"] {
            plurals[plural] = (0..<PluralForm.allCases.count).prefix { entry.parts["msgstr[\($0)]"] != nil }
                .compactMap { entry.parts["msgstr[\($0)]"] }
        } else if let translation = entry.parts["msgstr"], !translation.isEmpty {
            texts[text] = translation
        }
    }

    /// Returns the text of a string literal with the escapes that the files of this project have.
    private static func unquoted(_ literal: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in literal.dropFirst() {
            if isEscaped {
                bytes.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The parts of an entry by their keywords, while it is being read.
    private struct Entry {
        var parts: [String: String] = [:]
        private var current = ""

        /// Adds a line; one without a keyword continues the part before.
        mutating func append(_ text: String, to keyword: String) {
            if !keyword.isEmpty { current = keyword }
            parts[current, default: ""] += text
        }
    }
}
