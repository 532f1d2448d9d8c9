public import StoreModel

/// A snapshot of the downloads, installed packs and skin in use, in their state after one event.
public struct StoreSnapshot: Sendable, Hashable {
    /// The number of the last event that the snapshot of the state includes.
    public let sequence: UInt64
    /// The statuses of the running downloads, in the order in which they began, and then of recently ended ones.
    ///
    /// The ended ones are the last of those that ended since the daemon's start.
    public let downloads: [DownloadStatus]
    /// The packs that are installed at the moment of the snapshot.
    public let packs: [InstalledPack]
    /// The skin in use; `nil` if the application has no skins.
    public let skin: SkinUse?

    /// Creates a snapshot of the state after an event with a number.
    public init(sequence: UInt64, downloads: [DownloadStatus], packs: [InstalledPack], skin: SkinUse? = nil) {
        self.sequence = sequence
        self.downloads = downloads
        self.packs = packs
        self.skin = skin
    }
}
