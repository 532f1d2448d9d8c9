public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// Emoji sets: `NAME.emoji`. They hold images, the file that is compiled of them, and the XML or text that names them.
public struct EmojiKind: ContentKind {
    public let kind = ProductKind.emoji
    public let folderExtension = "emoji"

    private let rules: FileRules

    public init(images: ImageLimits = ImageLimits()) {
        rules = FileRules(.emoji, [.images(images), .emojiFiles(images), .xml, .texts()])
    }

    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        try rules.check(pack, cancellation: cancellation)
        _ = try PackInformation.read(from: pack)
    }
}
