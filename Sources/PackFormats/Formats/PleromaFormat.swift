import StoreModel

/// An emoji pack of Pleroma and Akkoma: `pack.json` with the images that it names.
struct PleromaFormat: PackImporting {
    let format = "pleroma"
    let title = "Pleroma emoji pack (pack.json)"

    func recognizes(_ source: ImportSource) -> Bool {
        guard let path = source.description(named: "pack.json"), let value = try? source.json(path) else {
            return false
        }
        return value["files"]?.members != nil
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "pack.json") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "pack.json"])
        }
        let value = try source.json(path)
        guard let files = value["files"]?.members else {
            throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": "it has no object 'files'"])
        }
        let (pack, root) = (value["pack"], path.directoryPrefix)
        let name = root.split(separator: "/").last.map(String.init) ?? source.name
        let homepage = pack?["homepage"]?.text
        var draft = PackDraft(
            sourceIdentifier: SourceIdentifier.make(name, homepage ?? ""), name: LocalizedText(name),
            description: pack?["description"]?.localizedText, license: pack?["license"]?.text, website: homepage)
        if let count = value["files_count"]?.text, count != String(files.count) {
            draft.notes.append(
                EnglishText.filled(
                    "'{path}' states {stated} files and lists {listed}",
                    ["path": path, "stated": count, "listed": "\(files.count)"]))
        }
        if let fallback = pack?["fallback-src"]?.text?.nonempty {
            draft.notes.append(
                EnglishText.filled("the address of the original ('{address}') is not kept", ["address": fallback]))
        }
        for (shortcode, file) in try source.limited(files).sorted(by: { isNaturallyBefore($0.key, $1.key) }) {
            guard let file = file.text?.nonempty else {
                draft.leaveOut(shortcode, because: EnglishText.filled("it names no file"))
                continue
            }
            draft.stickers.append(
                StickerDraft(id: shortcode, image: .file(root + file), keywords: [":\(shortcode):"]))
        }
        return [draft]
    }
}
