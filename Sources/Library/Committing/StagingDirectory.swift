import FoundationEssentials
import StoreModel
import StoreSystem

/// The directory of one operation in staging (where packs are prepared), with the pack that it prepares.
struct StagingDirectory: Sendable {
    /// The name, in an operation's staging directory, of the prepared pack; after an exchange, of the replaced one.
    static let folder = "pack"
    /// The name, in an operation's staging directory, of a file that names the pack's final directory, for recovery.
    static let target = "target"
    /// The name, in an operation's staging directory, of the replaced version that was set aside.
    ///
    /// It is used on file systems that can't exchange two directories.
    static let setAside = "set-aside"

    /// The name, in an operation's staging directory, of a marker file: the replaced version is not to be kept.
    ///
    /// The file exists if the replaced version is damaged.
    static let discardsReplaced = "discards-replaced"

    let operation: OperationID
    /// The directory in staging for the files of the pack that the operation prepares.
    let directory: Directory
    /// The name `NAME.EXTENSION` of the pack's directory once it is committed.
    let targetFolder: String
    /// Whether the replaced version of the pack is kept for rollback; otherwise it is discarded.
    let keepsReplaced: Bool
    /// The operation's directory in staging (where packs are prepared), which contains ``directory``.
    let parent: Directory

    /// Creates an operation's directory in staging (where packs are prepared), with an empty directory for the pack.
    ///
    /// The operation's directory must not exist.
    init(
        operation: OperationID, targetFolder: String, staging: Directory, keepingReplaced: Bool = true
    ) throws {
        self.operation = operation
        self.targetFolder = targetFolder
        keepsReplaced = keepingReplaced
        try staging.makeDirectory(operation.rawValue)
        parent = try staging.openDirectory(operation.rawValue)
        try parent.createFile(StagingDirectory.target, mode: 0o600).write(Data(targetFolder.utf8))
        if !keepingReplaced { _ = try parent.createFile(StagingDirectory.discardsReplaced, mode: 0o600) }
        try parent.makeDirectory(StagingDirectory.folder, mode: 0o755)
        directory = try parent.openDirectory(StagingDirectory.folder)
    }

    /// Returns whether an interrupted operation keeps the version that it replaced.
    ///
    /// A marker file in the operation's staging directory says that it does not.
    static func keepsReplaced(_ parent: Directory) throws(StoreError) -> Bool {
        try parent.status(of: discardsReplaced)?.kind != .file
    }
}
