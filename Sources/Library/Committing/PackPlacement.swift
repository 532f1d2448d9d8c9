import StoreModel

/// The place that an operation has for a product's pack, and the installed version as the library knew it when the
/// operation began.
///
/// ``Library/placement(of:kind:by:consent:keepingReplaced:)`` returns it. It is a value, so that a pack is staged,
/// filled, checked and given its receipt on one thread, without the library's actor in between:
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
    /// The installed version of the product, which the pack would replace; `nil` where none is installed.
    let installed: LibraryPack?
    /// The permissions that the user granted for this operation, beside those of the installed version.
    let consent: Set<Permission>
    /// Whether the installed version becomes the previous version when it is replaced; otherwise it is discarded.
    let keepsReplaced: Bool

    /// Creates an empty directory in staging for the pack's files, and removes what the operation had staged before.
    ///
    /// The method blocks while it waits for the disk.
    ///
    /// - Throws: `home.swapped`; another `StoreError` where the disk refuses.
    public func stage() throws -> StagedPack {
        try folders.requireInPlace()
        try folders.staging.removeTree(operation.rawValue)
        let staging = try StagingDirectory(
            operation: operation, targetFolder: targetFolder, staging: folders.staging, keepingReplaced: keepsReplaced)
        return StagedPack(placement: self, staging: staging)
    }
}
