import StoreModel

/// An emoticon theme of KDE (and of Kopete): a directory with `emoticons.xml` and images.
struct KDEFormat: PackImporting {
    let format = "kde"
    let title = "KDE emoticon theme (emoticons.xml)"

    func recognizes(_ source: ImportSource) -> Bool { source.description(named: "emoticons.xml") != nil }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "emoticons.xml") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "emoticons.xml"])
        }
        let root = path.directoryPrefix
        let name = root.split(separator: "/").last.map(String.init) ?? source.name
        let document = try source.xml(path)
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(name), name: LocalizedText(name), notes: document.notes)
        for emoticon in try source.limited(document.root.children.filter { $0.name == "emoticon" }) {
            guard let file = emoticon["file"]?.nonempty else {
                draft.leaveOut(
                    "emoticon on line \(emoticon.line)", because: EnglishText.filled("it names no image file"))
                continue
            }
            // Both KDE and Kopete also accept the name without an extension.
            let full = root + file
            let location = source.path(of: full) ?? source.path(stemmed: full) ?? full
            draft.stickers.append(
                StickerDraft(
                    image: .file(location), texts: emoticon.children.filter { $0.name == "string" }.map(\.text)))
        }
        if !document.root.text.trimmed.isEmpty {
            draft.notes.append(EnglishText.filled("'{path}' contains stray text, which was ignored", ["path": path]))
        }
        return [draft]
    }
}
