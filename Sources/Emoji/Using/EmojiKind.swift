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
    private let setInUse: @Sendable () -> String?

    /// Creates the implementation of the product kind "emoji set" with the limits of its images.
    ///
    /// - Parameter setInUse: returns the product identifier of the set in use; `nil` if none is in use.
    public init(images: ImageLimits = ImageLimits(), setInUse: @escaping @Sendable () -> String? = { nil }) {
        self.images = images
        self.setInUse = setInUse
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

    /// Returns whether the emoji set with this product identifier is in use.
    public func isInUse(_ productIdentifier: String) async -> Bool { setInUse() == productIdentifier }
}
