import FoundationEssentials
import StoreModel
import StoreSystem

/// The directory of one operation in staging, as it is on the disk.
struct StagingDirectory: Sendable {
    /// The name of the pack's directory in the operation's directory.
    static let folder = "pack"
    /// The name of a file that holds the target directory's name, for recovery.
    static let target = "target"
    /// The name of the replaced version, on file systems that can't exchange two directories in one step.
    static let setAside = "set-aside"

    /// The name of a file that exists if the replaced version is damaged and not to be kept.
    static let discardsReplaced = "discards-replaced"

    let operation: OperationID
    /// The directory for the pack's files.
    let directory: Directory
    /// The name of the pack's directory once it is committed, `NAME.EXTENSION`.
    let targetFolder: String
    /// Whether the version that is replaced becomes the previous version.
    let keepsReplaced: Bool
    /// The operation's directory.
    let parent: Directory

    /// Creates the directories in staging.
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

    /// Whether the directory of an interrupted operation says that the replaced version becomes the previous version.
    static func keepsReplaced(_ parent: Directory) -> Bool {
        guard let marker = try? parent.status(of: discardsReplaced) else { return true }
        return marker.kind != .file
    }
}
