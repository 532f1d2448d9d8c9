import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The staging directory of one operation, in which a pack is prepared.
public struct StagedPack: Sendable {
    /// The name of the pack's directory in the operation's directory.
    static let folder = "pack"
    /// The name of a file that holds the target directory's name, for recovery.
    static let target = "target"
    /// The name of the replaced version, on file systems that can't exchange two directories in one step.
    static let setAside = "set-aside"

    /// The name of a file that exists if the replaced version is damaged and not to be kept.
    static let discardsReplaced = "discards-replaced"

    public let operation: OperationID
    /// The directory for the pack's files.
    public let directory: Directory
    /// The name of the pack's directory once it is committed, `NAME.EXTENSION`.
    let targetFolder: String
    let parent: Directory

    init(
        operation: OperationID, targetFolder: String, staging: Directory, keepingReplaced: Bool = true
    ) throws {
        self.operation = operation
        self.targetFolder = targetFolder
        try staging.makeDirectory(operation.rawValue)
        parent = try staging.openDirectory(operation.rawValue)
        try parent.createFile(StagedPack.target, mode: 0o600).write(Data(targetFolder.utf8))
        if !keepingReplaced { _ = try parent.createFile(StagedPack.discardsReplaced, mode: 0o600) }
        try parent.makeDirectory(StagedPack.folder, mode: 0o755)
        directory = try parent.openDirectory(StagedPack.folder)
    }

    /// Whether the version that is replaced becomes the previous version.
    static func keepsReplaced(_ parent: Directory) -> Bool {
        guard let marker = try? parent.status(of: discardsReplaced) else { return true }
        return marker.kind != .file
    }

    /// Writes the receipt, the last file of a pack before its commit.
    func write(_ receipt: Receipt) throws {
        let file = try directory.createFile(Receipt.fileName, mode: 0o644)
        try file.write(try JSON.encode(receipt))
    }
}
