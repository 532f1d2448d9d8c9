public import Library
public import StoreModel

/// Skins from the store: `NAME.purchasedTheme`, unless the settings name another extension.
public struct SkinKind: ContentKind {
    public let kind = ProductKind.skin
    public let folderExtension: String

    public init(folderExtension: String = "purchasedTheme") { self.folderExtension = folderExtension }
}
