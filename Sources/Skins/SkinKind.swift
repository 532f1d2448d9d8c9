public import Files
public import Images
public import Library
public import StoreModel

/// Skins from the store: `NAME.purchasedTheme`, unless the settings name another extension. They hold XML, images and
/// text, that of other applications' skins too; those of ours must be readable.
public struct SkinKind: ContentKind {
    public let kind = ProductKind.skin
    public let folderExtension: String

    private let rules: FileRules

    public init(folderExtension: String = "purchasedTheme", images: ImageLimits = ImageLimits()) {
        self.folderExtension = folderExtension
        rules = FileRules(.skin, [.images(images), .xml, .texts(["tdesktop-theme", "tdesktop-palette", "attheme"])])
    }

    public func check(_ pack: Directory) throws {
        try rules.check(pack)
        _ = try PackInformation.read(from: pack)
        do {
            // What it inherits from need not be here yet.
            if try SkinInformation.find(in: pack) != nil { try SkinFiles(pack).requireReadable(in: pack) }
        } catch let error as SkinError {
            throw LibraryError(error.code, error.message)
        }
    }
}
