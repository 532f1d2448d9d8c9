public import StoreLibrary
public import StoreModel
public import StoreSystem

/// Plugins: `NAME.plugin`. They hold files of any type: what a plugin is, only the chat application knows. It runs within
/// that, so that nobody gets one without having consented to it and to whatever else its information file asks for.
public struct PluginKind: ContentKind {
    public let kind = ProductKind.plugin
    public let folderExtension = "plugin"

    public init() {}

    /// More words than this nobody reads before allowing them.
    private static let permissionLimit = 32

    public func check(_ pack: Directory) throws {
        let asked = try PackInformation.read(from: pack).permissions ?? []
        guard asked.count <= Self.permissionLimit, asked.allSatisfy(\.isWellFormed) else {
            throw LibraryError(
                .badInformation,
                "The plugin asks for permissions that are no words of small letters, digits, dots and dashes, or for "
                    + "more than \(Self.permissionLimit). Tell the publisher.")
        }
    }

    public func permissions(asked: [Permission]) -> Set<Permission> { Set(asked).union([.code]) }
}
