public import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The implementation of the product kind "emoji set": how its files are checked when it is installed.
///
/// Emoji sets are directories `NAME.emoji` with images, a compiled file, XML and text.
public struct EmojiKind: MemoryCheckableKind {
    public let kind = ProductKind.emoji
    public let folderExtension = "emoji"

    /// The number of images that a publisher is warned of one by one.
    private static let maximumWarnings = 10

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

    public func check(_ pack: PackContents, cancellation: CancellationFlag) throws {
        try rules.check(pack, cancellation: cancellation)
        _ = try PackInformation.read(from: pack)
    }

    /// Checks an emoji set, and warns of the images that clients do not show as an emoji, because neither a list nor their
    /// name says which one.
    public func checkForPublishing(_ pack: Directory, pictures: Set<String>) throws -> [String] {
        try check(pack)
        let entries = try EmojiSetReader(directory: pack, limits: images, isManaged: true).entries()
        var used = pictures
        for entry in entries {
            // The images beside a compiled file are its sources.
            guard case .file(let name) = entry.place else { return [] }
            used.insert(name)
        }
        let names = try pack.entries().filter { $0.kind == .file }.map(\.name).filter { !used.contains($0) }.sorted()
        let unused = names.filter { name in ImageFormat.allSuffixes.contains { name.lowercased().hasSuffix("." + $0) } }
        var warnings = unused.prefix(Self.maximumWarnings).map { "'\($0)' is not shown as an emoji" }
        if unused.count > warnings.count {
            warnings.append("\(unused.count - warnings.count) more are not shown as an emoji")
        }
        if entries.isEmpty || !unused.isEmpty {
            warnings.append("images of emoji have the names of their code points, such as 1f600.png")
        }
        return warnings
    }

    public func count(in pack: Directory) throws -> ContentCount? {
        let entries = try EmojiSetReader(directory: pack, limits: images, isManaged: true).entries()
        return ContentCount(entries.count, singular: "emoji", plural: "emoji")
    }

    /// Returns whether the emoji set with this product identifier is in use.
    public func isInUse(_ productIdentifier: String) async -> Bool { setInUse() == productIdentifier }
}
