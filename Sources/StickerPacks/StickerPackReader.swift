package import StoreLibrary
package import StoreModel
package import StoreSystem

/// Reads the stickers of a sticker pack: those listed in its information file, or all images in order of their names.
package struct StickerPackReader {
    private let pack: PackContents

    package init(_ pack: PackContents) { self.pack = pack }

    package init(_ directory: Directory) { pack = PackContents(directory) }

    /// The file name suffixes of images and animations that can be stickers (PNG, APNG, WebP, GIF, JPEG, SVG, TGS, WebM).
    private static let imageSuffixes: Set<String> = [
        "png", "apng", "webp", "gif", "jpg", "jpeg", "svg", "tgs", "webm",
    ]

    /// The form of the members of the information file that only sticker packs have, for messages.
    package static let members: [InformationMember] = [
        .objects(
            "stickers", of: "sticker",
            members: [
                .string("id", example: #""wave""#),
                .string("file", example: #""01.png""#),
                .strings("emoji", example: #"["😂"]"#),
                .strings("keywords", example: #"["laugh"]"#),
                .localizedText("description", example: #"{"en": "Tears of joy"}"#),
            ],
            example: #"{"file": "01.png"}"#)
    ]

    /// Returns the stickers of the sticker pack in order.
    ///
    /// - Throws: `content.bad-information` if the manifest can't be read, or names a missing file.
    package func stickers() throws -> [Sticker] { try content().stickers }

    /// Reads the content of the sticker pack, for which the information file is read once.
    ///
    /// - Throws: `content.bad-information` if the manifest can't be read, or names a missing file.
    package func content() throws -> StickerPackContent {
        guard let data = try pack.read(PackInformation.fileName, limit: PackInformation.sizeLimit) else {
            let stickers = try images(except: nil)
            return StickerPackContent(publisher: nil, license: nil, cover: stickers.first?.file, stickers: stickers)
        }
        let common = try PackInformation.decode(PackInformation.self, from: data)
        let information = try PackInformation.decode(Information.self, from: data, members: Self.members)
        if let count = information.stickers?.count, count > StickerPack.maximumCount {
            throw StoreError(
                .informationListTooLong,
                [
                    "file": PackInformation.fileName, "member": "stickers", "count": count,
                    "limit": StickerPack.maximumCount,
                ])
        }
        let stickers = try information.stickers.map(stickers) ?? images(except: common.cover)
        if let cover = common.cover { try requireFile(cover, of: "cover", at: PackInformation.fileName) }
        return StickerPackContent(
            publisher: common.publisher, license: common.license, cover: common.cover ?? stickers.first?.file,
            stickers: stickers)
    }

    private func stickers(_ named: [Information.Entry]) throws -> [Sticker] {
        var numbers: [String: Int] = [:]
        let files = Set(try pack.fileNames().map { Array($0.utf8) })
        return try named.enumerated().map { index, entry in
            let sticker = entry.sticker
            let location = Self.location(ofSticker: index)
            guard numbers.updateValue(index + 1, forKey: sticker.id) == nil else {
                let first = named.firstIndex { $0.sticker.id == sticker.id }
                throw StoreError(
                    .stickerListedTwice,
                    ["location": location, "sticker": .untrusted(sticker.id), "first": (first ?? 0) + 1])
            }
            // To open each of tens of thousands of files takes longer than all else of the first search.
            if !files.contains(Array(sticker.file.utf8)) { try requireFile(sticker.file, of: "file", at: location) }
            return sticker
        }
    }

    /// Returns the place of a sticker in the information file, for messages: `pack.json, sticker 2`.
    ///
    /// - Parameter index: the index of the sticker in the list, counted from 0.
    static func location(ofSticker index: Int) -> String { "\(PackInformation.fileName), sticker \(index + 1)" }

    private func requireFile(_ name: String, of member: String, at location: String) throws(StoreError) {
        // The file rules and the receipt know a file by one path only.
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = components.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
        guard isPlain, pack.hasFile(name) else {
            throw StoreError(
                .informationNamesNoFile, ["location": location, "member": member, "name": .untrusted(name)])
        }
    }

    private struct Information: Decodable {
        let stickers: [Entry]?

        struct Entry: Decodable {
            let id: String?
            let file: String
            let emoji: [String]?
            let keywords: [String]?
            let description: LocalizedText?

            var sticker: Sticker {
                // Nothing could refer to a sticker with an empty identifier.
                let identifier = id.flatMap { $0.isEmpty ? nil : $0 } ?? stickerIdentifier(ofFile: file)
                return Sticker(
                    id: identifier, file: file, emoji: emoji ?? [], keywords: keywords ?? [], description: description)
            }
        }
    }

    /// Returns all images of the pack as stickers, except its cover, and files whose names are hidden or not UTF-8.
    private func images(except cover: String?) throws -> [Sticker] {
        let files = try pack.fileNames().filter { name in
            name != cover && Self.imageSuffixes.contains(suffix(of: name))
                && PackExclusion(name: name, isDirectory: false) == nil
        }
        let names = files.sorted(by: isNaturallyBefore)
        let taken = Set(names)
        let count = Dictionary(names.map { (stickerIdentifier(ofFile: $0), 1) }, uniquingKeysWith: +)
        return names.map { name in
            // Images whose names differ only in their suffix are identified by their whole names.
            let identifier = stickerIdentifier(ofFile: name)
            let isFree = count[identifier] == 1 && (identifier == name || !taken.contains(identifier))
            return Sticker(id: isFree ? identifier : name, file: name)
        }
    }

    private func suffix(of name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }
}

/// Returns the default identifier of a sticker: the name of its image file without the suffix.
private func stickerIdentifier(ofFile file: String) -> String {
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
}
