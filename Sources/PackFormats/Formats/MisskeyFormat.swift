import StoreModel

/// The custom emoji that Misskey exports: a ZIP file with `meta.json` and images.
struct MisskeyFormat: PackImporting {
    let format = "misskey"
    let title = "Misskey emoji (meta.json)"

    func recognizes(_ source: ImportSource) -> Bool {
        guard let path = source.description(named: "meta.json"), let value = try? source.json(path) else {
            return false
        }
        return value["emojis"]?.elements != nil
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "meta.json") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "meta.json"])
        }
        let meta = try source.json(path)
        let host = meta["host"]?.text
        let entries = try source.limited(meta["emojis"]?.elements ?? [])
        let licenses = Set(entries.compactMap { $0["emoji"]?["license"]?.text?.nonempty })
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(host ?? source.name),
            name: LocalizedText(host.map { "Emoji of \($0)" } ?? source.name), publisher: host,
            license: licenses.count == 1 ? licenses.first : nil, website: host.map { "https://\($0)/" })
        if let version = meta["metaVersion"]?.text, version != "2" {
            draft.notes.append(
                EnglishText.filled(
                    "'{path}' has version {version} of the format; version 2 is known",
                    ["path": path, "version": version]))
        }
        for (index, entry) in entries.enumerated() {
            let emoji = entry["emoji"]
            let name = emoji?["name"]?.text ?? entry["fileName"]?.text?.stem
            guard entry["downloaded"] != .bool(false), let file = entry["fileName"]?.text?.nonempty else {
                draft.leaveOut(
                    name ?? "emoji \(index + 1)", because: EnglishText.filled("the export does not contain its image"))
                continue
            }
            let license = emoji?["license"]?.text?.nonempty
            if let license, licenses.count > 1 {
                draft.notes.append(
                    EnglishText.filled("license of '{name}': {license}", ["name": name ?? file, "license": license]))
            }
            draft.stickers.append(
                StickerDraft(
                    id: name, image: .file(path.directoryPrefix + file),
                    texts: (name.map { [":\($0):"] } ?? []) + (emoji?["aliases"]?.texts ?? [])
                        + [emoji?["category"]?.text ?? ""]))
        }
        return [draft]
    }
}
