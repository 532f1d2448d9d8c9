import StoreModel

/// A directory of stickers as the XMPP client Movim has them: `<sha1>.png` files, `icon.png` and `info.ini`.
struct MovimFormat: PackImporting {
    let format = "movim"
    let title = "Movim (info.ini)"

    func recognizes(_ source: ImportSource) -> Bool { source.description(named: "info.ini") != nil }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "info.ini") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "info.ini"])
        }
        let content = try source.text(path)
        let values = Self.values(in: content.text)
        let root = path.directoryPrefix
        let name = root.split(separator: "/").last.map(String.init) ?? source.name
        let images = source.imagePaths.filter { $0.hasPrefix(root) }
        let cover = images.first { $0.stem.lowercased() == "icon" }
        return [
            PackDraft(
                sourceIdentifier: SourceIdentifier.make(values["name"] ?? name, values["author"] ?? ""),
                name: LocalizedText(values["name"] ?? name), publisher: values["author"], license: values["license"],
                website: values["url"], cover: cover.map { .file($0) },
                stickers: try source.limited(images.filter { $0 != cover }).map { StickerDraft(image: .file($0)) },
                notes: content.notes(about: path))
        ]
    }

    /// Returns the values of an INI file by their names in lower case, whatever their section is.
    private static func values(in text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") where !";#[".contains(line.trimmed.first ?? ";") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            var value = line[line.index(after: equals)...].trimmed
            if value.count >= 2, let quote = value.first, quote == "\"" || quote == "'", value.last == quote {
                value = String(value.dropFirst().dropLast())
            }
            values[line[..<equals].trimmed.lowercased()] = value.nonempty
        }
        return values
    }
}
