import StoreModel

/// A sticker pack of LINE: a ZIP file with `productInfo.meta` and images named by the identifiers of the stickers.
struct LineFormat: PackImporting {
    let format = "line"
    let title = "LINE (productInfo.meta)"

    func recognizes(_ source: ImportSource) -> Bool { source.description(named: "productInfo.meta") != nil }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "productInfo.meta") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "productInfo.meta"])
        }
        let (value, root) = (try source.json(path), path.directoryPrefix)
        let identifier = value["packageId"]?.text?.nonempty
        let name = value["title"]?.localizedText ?? LocalizedText(source.name)
        var draft = PackDraft(
            sourceIdentifier: identifier.flatMap { SourceIdentifier.slug($0).nonempty }
                ?? SourceIdentifier.make(name.text()),
            name: name, publisher: value["author"]?.localizedText?.text(in: ["en"]),
            website: identifier.map { "https://store.line.me/stickershop/product/\($0)" },
            cover: ["tab_on@2x.png", "tab_on.png", "main.png"].lazy.map { root + $0 }.first {
                source.path(of: $0) != nil
            }
            .map { .file($0) })
        let prices = value["price"]?.elements ?? []
        if let price = prices.first(where: { ($0["price"]?.text ?? "0") != "0" }) {
            draft.notes.append(
                EnglishText.filled(
                    "the pack is sold for {price}; respect its terms of use",
                    ["price": "\(price["price"]?.text ?? "?") \(price["currency"]?.text ?? "")"]))
        }
        let soundStems = Set(source.paths.filter { $0.suffix == "m4a" }.map(\.stem))
        var sounds = 0
        for (index, sticker) in try source.limited(value["stickers"]?.elements ?? []).enumerated() {
            guard let identifier = sticker["id"]?.text else {
                draft.leaveOut("sticker \(index + 1)", because: EnglishText.filled("it has no identifier"))
                continue
            }
            // The animation before the still: packs hold an animated PNG as it is.
            let candidates = [
                "animation@2x/\(identifier)@2x.png", "popup/\(identifier).png", "\(identifier)@2x.png",
                "\(identifier)_key@2x.png",
                "\(identifier).png",
            ].map { root + $0 }
            let found = candidates.first { source.has($0) } ?? candidates.lazy.compactMap { source.path(of: $0) }.first
            if soundStems.contains(identifier) { sounds += 1 }
            draft.stickers.append(StickerDraft(id: identifier, image: .file(found ?? candidates[2])))
        }
        if sounds > 0 {
            draft.notes.append(
                EnglishText.filled("{number} sounds were left out: packs hold images only", ["number": "\(sounds)"]))
        }
        return [draft]
    }
}
