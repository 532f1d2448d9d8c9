import StoreModel

/// A sticker pack of Signal: `manifest.proto` and the numbered images, usually encrypted with the key of the pack's link.
///
/// The files are those of the server's directory `stickers/PACK-ID`: the manifest, and the images in `full`. Decrypted
/// ones are understood, too.
struct SignalFormat: PackImporting {
    let format = "signal"
    let title = "Signal (manifest.proto)"

    private static let limit = 200

    func recognizes(_ source: ImportSource) -> Bool { source.description(named: "manifest.proto") != nil }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = source.description(named: "manifest.proto") else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "manifest.proto"])
        }
        let (link, root) = (SignalLink(key), path.directoryPrefix)
        let bytes = try source.read(path)
        let cipher = link.key.map { SignalCipher(packKey: $0) }
        let (manifest, isEncrypted) = try manifest(bytes, path, cipher, hasKey: key != nil)
        let directory = root.split(separator: "/").last.map(String.init) ?? source.name
        let identifier = link.packIdentifier ?? (SignalLink.isIdentifier(directory) ? directory.lowercased() : nil)
        let name = manifest.title.nonempty ?? source.name
        var draft = PackDraft(
            sourceIdentifier: identifier ?? SourceIdentifier.make(name, manifest.author), name: LocalizedText(name),
            publisher: manifest.author)
        if identifier == nil {
            draft.notes.append(EnglishText.filled("the pack's identifier is not known; it is identified by its title"))
        }
        if manifest.stickers.count > Self.limit {
            draft.notes.append(
                EnglishText.filled(
                    "the manifest has {number} stickers; Signal shows {limit}",
                    ["number": "\(manifest.stickers.count)", "limit": "\(Self.limit)"]))
        }
        // Decrypted images may have an extension.
        let files = Dictionary(source.paths.map { ($0.directoryPrefix + $0.stem, $0) }) { first, _ in first }
        func image(_ number: UInt64) -> ImageLocation {
            let names = ["full/\(number)", "\(number)"].map { root + $0 }
            guard let found = names.lazy.compactMap({ files[$0] }).first else { return .file(names[0]) }
            guard isEncrypted, let cipher else { return .file(found) }
            return .encrypted(found) { cipher.decrypt($0) }
        }
        for sticker in try source.limited(manifest.stickers) {
            draft.stickers.append(
                StickerDraft(
                    id: String(sticker.id), image: image(sticker.id),
                    texts: sticker.emoji.isEmpty ? [] : [sticker.emoji]))
        }
        draft.cover = manifest.cover.map { image($0.id) }
        return [draft]
    }

    /// Returns the manifest, decrypted where it is encrypted.
    private func manifest(
        _ bytes: [UInt8], _ path: String, _ cipher: SignalCipher?, hasKey: Bool
    ) throws -> (manifest: SignalManifest, isEncrypted: Bool) {
        if let cipher, let plain = cipher.decrypt(bytes) {
            guard let manifest = SignalManifest(plain) else {
                throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": "it is no manifest of Signal"])
            }
            return (manifest, true)
        }
        if let manifest = SignalManifest(bytes), !manifest.stickers.isEmpty { return (manifest, false) }
        guard cipher != nil else {
            throw StoreError(hasKey ? .importKeyUnreadable : .importKeyNeeded, ["path": .untrusted(path)])
        }
        throw StoreError(.importKeyWrong, ["path": .untrusted(path)])
    }
}
