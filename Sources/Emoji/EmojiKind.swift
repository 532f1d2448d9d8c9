public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The implementation of the product kind "emoji set": how its files are checked when it is installed.
///
/// Emoji sets are directories `NAME.emoji` with images, a compiled file, XML and text.
public struct EmojiKind: ContentKind {
    public let kind = ProductKind.emoji
    public let folderExtension = "emoji"

    private let rules: FileRules
    private let images: ImageLimits

    /// Creates the implementation of the product kind "emoji set" with the limits of its images.
    public init(images: ImageLimits = ImageLimits()) {
        self.images = images
        rules = FileRules(.emoji, [.images(images), .emojiFiles(images), .xml, .texts()])
    }

    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        try rules.check(pack, cancellation: cancellation)
        _ = try PackInformation.read(from: pack)
    }

    public func count(in pack: Directory) throws -> ContentCount? {
        let entries = try EmojiSetReader(directory: pack, limits: images).entries()
        return ContentCount(entries.count, singular: "emoji", plural: "emoji")
    }
}
