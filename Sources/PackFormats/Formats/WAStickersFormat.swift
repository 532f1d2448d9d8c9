import StoreModel

/// A `.wastickers` file, which several applications that make stickers for WhatsApp exchange.
///
/// A ZIP file with `title.txt`, `author.txt`, a cover and the images, in the order of their names.
struct WAStickersFormat: PackImporting {
    let format = "wastickers"
    let title = "sticker makers for WhatsApp (.wastickers)"

    func recognizes(_ source: ImportSource) -> Bool {
        source.fileExtension == "wastickers"
            || source.description(named: "title.txt") != nil && source.description(named: "author.txt") != nil
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        let (title, author) = (try source.line(of: "title.txt"), try source.line(of: "author.txt"))
        let images = source.imagePaths
        // Some programs name the cover 'tray'.
        let cover = images.first { ["cover", "tray", "tray_icon"].contains($0.stem.lowercased()) }
        var notes: [String] = []
        if title.text == nil {
            notes.append(EnglishText.filled("there is no 'title.txt'; the pack is named after its file"))
        }
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(title.text ?? source.name, author.text ?? ""),
            name: LocalizedText(title.text ?? source.name), publisher: author.text, cover: cover.map { .file($0) },
            notes: notes + title.notes + author.notes)
        // Written by this project's export, and by converters that know it.
        let emoji = try source.emojiTable(&draft.notes)
        for path in try source.limited(images.filter { $0 != cover }) {
            draft.stickers.append(StickerDraft(image: .file(path), texts: emoji[path.stem] ?? []))
        }
        return [draft]
    }
}

extension ImportSource {
    /// Returns the first line of a small text file with text, and notes about its encoding; no text if it is missing.
    func line(of name: String) throws -> (text: String?, notes: [String]) {
        guard let path = description(named: name) else { return (nil, []) }
        let content = try text(path)
        return (content.text.split(separator: "\n").lazy.compactMap(\.nonempty).first, content.notes(about: path))
    }

    /// Returns the texts of the stickers in the file `emoji.txt`, by the names of the images without extension.
    ///
    /// It is a JSON object in which each name has a string of emoji.
    func emojiTable(_ notes: inout [String]) throws -> [String: [String]] {
        guard let path = description(named: "emoji.txt") else { return [:] }
        guard let members = try? json(path).members else {
            notes.append(EnglishText.filled("'{path}' is not a JSON object and was ignored", ["path": path]))
            return [:]
        }
        return members.compactMapValues { value in
            value.text.map { text in text.isEmoji ? text.map { String($0) } : [text] }
        }
    }
}
