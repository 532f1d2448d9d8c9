import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The folder of one operation in staging, in which a pack is prepared.
public struct StagedPack: Sendable {
    /// The pack itself, in the operation's folder.
    static let folder = "pack"
    /// A file that names the folder that the pack is to take, for recovery.
    static let target = "target"
    /// The version before, on file systems that can't exchange two folders in one step.
    static let setAside = "set-aside"

    /// A file that is there when the version before is not worth keeping, because it is damaged.
    static let discardsReplaced = "discards-replaced"

    public let operation: OperationID
    /// Where the pack's files go.
    public let directory: Directory
    /// `NAME.EXTENSION`.
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

    /// Whether the version that this one replaces becomes the version before.
    static func keepsReplaced(_ parent: Directory) -> Bool {
        guard let marker = try? parent.status(of: discardsReplaced) else { return true }
        return marker.kind != .file
    }

    /// Writes the receipt, the last thing that a pack needs before it can be committed.
    func write(_ receipt: Receipt) throws {
        let file = try directory.createFile(Receipt.fileName, mode: 0o644)
        try file.write(try JSON.encode(receipt))
    }
}
