public import StoreModel

/// A snapshot of the state after one event: downloads, packs, stores, purchases, settings, skin and lists of stickers.
///
/// Two snapshots with the same number are equal, and the events in between lead from one to the next.
public struct StoreSnapshot: Sendable, Hashable {
    /// The number of the last event that the snapshot of the state includes.
    public let sequence: UInt64
    /// The statuses of the running downloads, in the order in which they began, and then of recently ended ones.
    ///
    /// The ended ones are the last of those that ended since the daemon's start.
    public let downloads: [DownloadStatus]
    /// The installed packs, in the order of their names.
    ///
    /// A product with several directories, of which all but one were placed by hand, is listed once.
    public let packs: [InstalledPack]
    /// The stores that the user added, in descending order of priority.
    public let stores: [StoreSummary]
    /// The user's purchases, in the order of their product identifiers.
    public let purchases: [Purchase]
    /// The values of all settings, in the order of their names.
    public let settings: [SettingState]
    /// The skin in use; `nil` if the application has no skins.
    public let skin: SkinUse?
    /// The user's lists of stickers, and the order of the sticker packs.
    public let stickers: StickerLists

    /// Creates a snapshot of the state after an event with a number.
    public init(
        sequence: UInt64, downloads: [DownloadStatus], packs: [InstalledPack], stores: [StoreSummary] = [],
        purchases: [Purchase] = [], settings: [SettingState] = [], skin: SkinUse? = nil,
        stickers: StickerLists = StickerLists()
    ) {
        self.sequence = sequence
        self.downloads = downloads
        self.packs = packs
        self.stores = stores
        self.purchases = purchases
        self.settings = settings
        self.skin = skin
        self.stickers = stickers
    }
}
