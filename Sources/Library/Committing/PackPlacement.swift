public import StoreModel
public import StoreSystem

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
        func create() throws -> StagingDirectory {
            try StagingDirectory(
                operation: operation, targetFolder: targetFolder, staging: folders.staging,
                keepingReplaced: keepsReplaced)
        }
        do {
            return StagedPack(placement: self, staging: try create())
        } catch let error as StoreError where error.errno == .fileExists {
            try folders.staging.removeTree(operation.rawValue)
            return StagedPack(placement: self, staging: try create())
        }
    }

    /// Checks packs of one kind whose files are in memory by its rules, and that the user has granted their permissions.
    ///
    /// Permissions that the installed versions have count as granted. To be called before the packs are staged: so a refused pack is
    /// never on the disk.
    ///
    /// - Parameters:
    ///   - places: the place for each pack, in the order of the packs.
    ///   - checker: checks the files by the rules of the kind.
    ///   - cancellation: checked before each file.
    /// - Returns: for each pack, in the order of the packs, the permissions that it asks for.
    /// - Throws: as ``StagedPack/check(by:cancellation:)``, for the first pack that fails.
    public static func check(
        _ packs: SharedFileTrees, for places: [PackPlacement], by checker: any ContentChecking,
        cancellation: CancellationFlag
    ) throws -> [Set<Permission>] {
        guard let kind = places.first?.kind as? any MemoryCheckableKind else {
            throw StoreError(.unexpectedError, ["error": "packs of this kind can't be checked in memory"])
        }
        try checker.check(packs, as: kind, cancellation: cancellation)
        return try zip(places, packs.trees).map { try $0.requireConsent(to: PackContents($1)) }
    }

    /// Requires that the user has granted the permissions that a pack asks for, and returns them.
    ///
    /// - Throws: `consent.needed`; an error of the pack's information file.
    func requireConsent(to pack: PackContents) throws -> Set<Permission> {
        let asked = kind.permissions(asked: try PackInformation.read(from: pack).permissions ?? [])
        let missing = asked.subtracting(consent).subtracting(installed?.origin?.permissions ?? [])
        guard missing.isEmpty else {
            throw StoreError.consentMissing(for: productIdentifier, kind: kind.kind, missing)
        }
        return asked
    }
}
