import StoreModel
import StoreSystem

/// A text file of another program, decoded whatever its encoding is.
///
/// Themes of the years before UTF-8 are in the encoding of their author's system and don't say in which.
struct LenientText: Sendable {
    /// The text, without a byte order mark, whose lines end with `\n`.
    let text: String
    /// The name of the encoding, if it is not UTF-8.
    let encoding: String?
    /// Whether the file began with a byte order mark.
    let hadByteOrderMark: Bool

    /// Decodes the bytes of a text file.
    ///
    /// The encodings tried are those of a byte order mark, UTF-8, the declared one, Windows-1252 and ISO 8859-1, which
    /// accepts every byte.
    ///
    /// - Parameter declared: the encoding that the file names, such as that of an XML declaration.
    init(_ bytes: [UInt8], declared: String? = nil) {
        let (decoded, encoding, hadMark) = Self.decode(bytes, declared: declared)
        text = Self.withUnixLines(decoded)
        (self.encoding, hadByteOrderMark) = (encoding, hadMark)
    }

    private static func decode(_ bytes: [UInt8], declared: String?) -> (String, encoding: String?, hadMark: Bool) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            let rest = Array(bytes.dropFirst(3))
            if let text = String(validating: rest, as: UTF8.self) { return (text, nil, true) }
            return (legacy(rest, declared: declared).text, legacy(rest, declared: declared).encoding, true)
        }
        for (mark, name) in [([0xFF, 0xFE] as [UInt8], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE")]
        where bytes.starts(with: mark) {
            if let text = TextEncoding(name).decode(Array(bytes.dropFirst(2))) { return (text, name, true) }
        }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, nil, false) }
        let (text, encoding) = legacy(bytes, declared: declared)
        return (text, encoding, false)
    }

    private static func legacy(_ bytes: [UInt8], declared: String?) -> (text: String, encoding: String) {
        let candidates = [declared, TextEncoding.windows1252.name].compactMap(\.self)
        for name in candidates where !["UTF-8", "UTF8"].contains(name.uppercased()) {
            if let text = TextEncoding(name).decode(bytes) { return (text, name.uppercased()) }
        }
        // The first 256 characters of Unicode are those of ISO 8859-1.
        return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), "ISO-8859-1")
    }

    /// Returns a text whose lines end with `\n` alone, where those of Windows and old Macs end otherwise.
    private static func withUnixLines(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
        var made = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                made.append("\n")
            } else if scalar != "\n" || !afterReturn {
                made.append(scalar)
            }
            afterReturn = scalar == "\r"
        }
        return String(made)
    }

    /// The notes for the import report about the encoding of a file.
    func notes(about file: String) -> [String] {
        var notes: [String] = []
        if let encoding {
            notes.append(
                EnglishText.filled(
                    "'{file}' is not UTF-8; it was read as {encoding}", ["file": file, "encoding": "\(encoding)"]))
        }
        if hadByteOrderMark {
            notes.append(EnglishText.filled("'{file}' begins with a byte order mark", ["file": file]))
        }
        return notes
    }
}
