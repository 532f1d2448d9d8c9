import StoreModel

/// The emoji and stickers of a Discord server: the server's JSON with the images.
///
/// The JSON has the lists `emojis` and `stickers` as Discord's API returns them. Images are named by the identifier or
/// the name of what they show.
struct DiscordFormat: PackImporting {
    let format = "discord"
    let title = "Discord server export (JSON with emojis or stickers)"

    func recognizes(_ source: ImportSource) -> Bool { description(in: source) != nil }

    private func description(in source: ImportSource) -> (path: String, value: JSONValue)? {
        let candidates = source.chosenFile.map { [$0] } ?? source.paths.filter { $0.suffix == "json" }
        return candidates.prefix(50).lazy.compactMap { path -> (path: String, value: JSONValue)? in
            guard path.suffix == "json", let read = try? source.json(path) else { return nil }
            let value = read["guild"]?["emojis"] != nil ? read["guild"] ?? read : read
            let all = (value["emojis"]?.elements ?? []) + (value["stickers"]?.elements ?? [])
            let isDiscord = all.contains { $0["id"]?.text?.allSatisfy(\.isNumber) == true && $0["name"]?.text != nil }
            return isDiscord ? (path, value) : nil
        }.first
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let (path, value) = description(in: source) else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "SERVER.json"])
        }
        let name = value["name"]?.text ?? source.name
        var draft = PackDraft(
            sourceIdentifier: value["id"]?.text.flatMap { SourceIdentifier.slug($0).nonempty }
                ?? SourceIdentifier.make(name),
            name: LocalizedText(name), description: value["description"]?.localizedText)
        let files = source.paths.filter { $0 != path }.firstByStem
        for (list, kind) in [("stickers", "sticker"), ("emojis", "emoji")] {
            for (index, entry) in try source.limited(value[list]?.elements ?? []).enumerated() {
                guard let identifier = entry["id"]?.text, let name = entry["name"]?.text else {
                    draft.leaveOut(
                        "\(kind) \(index + 1)", because: EnglishText.filled("it has no identifier or no name"))
                    continue
                }
                // Discord's API, sticker format types: 1 PNG, 2 APNG, 3 Lottie, 4 GIF.
                if entry["format_type"]?.text == "3" {
                    draft.leaveOut(
                        name,
                        because: EnglishText.filled("it is a Lottie animation, which packs can't hold uncompressed"))
                    continue
                }
                let stems = [identifier, name, "\(name)-\(identifier)", "\(name)_\(identifier)"]
                let file = stems.lazy.compactMap { files[$0.caseFolded] }.first
                let texts =
                    kind == "emoji" ? [":\(name):"] : (entry["tags"]?.text ?? "").split(separator: ",").map(String.init)
                draft.stickers.append(
                    StickerDraft(
                        id: name, image: .file(file ?? name), texts: texts,
                        description: entry["description"]?.text?.nonempty.map { LocalizedText($0) }))
            }
        }
        return [draft]
    }
}
