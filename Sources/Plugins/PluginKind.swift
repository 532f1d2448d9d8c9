public import Library
public import StoreModel

/// Plugins: `NAME.plugin`.
public struct PluginKind: ContentKind {
    public let kind = ProductKind.plugin
    public let folderExtension = "plugin"

    public init() {}
}
