public import StoreModel

/// The answer of `POST /v1/downloads` and of `POST /v1/packs/{id}/repair`: the task that works on it now, or the pack
/// where there is nothing to do.
public struct InstallAnswer: Sendable, Codable {
    /// The operation to ask for later; `nil` where none was begun and none is known.
    @OrNull public var operation: OperationID?
    /// The task as it stood when the answer was written; `nil` where there is nothing to do.
    @OrNull public var download: DownloadStatus?
    /// Whether the task had been running before, for someone else.
    public var joined: Bool
    /// What is installed already; `nil` where a task runs.
    @OrNull public var pack: InstalledPack?

    /// A task was begun, or joined.
    public init(download: DownloadStatus, joined: Bool) {
        operation = download.operation
        self.download = download
        self.joined = joined
        pack = nil
    }

    /// There is nothing to do.
    public init(present pack: InstalledPack, operation: OperationID?) {
        self.operation = operation
        download = nil
        joined = false
        self.pack = pack
    }
}
