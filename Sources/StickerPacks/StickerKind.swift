public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The rules for sticker packs as a kind of content: directories `NAME.stickers` with images, animations and text.
public struct StickerKind: MemoryCheckableKind {
    public let kind = ProductKind.sticker
    public let folderExtension = "stickers"
    public var informationMembers: [InformationMember] { StickerPackReader.members }

    private let rules: FileRules

    /// Creates the rules for sticker packs, with the limits of their images.
    public init(images: ImageLimits = ImageLimits()) {
        rules = FileRules(.sticker, [.images(images), .animations(), .texts()])
    }

    /// Checks a sticker pack: the files that its information file names must exist and be images or animations.
    ///
    /// In a pack without an information file all images are stickers.
    public func check(_ pack: PackContents, cancellation: CancellationFlag) throws {
        let files = try rules.check(pack, cancellation: cancellation)
        func requireImage(_ name: String, of member: String, at location: String) throws {
            guard let content = files[name] else {
                // A file that is never part of a pack, such as a hidden one, which archives leave out.
                throw StoreError(
                    .informationNamesNoFile, ["location": location, "member": member, "name": .untrusted(name)])
            }
            guard !content.isImage, !AnimationFormat.isAnimation(name) || content == .text else { return }
            throw StoreError(
                .informationNamesNoImage,
                ["location": location, "member": member, "name": .untrusted(name), "content": content.title])
        }
        let content = try StickerPackReader(pack).content()
        for (index, sticker) in content.stickers.enumerated() {
            try requireImage(sticker.file, of: "file", at: StickerPackReader.location(ofSticker: index))
        }
        if let cover = content.cover {
            try requireImage(cover, of: "cover", at: PackInformation.fileName)
        }
    }

    /// Checks a sticker pack, and warns of one without stickers and of the texts among the stickers' emoji that are no emoji.
    ///
    /// The latter are not refused: a text may be an emoji that is newer than the Unicode tables of this program.
    public func checkForPublishing(_ pack: Directory, pictures: Set<String>) throws -> [String] {
        try check(pack)
        let stickers = try StickerPackReader(pack).stickers()
        if stickers.isEmpty { return ["the pack has no stickers: put images into its directory"] }
        return stickers.enumerated().flatMap { index, sticker in
            sticker.emoji.filter { !$0.isEmoji }.map {
                "\(StickerPackReader.location(ofSticker: index)): '\($0)' is not an emoji; "
                    + "put words for searching into 'keywords'"
            }
        }
    }

    public func count(in pack: Directory) throws -> ContentCount? {
        ContentCount(try StickerPackReader(pack).stickers().count, singular: "sticker", plural: "stickers")
    }
}
