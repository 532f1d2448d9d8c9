import StoreModel

extension PidginFormat: PackExporting {
    /// The maximum length in bytes of a file's name or a text; Pidgin reads a longer one as two.
    private static let wordLimit = 63
    /// The maximum length in bytes of a line with its end; Pidgin reads a longer one as two.
    private static let lineLimit = 255

    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        // Pidgin draws what GdkPixbuf loads without additional loaders.
        let suffixes = ["png": "png", "apng": "png", "gif": "gif", "jpg": "jpg", "jpeg": "jpg"]
        var (icon, lines, names): (String?, [String], UniqueNames) = (nil, [], UniqueNames(taken: ["theme"]))
        for (sticker, file) in pack.stickers(suffixes, in: "Pidgin", &exported) {
            let texts = sticker.shortcuts.filter { text in
                text.utf8.count <= Self.wordLimit && !text.contains(where: \.isWhitespace)
            }
            guard !texts.isEmpty else {
                exported.leaveOut(
                    sticker,
                    because: EnglishText.filled(
                        "Pidgin's texts have no white space, and at most {limit} bytes", ["limit": "\(Self.wordLimit)"])
                )
                continue
            }
            let image = Self.fileName(file, &names)
            lines += Self.lines(image, texts)
            exported.files["\(name)/\(image)"] = .copy(sticker.file)
            if icon == nil || sticker.file == pack.pack.cover { icon = image }
        }
        guard let icon else { return exported }
        let title = Self.value(pack.name)
        var theme = "Name=\(title)\nDescription=\(title)\nIcon=\(icon)\n"
        theme += "Author=\(Self.value(pack.pack.publisher ?? "unknown"))\n"
        if let license = pack.pack.license { theme += "# License: \(Self.value(license))\n" }
        theme += "\n[default]\n" + lines.joined()
        exported.files["\(name)/theme"] = .bytes(Array(theme.utf8))
        return exported
    }

    /// Returns a text on one line that is not too long.
    private static func value(_ text: String) -> String {
        var value = ""
        for character in text.split(whereSeparator: \.isNewline).joined(separator: " ") {
            guard value.utf8.count + character.utf8.count <= 200 else { break }
            value.append(character)
        }
        return value
    }

    /// Returns the lines that give an image its texts, each with the line break.
    private static func lines(_ image: String, _ texts: [String]) -> [String] {
        var (lines, line): ([String], String) = ([], image)
        for text in texts {
            let word = "\t" + text.replacing("\\", with: "\\\\")
            if line.utf8.count + word.utf8.count >= lineLimit {
                lines.append(line + "\n")
                line = image
            }
            line += word
        }
        return lines + [line + "\n"]
    }

    /// Returns a file name that is unique in the theme, and that Pidgin reads as one word, not as a header, comment or section.
    ///
    /// - Parameter names: the names in the theme, to which the name is added.
    private static func fileName(_ name: String, _ names: inout UniqueNames) -> String {
        let (suffix, words) = (name.suffix, name.stem.map { $0.isWhitespace || $0 == "=" ? "_" : $0 })
        var stem = ""
        for character in words {
            // With space for a number.
            guard stem.utf8.count + character.utf8.count + suffix.utf8.count + 8 <= wordLimit else { break }
            stem.append(character)
        }
        if stem.hasPrefix("#") || stem.hasPrefix("[") { stem = "_" + stem.dropFirst() }
        return names.make("\(stem).\(suffix)", comparedBy: \.caseFolded) { "\(stem)-\($0).\(suffix)" }
    }
}
