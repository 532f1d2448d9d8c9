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
    /// A command reads it for the first text that it prints, so that a copy is made only of what is kept.
    ///
    /// Source of the format: GNU gettext manual, "The Format of PO Files".
    init(_ file: UnsafeBufferPointer<UInt8>) {
        texts.reserveCapacity(file.count / Self.bytesPerEntry)
        var entry = Entry()
        var start = file.startIndex
        while start < file.endIndex {
            let end = file[start...].firstIndex(of: UInt8(ascii: "\n")) ?? file.endIndex
            let line = file[start..<end]
            start = end + 1
            guard line.first != UInt8(ascii: "#"), let quote = line.firstIndex(of: UInt8(ascii: "\"")) else { continue }
            let part = Entry.Part(keyword: line[..<quote])
            if part == .text {
                add(entry)
                entry = Entry()
            }
            entry.append(Self.unquoted(line[(quote + 1)...]), to: part)
        }
        add(entry)
    }

    /// Reads the UTF-8 text of a file.
    init(_ file: [UInt8]) { self = file.withUnsafeBufferPointer { TranslationFile($0) } }

    /// A number of bytes that is less than most entries have.
    private static let bytesPerEntry = 128

    private mutating func add(_ entry: Entry) {
        // The entry with the empty text is the header.
        guard !entry.text.isEmpty else { return }
        if let plural = entry.plural {
            plurals[plural] = entry.forms
        } else if !entry.translation.isEmpty {
            texts[entry.text] = entry.translation
        }
    }

    /// Returns the text of a string literal, from behind its first quotation mark, with the escapes that the files of this
    /// project have.
    private static func unquoted(_ literal: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        guard literal.contains(UInt8(ascii: "\\")) else {
            return String(decoding: literal.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in literal {
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

    /// The parts of an entry, while it is being read.
    private struct Entry {
        /// A part of an entry, by its keyword; a line without one continues the part before.
        enum Part: Equatable {
            case text, plural, translation, form, continuation

            init(keyword: Slice<UnsafeBufferPointer<UInt8>>) {
                if keyword.isEmpty {
                    self = .continuation
                } else if keyword.starts(with: "msgid_plural".utf8) {
                    self = .plural
                } else if keyword.starts(with: "msgid".utf8) {
                    self = .text
                } else {
                    self = keyword.starts(with: "msgstr[".utf8) ? .form : .translation
                }
            }
        }

        private(set) var text = ""
        private(set) var plural: String?
        private(set) var translation = ""
        /// The plural forms, which are in the order of their numbers.
        private(set) var forms: [String] = []
        private var last = Part.text

        /// Adds the text of a line.
        mutating func append(_ line: String, to part: Part) {
            switch part {
            case .text: text = line
            case .plural: plural = line
            case .translation: translation = line
            case .form: forms.append(line)
            case .continuation:
                switch last {
                case .text: text += line
                case .plural: plural?.append(line)
                case .translation: translation += line
                case .form: forms[forms.count - 1] += line
                case .continuation: break
                }
                return
            }
            last = part
        }
    }
}
