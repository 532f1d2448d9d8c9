import StoreModel

/// WhatsApp's `contents.json` with the images of one or more sticker packs.
///
/// The sample application for Android has the images of each pack in a directory named by its identifier, the one for
/// iOS has all of them beside the description.
struct WhatsAppFormat: PackImporting {
    let format = "whatsapp"
    let title = "WhatsApp (contents.json)"

    private static let names = ("contents.json", "sticker_packs.wasticker")

    func recognizes(_ source: ImportSource) -> Bool {
        guard let path = source.description(named: Self.names.0, Self.names.1) else { return false }
        return (try? source.json(path))?["sticker_packs"]?.elements != nil
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: Self.names.0, Self.names.1) else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": Self.names.0])
        }
        guard let packs = try source.json(path)["sticker_packs"]?.elements else {
            throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": "it has no list 'sticker_packs'"])
        }
        return try packs.compactMap { pack in try draft(of: pack, at: path.directoryPrefix, in: source) }
    }

    private func draft(of pack: JSONValue, at root: String, in source: ImportSource) throws -> PackDraft? {
        let identifier = pack["identifier"]?.text ?? ""
        let publisher = pack["publisher"]?.text ?? ""
        func location(_ file: String) -> ImageLocation {
            let candidates = ["\(root)\(identifier)/\(file)", root + file]
            return .file(candidates.lazy.compactMap { source.path(of: $0) }.first ?? candidates[0])
        }
        var draft = PackDraft(
            // The identifier is unique in one application only, often a small number.
            sourceIdentifier: SourceIdentifier.make(identifier, publisher),
            name: LocalizedText(pack["name"]?.text?.nonempty ?? identifier), publisher: publisher,
            license: pack["license_agreement_website"]?.text, website: pack["publisher_website"]?.text,
            version: pack["image_data_version"]?.text, cover: pack["tray_image_file"]?.text?.nonempty.map(location))
        for (index, sticker) in try source.limited(pack["stickers"]?.elements ?? []).enumerated() {
            guard let file = sticker["image_file"]?.text?.nonempty else {
                draft.leaveOut("sticker \(index + 1)", because: EnglishText.filled("it names no image file"))
                continue
            }
            draft.stickers.append(
                StickerDraft(
                    image: location(file), texts: sticker["emojis"]?.texts ?? [],
                    description: sticker["accessibility_text"]?.text?.nonempty.map { LocalizedText($0) }))
        }
        for member in ["publisher_email", "privacy_policy_website"] {
            guard let text = pack[member]?.text?.nonempty else { continue }
            draft.notes.append(
                EnglishText.filled("'{member}' ({value}) is not kept", ["member": member, "value": text]))
        }
        return draft
    }
}
