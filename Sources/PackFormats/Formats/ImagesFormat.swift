import StoreModel

/// A plain directory or ZIP file of images, in natural order of their names.
///
/// The text files `title.txt`, `author.txt` and `emoji.txt`, which converters of stickers write, are read where they
/// exist, and a file with a license is kept by its first line.
struct ImagesFormat: PackImporting {
    let format = "images"
    let title = "directory or ZIP file of images"

    private static let covers: Set<String> = ["cover", "tray", "icon", "thumb", "thumbnail"]

    func recognizes(_ source: ImportSource) -> Bool { source.chosenFile == nil && !source.imagePaths.isEmpty }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard !source.imagePaths.isEmpty else {
            throw StoreError(.importNotRecognized, ["name": .untrusted(source.name)])
        }
        let (title, author) = (try source.line(of: "title.txt"), try source.line(of: "author.txt"))
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(title.text ?? source.name, author.text ?? ""),
            name: LocalizedText(title.text ?? source.name), publisher: author.text,
            license: try source.license(), notes: title.notes + author.notes)
        let emoji = try source.emojiTable(&draft.notes)
        let images = source.imagePaths
        let cover = images.count > 1 ? images.first { Self.covers.contains($0.stem.lowercased()) } : nil
        draft.cover = cover.map { .file($0) }
        for path in try source.limited(images.filter { $0 != cover }) {
            // '1_😂.png' and '😂.png' say which emoji they stand for.
            let inName = path.stem.split(whereSeparator: { "_- ".contains($0) }).map(String.init).filter(\.isEmoji)
            draft.stickers.append(StickerDraft(image: .file(path), texts: emoji[path.stem] ?? inName))
        }
        for path in source.paths where !path.hasImageSuffix && path.suffix != "txt" {
            if source.paths.count - images.count > 50 { break }
            draft.leaveOut(path, because: EnglishText.filled("it is not an image"))
        }
        return [draft]
    }
}

extension ImportSource {
    /// Returns the first line of a file with the license of the images; `nil` if there is none.
    func license() throws -> String? {
        guard let path = description(named: "LICENSE", "LICENSE.txt", "LICENCE", "LICENCE.txt", "COPYING") else {
            return nil
        }
        return try text(path).text.split(separator: "\n").lazy.compactMap(\.nonempty).first.map {
            String($0.prefix(200))
        }
    }
}

extension String {
    /// Whether a path has the extension of an image that a sticker can be.
    var hasImageSuffix: Bool { ImageSuffixes.all.contains(suffix) }
}
