import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A pack in staging (the directory in which packs are prepared) that is being filled, before its commit.
///
/// Its methods block while they wait for the disk.
public struct StagedPack: Sendable {
    let placement: PackPlacement
    let staging: StagingDirectory

    /// The directory in staging (where packs are prepared) for the files of this pack.
    public var directory: Directory { staging.directory }

    /// Copies files of the installed version into the staged pack, and verifies the hashes of the copies.
    ///
    /// If the file system can, a copy shares the blocks of the original. Hard links would be faster, but a user who
    /// edits a file of a pack would change the previous version, too.
    ///
    /// - Parameters:
    ///   - files: for each copy, the path in the installed version, and the path, size and hash that the copy must
    ///     have. Without files, nothing is checked or copied.
    ///   - cancellation: checked before each file and for every mebibyte of a large one.
    /// - Throws: `pack.not-installed`; `conflict.by-hand` if the installed version is unmanaged (placed by hand);
    ///   `pack.changed` if a file has another size or hash than expected; `CancellationError`; another `StoreError` if
    ///   a file can't be copied.
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

    /// Checks the staged pack by the rules of its kind, and that the user has granted its permissions.
    ///
    /// Permissions that the installed version has count as granted.
    ///
    /// - Parameters:
    ///   - checker: checks the files by the rules of the kind.
    ///   - cancellation: checked before each file.
    /// - Returns: all permissions of the pack.
    /// - Throws: `content.…`, or another code of the kind, if a rule is broken; `consent.needed`; `CancellationError`.
    public func check(
        by checker: any ContentChecking = ContentChecker(), cancellation: CancellationFlag = CancellationFlag()
    ) throws -> Set<Permission> {
        try checker.check(directory, as: placement.kind, cancellation: cancellation)
        return try placement.requireConsent(to: PackContents(directory))
    }

    /// Writes files that are in memory into the staged pack, with mode 0644, and their directories with mode 0755.
    ///
    /// Nothing is synced: the commit does that.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Throws: `StoreError` if a file of the name exists or the disk refuses; `CancellationError`.
    public func write(_ contents: FileTree, cancellation: CancellationFlag = CancellationFlag()) throws {
        for path in contents.directories { _ = try directory.createDirectory(path, mode: 0o755) }
        // Neighbours share a directory, which is then opened once.
        var current = (path: Substring(), directory: directory)
        for file in contents.files {
            try cancellation.check()
            let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let parent = slash.map { file.path[..<$0] } ?? ""
            if !parent.utf8.elementsEqual(current.path.utf8) {
                current = (
                    parent, parent.isEmpty ? directory : try directory.createDirectory(String(parent), mode: 0o755)
                )
            }
            let name = slash.map { String(file.path[file.path.utf8.index(after: $0)...]) } ?? file.path
            let written = try current.directory.createFile(name, mode: 0o644)
            try file.bytes.withUnsafeBytes { try written.write($0) }
        }
    }

    /// Writes the receipt (the file that describes the pack) into the staged pack, as its last file before the commit.
    ///
    /// What the user chose for the installed version is carried over into it: later updates still skip a held pack.
    ///
    /// - Returns: the complete pack, for ``Library/commit(_:)``.
    /// - Throws: `StoreError` if the receipt can't be written, or that of a pack to repair can't be read for a lack of
    ///   memory or file descriptors, or because of the disk. A damaged one does not prevent its repair.
    public func addReceipt(_ receipt: Receipt) throws -> PreparedPack {
        var receipt = receipt
        if let installed = placement.installed, let origin = installed.origin {
            receipt.choices = origin.choices
            if !placement.keepsReplaced {
                // A repair installs the same version again, and what a rollback replaced is still beside it.
                let present = try Receipt.find(installed.folder, in: placement.folders.packs)?.receipt
                receipt.rolledBackFrom = present?.rolledBackFrom
            }
        }
        try directory.createFile(Receipt.fileName, mode: 0o644).write(JSON.encode(receipt))
        return PreparedPack(staging: staging, receipt: receipt)
    }
}

/// A complete pack that is not installed yet: it is in staging, has a receipt, and is ready to commit.
///
/// ``Library/commit(_:)`` commits it. The receipt is the file that describes a pack.
public struct PreparedPack: Sendable {
    let staging: StagingDirectory
    /// The receipt (description) that was written into the pack, with what the user chose for the installed version.
    public let receipt: Receipt
}
