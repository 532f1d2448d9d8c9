import StoreModel

/// Telegram's stickers: `.webp`, `.tgs` and `.webm` files, optionally with the answer of the method `getStickerSet`.
///
/// Without that answer the stickers are all images in natural order of their names.
struct TelegramFormat: PackImporting {
    let format = "telegram"
    let title = "Telegram stickers (.webp, .tgs, .webm)"

    func recognizes(_ source: ImportSource) -> Bool {
        stickerSet(in: source) != nil || source.paths.contains { ["tgs", "webm"].contains($0.suffix) }
    }

    /// Returns the description of a set: a JSON object with the set's name and its list of stickers.
    private func stickerSet(in source: ImportSource) -> JSONValue? {
        let candidates = source.chosenFile.map { [$0] } ?? source.paths.filter { $0.suffix == "json" }
        return candidates.prefix(50).lazy.compactMap { path -> JSONValue? in
            guard path.suffix == "json", let read = try? source.json(path) else { return nil }
            let value = read["result"] ?? read
            let isSet = value["stickers"]?.elements?.contains { $0["file_unique_id"] != nil || $0["file_id"] != nil }
            return isSet == true ? value : nil
        }.first
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let set = stickerSet(in: source) else {
            var drafts = try ImagesFormat().packs(in: source, key: nil)
            for index in drafts.indices {
                drafts[index].notes.append(EnglishText.filled("there is no answer of 'getStickerSet'"))
            }
            return drafts
        }
        let name = set["name"]?.text ?? source.name
        var draft = PackDraft(
            sourceIdentifier: set["name"]?.text.flatMap { SourceIdentifier.slug($0).nonempty }
                ?? SourceIdentifier.make(name),
            name: LocalizedText(set["title"]?.text ?? name),
            website: set["name"]?.text.map { "https://t.me/addstickers/\($0)" })
        let images = source.imagePaths
        let imagesByStem = images.firstByStem
        let stickers = try source.limited(set["stickers"]?.elements ?? [])
        for (index, sticker) in stickers.enumerated() {
            let keys = [sticker["file_unique_id"]?.text, sticker["file_id"]?.text, sticker["file_path"]?.text?.stem]
            let named = keys.lazy.compactMap { $0.flatMap { imagesByStem[$0.caseFolded] } }.first
            // Programs that number the files keep the order of the set.
            let numbered = named ?? (images.count == stickers.count ? images[index] : nil)
            draft.stickers.append(
                StickerDraft(
                    image: .file(numbered ?? keys.compactMap(\.self).first ?? "sticker \(index + 1)"),
                    texts: (sticker["emoji"]?.text.map { [$0] } ?? []) + (sticker["keywords"]?.texts ?? [])))
        }
        return [draft]
    }
}
