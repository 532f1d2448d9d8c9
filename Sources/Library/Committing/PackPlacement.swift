import StoreModel

/// Where an operation puts a product's pack, and what the library knew of the installed version when it began.
///
/// ``Library/placement(of:kind:by:consent:keepingReplaced:)`` returns it. A value, so that a pack is staged, filled,
/// checked and given its receipt on one thread, without the library's actor in between:
///
/// ```swift
/// let staged = try placement.stage()
/// let files = try unpack(archive, into: staged.directory)
/// let permissions = try staged.check(cancellation: cancellation)
/// let prepared = try staged.addReceipt(receipt(files, permissions))
/// ```
public struct PackPlacement: Sendable {
    let folders: LibraryDirectories
    let operation: OperationID
    let productIdentifier: String
    let kind: any ContentKind
    /// The name of the pack's directory once it is committed, `NAME.EXTENSION`.
    let targetFolder: String
    /// The installed version; `nil` where there is none.
    let installed: LibraryPack?
    /// The permissions that the user granted now.
    let consent: Set<Permission>
    /// Whether the version that is replaced becomes the previous version.
    let keepsReplaced: Bool

    /// Creates an empty directory in staging for the pack, in place of one that the operation made before.
    ///
    /// Blocks.
    public func stage() throws -> StagedPack {
        try folders.requireInPlace()
        try folders.staging.removeTree(operation.rawValue)
        let staging = try StagingDirectory(
            operation: operation, targetFolder: targetFolder, staging: folders.staging, keepingReplaced: keepsReplaced)
        return StagedPack(placement: self, staging: staging)
    }
}
