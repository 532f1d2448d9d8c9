import StoreImages
import StoreModel

extension MatrixFormat: PackExporting {
    /// The name of the home server in the addresses of images that are not uploaded yet.
    private static let placeholder = "localhost"

    func files(of pack: ExportedPack, named name: String) throws -> ExportedFiles {
        var exported = ExportedFiles()
        var stickers: [JSONValue] = []
        for (sticker, _) in pack.stickers(ExportedPack.pictures, in: "Matrix", &exported) {
            let bytes = Array(try pack.directory.read(sticker.file, limit: ImportSource.imageLimit))
            let digest = SHA256Digest(of: bytes).hex
            let facts: ImageFacts
            do {
                facts = try ImageReader().read(bytes)
            } catch let error as StoreError where error.isImageError {
                exported.leaveOut(sticker, because: error.message)
                continue
            }
            let file = "\(digest).\(facts.format.suffixes[0])"
            exported.files["\(name)/\(file)"] = .copy(sticker.file)
            let emoji = sticker.emoji.first
            var entry: [String: JSONValue] = [
                "body": .string(emoji ?? sticker.description?.text(in: ["en"]) ?? sticker.id),
                "url": .string("mxc://\(Self.placeholder)/\(digest)"), "msgtype": .string("m.sticker"),
                "id": .string(sticker.id),
                "info": .object([
                    "w": .integer(facts.width), "h": .integer(facts.height), "size": .integer(bytes.count),
                    "mimetype": .string(facts.format.mediaType),
                ]),
            ]
            let others = sticker.emoji.dropFirst() + sticker.keywords
            // Names with a domain are how Matrix's objects are extended; others ignore them.
            if !others.isEmpty { entry["chat.storectl.keywords"] = .array(others.map { .string($0) }) }
            stickers.append(.object(entry))
        }
        guard !stickers.isEmpty else { return exported }
        let value: [String: JSONValue] = [
            "title": .string(pack.name), "id": .string(pack.pack.productIdentifier), "stickers": .array(stickers),
        ]
        exported.files["\(name)/pack.json"] = .bytes(Array(try JSON.encode(value, pretty: true)))
        exported.notes.append(
            EnglishText.filled(
                "the images have to be uploaded to a home server; then replace '{address}' in pack.json by their addresses",
                ["address": "mxc://\(Self.placeholder)/…"]))
        return exported
    }
}
