import StoreModel

extension WAStickersFormat: PackExporting {
    /// WhatsApp shows at most this number of stickers in a pack.
    private static let limit = 30

    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        let suffixes = ["png": "png", "apng": "png", "webp": "webp"]
        let stickers = pack.stickers(suffixes, in: "WhatsApp", &exported)
        let parts = stride(from: 0, to: stickers.count, by: Self.limit).map { stickers[$0...].prefix(Self.limit) }
        for (index, part) in parts.enumerated() {
            let number = index == 0 ? "" : " \(index + 1)"
            // The files of each archive are in a directory of their own until they are packed.
            let root = "\(name)\(number).wastickers"
            exported.files["\(root)/title.txt"] = .bytes(Array((pack.name + number + "\n").utf8))
            exported.files["\(root)/author.txt"] = .bytes(Array(((pack.pack.publisher ?? "") + "\n").utf8))
            if let cover = pack.pack.cover, cover.suffix == "png" { exported.files["\(root)/cover.png"] = .copy(cover) }
            var emoji: [String: JSONValue] = [:]
            for (position, (sticker, file)) in part.enumerated() {
                // The order of the names is that of the stickers; 'cover' has a meaning.
                let digits = String(position + 1)
                let numbered = (digits.count < 2 ? "0" : "") + digits + "_" + file
                exported.files["\(root)/\(numbered)"] = .copy(sticker.file)
                let text = sticker.emoji.filter(\.isEmoji).joined()
                if !text.isEmpty { emoji[numbered.stem] = .string(text) }
            }
            if !emoji.isEmpty { exported.files["\(root)/emoji.txt"] = .bytes(Array(try JSON.encode(emoji))) }
            exported.archives[root] = exported.files.keys.filter { $0.hasPrefix(root + "/") }.sorted()
        }
        if parts.count > 1 {
            exported.notes.append(
                EnglishText.filled(
                    "WhatsApp's packs have at most {limit} stickers; this is {number} files",
                    ["limit": "\(Self.limit)", "number": "\(parts.count)"]))
        }
        if pack.pack.cover?.suffix != "png" {
            exported.notes.append(EnglishText.filled("the pack has no PNG as its cover, which the format asks for"))
        }
        if pack.pack.license != nil { exported.notes.append(EnglishText.filled("the format can't hold the license")) }
        return exported
    }
}
