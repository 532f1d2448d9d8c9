import StoreModel

/// An icon style of Jabber clients (XEP-0038): a ZIP file `.jisp` with `icondef.xml` and images in one directory.
struct JISPFormat: PackImporting {
    let format = "jisp"
    let title = "Jabber icon style (.jisp, XEP-0038)"

    func recognizes(_ source: ImportSource) -> Bool {
        source.fileExtension == "jisp" || source.description(named: "icondef.xml") != nil
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "icondef.xml") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "icondef.xml"])
        }
        let root = path.directoryPrefix
        let document = try source.xml(path)
        let meta = document.root.children.first { $0.name == "meta" }
        func value(_ name: String) -> String? { meta?.children.first { $0.name == name }?.text.nonempty }
        let authors = meta?.children.filter { $0.name == "author" } ?? []
        let author = authors.compactMap(\.text.nonempty).joined(separator: ", ")
        let name = value("name") ?? source.name
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(name, author), name: LocalizedText(name),
            description: value("description").map { LocalizedText($0) }, publisher: author,
            website: value("home") ?? authors.compactMap { $0["www"]?.nonempty }.first, version: value("version"),
            notes: document.notes)
        if let expected = source.archiveRoot, source.fileExtension == "jisp", expected != source.name {
            draft.notes.append(
                EnglishText.filled(
                    "the directory in the archive is called '{name}', not as the file", ["name": expected]))
        }
        for icon in try source.limited(document.root.children.filter { $0.name == "icon" }) {
            add(icon, root, to: &draft)
        }
        if let created = value("creation") {
            draft.notes.append(EnglishText.filled("the date of creation ({date}) is not kept", ["date": created]))
        }
        return [draft]
    }

    private func add(_ icon: XMLNode, _ root: String, to draft: inout PackDraft) {
        // 'graphic' and 'sound' are from the format's first version.
        let objects = icon.children.filter { ["object", "graphic", "sound"].contains($0.name) }
        let (pictures, others) = (
            objects.filter { $0["mime"]?.hasPrefix("image/") ?? ($0.name != "sound") },
            objects.filter { !($0["mime"]?.hasPrefix("image/") ?? ($0.name != "sound")) }
        )
        let texts = icon.children.filter { $0.name == "text" }.map(\.text)
        guard let picture = pictures.lazy.compactMap(\.text.nonempty).first else {
            draft.leaveOut("icon on line \(icon.line)", because: EnglishText.filled("it has no image"))
            return
        }
        for other in others + pictures.dropFirst() where other.text.trimmed != picture {
            draft.leaveOut(
                root + other.text.trimmed,
                because: EnglishText.filled(
                    "a sticker has one image and nothing else ({type})", ["type": other["mime"] ?? other.name]))
        }
        draft.stickers.append(StickerDraft(image: .file(root + picture), texts: texts))
    }
}
