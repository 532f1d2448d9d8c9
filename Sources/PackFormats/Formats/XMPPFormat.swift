import StoreModel

/// A sticker pack of XMPP (XEP-0449): the XML of the pack with its images.
///
/// Images are found by the `name` of their file metadata, or by their hash as a file name.
struct XMPPFormat: PackImporting {
    let format = "xmpp"
    let title = "XMPP stickers (XEP-0449)"

    private static let namespace = "urn:xmpp:stickers:0"

    func recognizes(_ source: ImportSource) -> Bool { description(in: source) != nil }

    private func description(in source: ImportSource) -> String? {
        if let named = source.description(named: "urn.xmpp.stickers.0.xml") { return named }
        let candidates = source.chosenFile.map { [$0] } ?? source.paths.filter { $0.suffix == "xml" }
        return candidates.prefix(50).first { path in
            guard path.suffix == "xml", let document = try? source.xml(path) else { return false }
            return pack(in: document.root) != nil
        }
    }

    /// Returns the element of the pack, which may be in the item of a pubsub node.
    private func pack(in node: XMLNode, depth: Int = 0) -> XMLNode? {
        if node.name == "pack", node.namespace == Self.namespace { return node }
        guard depth < 5 else { return nil }
        return node.children.lazy.compactMap { pack(in: $0, depth: depth + 1) }.first
    }

    func packs(in source: ImportSource, key: String?) throws -> [PackDraft] {
        guard let path = description(in: source) else {
            throw StoreError(.importDescriptionMissing, ["format": format, "file": "PACK.xml"])
        }
        let document = try source.xml(path)
        guard let pack = pack(in: document.root) else {
            throw StoreError(.importMalformed, ["path": .untrusted(path), "reason": "it has no element 'pack'"])
        }
        let name = localized(pack, "name") ?? LocalizedText(source.name)
        // XEP-0449: the first 24 characters of the hash identify the pack.
        let hash = pack.child("hash")?.text.trimmed ?? ""
        let identifier = hexadecimal(hash.prefix(24)).nonempty ?? SourceIdentifier.make(name.text(), hash)
        var draft = PackDraft(
            sourceIdentifier: identifier, name: name, description: localized(pack, "summary"), notes: document.notes)
        if hash.isEmpty { draft.notes.append(EnglishText.filled("the pack has no hash; it is identified by its name")) }
        if pack.child("restricted") != nil {
            throw StoreError(.importRestricted, ["name": .untrusted(name.text())])
        }
        let files = source.paths.firstByStem
        for item in try source.limited(pack.children.filter { $0.name == "item" }) {
            add(item, path, to: &draft, in: source, files)
        }
        return [draft]
    }

    /// Adds a sticker to a pack.
    ///
    /// - Parameter files: the files of the source by their case-folded names without extension.
    private func add(
        _ item: XMLNode, _ path: String, to draft: inout PackDraft, in source: ImportSource, _ files: [String: String]
    ) {
        guard let file = item.child("file") else {
            draft.leaveOut("item on line \(item.line)", because: EnglishText.filled("it has no file"))
            return
        }
        let root = path.directoryPrefix
        let hashes = file.children.filter { $0.name == "hash" }.map { hexadecimal($0.text.trimmed) }
        let name = file.child("name")?.text.nonempty
        let byName = name.flatMap { source.path(of: root + $0) }
        let byHash = hashes.lazy.compactMap { files[$0.caseFolded] }.first
        let descriptions = file.children.filter { $0.name == "desc" }
        let plain = descriptions.first { $0["lang"] == nil }?.text
        let suggestions = item.children.filter { $0.name == "suggest" }.map(\.text)
        let isText = plain.map { !$0.trimmed.isEmoji && $0.nonempty != nil } ?? false
        draft.stickers.append(
            StickerDraft(
                image: .file(byName ?? byHash ?? name ?? "item on line \(item.line)"),
                texts: (plain.map { [$0] } ?? []) + suggestions,
                description: isText ? localized(file, "desc") : nil))
    }

    /// Returns the texts of the children with a name, by language.
    private func localized(_ node: XMLNode, _ name: String) -> LocalizedText? {
        let texts = node.children.filter { $0.name == name }.compactMap { child in
            child.text.nonempty.map { (child["lang"] ?? "", $0) }
        }
        guard !texts.isEmpty else { return nil }
        return LocalizedText(byLanguage: Dictionary(texts) { first, _ in first })
    }

    /// Returns Base64 as hexadecimal digits, which are safe in identifiers and file names; other text as a slug.
    private func hexadecimal(_ base64: some StringProtocol) -> String {
        Base64.bytes(String(base64)).map { $0.map { byte in hex(byte) }.joined() }
            ?? SourceIdentifier.slug(String(base64))
    }

    private func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }
}
