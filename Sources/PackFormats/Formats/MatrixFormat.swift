import StoreModel

/// Matrix sticker packs with their images: the JSON of a sticker picker, or an image pack of MSC2545.
///
/// Both name images by `mxc://` addresses on a home server, which are not fetched. The images have to lie beside the
/// description, named by the media identifier (as the picker keeps its thumbnails), the sticker or the shortcode.
struct MatrixFormat: PackImporting {
    let format = "matrix"
    let title = "Matrix sticker picker or image pack (JSON)"

    func recognizes(_ source: ImportSource) -> Bool { !descriptions(of: source).isEmpty }

    private func descriptions(of source: ImportSource) -> [(path: String, value: JSONValue)] {
        let candidates =
            source.chosenFile.map { [$0] }
            ?? source.paths.filter { $0.suffix == "json" && $0.lastComponent != "index.json" }
        return candidates.prefix(200).compactMap { path in
            guard path.suffix == "json", let value = try? source.json(path) else { return nil }
            let content = value["content"] ?? value
            let isPicker = content["stickers"]?.elements?.contains { $0["url"]?.text?.hasPrefix("mxc://") == true }
            let isPack = content["images"]?.members?.values.contains { $0["url"]?.text?.hasPrefix("mxc://") == true }
            return isPicker == true || isPack == true ? (path, content) : nil
        }
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        let found = descriptions(of: source)
        guard !found.isEmpty else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "PACK.json"])
        }
        let files = filesByName(in: source)
        return try found.map { path, value in
            value["images"]?.members == nil
                ? try picker(value, path, source, files) : try imagePack(value, path, source, files)
        }
    }

    /// Returns the files of a source by the case-folded forms of their names, with and without extension.
    private func filesByName(in source: ImportSource) -> [String: String] {
        let paths = source.paths.filter { $0.suffix != "json" }
        // A thumbnail of the same name is smaller than the image.
        let ordered = paths.filter { !$0.isThumbnail } + paths.filter(\.isThumbnail)
        let named = ordered.flatMap { path in [path.stem, path.lastComponent].map { ($0.caseFolded, path) } }
        return Dictionary(named) { first, _ in first }
    }

    private func picker(
        _ value: JSONValue, _ path: String, _ source: ImportSource, _ files: [String: String]
    ) throws -> PackDraft {
        let title = value["title"]?.text ?? path.stem
        let identifier = value["id"]?.text?.nonempty ?? path.stem
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(identifier), name: LocalizedText(title),
            notes: telegramNotes(value))
        for (index, sticker) in try source.limited(value["stickers"]?.elements ?? []).enumerated() {
            guard let url = sticker["url"]?.text else {
                draft.leaveOut("sticker \(index + 1)", because: EnglishText.filled("it has no address"))
                continue
            }
            let body = sticker["body"]?.text ?? ""
            let identifier = sticker["id"]?.text
            draft.stickers.append(
                StickerDraft(
                    id: identifier.map { $0.hasPrefix("sha256:") ? String($0.dropFirst(7).prefix(16)) : $0 },
                    image: location(of: url, or: [identifier, body].compactMap(\.self), files),
                    texts: [body] + (sticker["net.maunium.telegram.sticker"]?["emoticons"]?.texts ?? [])
                        + (sticker["chat.storectl.keywords"]?.texts ?? []),
                    description: body.isEmpty || body.isEmoji ? nil : LocalizedText(body)))
        }
        return draft
    }

    /// Returns a note about the origin that the picker records for packs that it converted.
    private func telegramNotes(_ value: JSONValue) -> [String] {
        guard let name = value["net.maunium.telegram.pack"]?["short_name"]?.text else { return [] }
        return ["the pack was made from Telegram's pack '\(name)'"]
    }

    private func imagePack(
        _ value: JSONValue, _ path: String, _ source: ImportSource, _ files: [String: String]
    ) throws -> PackDraft {
        let pack = value["pack"]
        let name = pack?["display_name"]?.text?.nonempty ?? path.stem
        let attribution = pack?["attribution"]?.text
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(name, attribution ?? ""), name: LocalizedText(name),
            publisher: attribution,
            cover: pack?["avatar_url"]?.text.map { location(of: $0, or: ["avatar", "cover"], files) })
        let packUsage = pack?["usage"]?.texts ?? []
        let images = try source.limited(value["images"]?.members ?? [:])
        for (shortcode, image) in images.sorted(by: { isNaturallyBefore($0.key, $1.key) }) {
            guard let url = image["url"]?.text else {
                draft.leaveOut(shortcode, because: EnglishText.filled("it has no address"))
                continue
            }
            let usage = image["usage"]?.texts ?? packUsage
            if !usage.isEmpty, !usage.contains("sticker") {
                draft.notes.append(EnglishText.filled("'{name}' is an emoticon in Matrix", ["name": shortcode]))
            }
            let body = image["body"]?.text
            draft.stickers.append(
                StickerDraft(
                    id: shortcode, image: location(of: url, or: [shortcode], files),
                    texts: [":\(shortcode):", body ?? ""],
                    description: body.flatMap { $0.nonempty }.map { LocalizedText($0) }))
        }
        return draft
    }

    /// Returns the place of an image: a file whose name without extension is the media identifier or one of `names`.
    private func location(of url: String, or names: [String], _ files: [String: String]) -> ImageLocation {
        let found = ([url.lastComponent] + names).compactMap { files[$0.portableName.caseFolded] }
        return .file(found.first { !$0.isThumbnail } ?? found.first ?? url)
    }
}

extension String {
    /// Whether a path is that of a thumbnail, as the sticker picker keeps them.
    fileprivate var isThumbnail: Bool { contains("thumbnails/") }
}
