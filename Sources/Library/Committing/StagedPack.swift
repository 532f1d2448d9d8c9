import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A pack in staging that is being filled.
///
/// Its methods block while they wait for the disk.
public struct StagedPack: Sendable {
    let placement: PackPlacement
    let staging: StagingDirectory

    /// The directory for the pack's files.
    public var directory: Directory { staging.directory }

    /// Copies files of the installed version into the pack, and verifies the hashes of the copies.
    ///
    /// Where the file system can, a copy shares the blocks of the original. Hard links would be faster, but a user who
    /// edits a file of a pack would change the previous version, too.
    ///
    /// - Parameter cancellation: checked before each file and for every mebibyte of a large one.
    /// - Throws: `pack.not-installed`; `conflict.by-hand`; `pack.changed` where a file has another content than its
    ///   receipt says; `CancellationError`.
    public func takeOver(
        _ files: [(source: String, file: Receipt.File)], cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        if files.isEmpty { return }
        guard let installed = placement.installed else {
            throw StoreError(.packNotInstalled, ["product": placement.productIdentifier])
        }
        try placement.folders.requireManaged(installed)
        try PackFiles.copy(
            files, from: placement.folders.open(installed), to: directory, cancellation: cancellation)
    }

    /// Checks the pack by the rules of its kind, and that its permissions were granted.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Returns: the permissions of the pack.
    /// - Throws: `content.…`, `consent.needed`, `CancellationError`.
    public func check(cancellation: CancellationFlag = CancellationFlag()) throws -> Set<Permission> {
        let kind = placement.kind
        try kind.check(directory, cancellation: cancellation)
        let asked = kind.permissions(asked: try PackInformation.read(from: directory).permissions ?? [])
        let missing = asked.subtracting(placement.consent)
            .subtracting(placement.installed?.origin?.permissions ?? [])
        guard missing.isEmpty else {
            throw StoreError.consentMissing(for: placement.productIdentifier, kind: kind.kind, missing)
        }
        return asked
    }

    /// Writes the receipt, the last file of a pack before its commit; the hold of the installed version is carried over.
    public func addReceipt(_ receipt: Receipt) throws -> PreparedPack {
        var receipt = receipt
        if let origin = placement.installed?.origin { receipt.held = origin.held }
        try directory.createFile(Receipt.fileName, mode: 0o644).write(JSON.encode(receipt))
        return PreparedPack(staging: staging, receipt: receipt)
    }
}

/// A complete pack in staging, receipt included, that ``Library/commit(_:)`` puts in its place.
public struct PreparedPack: Sendable {
    let staging: StagingDirectory
    /// The receipt as it was written.
    public let receipt: Receipt
}
