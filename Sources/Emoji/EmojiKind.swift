public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The kind of content for emoji sets: directories `NAME.emoji` with images, a compiled file, XML and text.
public struct EmojiKind: ContentKind {
    public let kind = ProductKind.emoji
    public let folderExtension = "emoji"

    private let rules: FileRules

    /// Creates the kind with the limits of images.
    public init(images: ImageLimits = ImageLimits()) {
        rules = FileRules(.emoji, [.images(images), .emojiFiles(images), .xml, .texts()])
    }

    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        try rules.check(pack, cancellation: cancellation)
        _ = try PackInformation.read(from: pack)
    }
}
