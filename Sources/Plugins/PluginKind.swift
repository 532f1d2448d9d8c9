public import StoreLibrary
public import StoreModel
public import StoreSystem

/// The implementation of the product kind "plugin": how its packs are checked, and which permissions they need.
///
/// Plugins are directories `NAME.plugin` with files of any type. A plugin runs within the chat application, so its
/// installation requires consent to that and to each permission in its manifest.
public struct PluginKind: MemoryCheckableKind {
    public let kind = ProductKind.plugin
    public let folderExtension = "plugin"

    /// Creates the implementation of the product kind "plugin".
    public init() {}

    /// The maximum number of permissions of a plugin; a user would not read a longer list before consenting.
    private static let permissionLimit = 32

    public func check(_ pack: PackContents, cancellation: CancellationFlag) throws {
        let asked = try PackInformation.read(from: pack).permissions ?? []
        guard asked.count <= Self.permissionLimit else {
            throw StoreError(
                .informationListTooLong,
                [
                    "file": PackInformation.fileName, "member": "permissions", "count": asked.count,
                    "limit": Self.permissionLimit,
                ])
        }
        if let malformed = asked.first(where: { !$0.isWellFormed }) {
            throw StoreError(
                .pluginPermissionMalformed,
                ["file": PackInformation.fileName, "permission": .untrusted(malformed.rawValue)])
        }
    }

    public func permissions(asked: [Permission]) -> Set<Permission> {
        Set(asked).union(ProductKind.plugin.ownPermissions)
    }
}
