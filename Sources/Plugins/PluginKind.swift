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

    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        let asked = try PackInformation.read(from: pack).permissions ?? []
        guard asked.count <= Self.permissionLimit, asked.allSatisfy(\.isWellFormed) else {
            throw StoreError(.pluginPermissionsMalformed, ["limit": Self.permissionLimit])
        }
    }

    public func permissions(asked: [Permission]) -> Set<Permission> { Set(asked).union([.code]) }
}
