public import Library
public import StoreModel

/// Plugins: `NAME.plugin`. They hold files of any type: what a plugin is, only the chat application knows.
public struct PluginKind: ContentKind {
    public let kind = ProductKind.plugin
    public let folderExtension = "plugin"

    public init() {}
}
