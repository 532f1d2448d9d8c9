import StoreModel

/// The place that an operation has for a product's pack, from which the pack is staged.
///
/// It contains the installed version as the library knew it when the operation began.
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
    /// The name `NAME.EXTENSION` of the pack's directory once it is committed.
    let targetFolder: String
    /// The installed version of the product, which the new pack would replace; `nil` if none is installed.
    let installed: LibraryPack?
    /// The permissions that the user granted for this operation, in addition to those of the installed version.
    let consent: Set<Permission>
    /// Whether the installed version is kept for rollback when it is replaced; otherwise it is discarded.
    let keepsReplaced: Bool

    /// Creates an empty directory in staging for the pack's files, and removes what the operation had staged before.
    ///
    /// Staging is the directory in which packs are prepared. The method blocks while it waits for the disk.
    ///
    /// - Throws: `home.swapped`; another `StoreError` if the disk refuses.
    public func stage() throws -> StagedPack { try Self.stage([self])[0] }

    /// Creates an empty directory in staging for the files of each pack, as ``stage()`` does for one.
    ///
    /// - Throws: as ``stage()``, for the first that fails.
    public static func stage(_ places: [PackPlacement]) throws -> [StagedPack] {
        try places.first?.folders.requireInPlace()
        return try places.map { try $0.createStaging() }
    }

    private func createStaging() throws -> StagedPack {
        try folders.staging.removeTree(operation.rawValue)
        let staging = try StagingDirectory(
            operation: operation, targetFolder: targetFolder, staging: folders.staging, keepingReplaced: keepsReplaced)
        return StagedPack(placement: self, staging: staging)
    }
}
