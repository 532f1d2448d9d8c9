public import StoreModel

/// The downloads, packs and skin in their state after one event.
public struct StoreSnapshot: Sendable, Hashable {
    /// The number of the last event that the snapshot includes.
    public let sequence: UInt64
    /// The running downloads, in the order in which they began, then the downloads that ended since the start.
    public let downloads: [DownloadStatus]
    /// The packs that are installed after the event.
    public let packs: [InstalledPack]
    /// The skin in use; `nil` if the application has no skins.
    public let skin: SkinUse?

    /// Creates a snapshot with the state after an event.
    public init(sequence: UInt64, downloads: [DownloadStatus], packs: [InstalledPack], skin: SkinUse? = nil) {
        self.sequence = sequence
        self.downloads = downloads
        self.packs = packs
        self.skin = skin
    }
}
