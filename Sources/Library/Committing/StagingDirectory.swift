import FoundationEssentials
import StoreModel
import StoreSystem

/// The directory of one operation in staging, with the pack that the operation prepares.
struct StagingDirectory: Sendable {
    /// The name, in the operation's directory, of the prepared pack; after an exchange, of the replaced version.
    static let folder = "pack"
    /// The name, in the operation's directory, of a file that contains the name of the pack's directory, for recovery.
    static let target = "target"
    /// The name, in the operation's directory, of the replaced version on file systems that can't exchange two
    /// directories.
    static let setAside = "set-aside"

    /// The name, in the operation's directory, of a file that exists if the replaced version is damaged and not to be
    /// kept.
    static let discardsReplaced = "discards-replaced"

    let operation: OperationID
    /// The directory of the prepared pack's files.
    let directory: Directory
    /// The name of the pack's directory once it is committed, `NAME.EXTENSION`.
    let targetFolder: String
    /// Whether the replaced version becomes the previous version; otherwise it is discarded.
    let keepsReplaced: Bool
    /// The operation's directory in staging, which contains ``directory``.
    let parent: Directory

    /// Creates the operation's directory in staging, which must not exist, with an empty directory for the pack.
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

    /// Returns whether an interrupted operation keeps the version that it replaced, by the marker file in its
    /// directory.
    static func keepsReplaced(_ parent: Directory) -> Bool {
        guard let marker = try? parent.status(of: discardsReplaced) else { return true }
        return marker.kind != .file
    }
}
