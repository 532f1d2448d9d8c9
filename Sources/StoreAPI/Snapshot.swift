public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/snapshot`: everything that events describe, in its state after one event.
public struct SnapshotDocument: Sendable, Codable {
    /// The sequence number of the last event that the snapshot includes.
    public var sequence: UInt64
    /// The statuses of the active downloads, and of those that ended since the daemon's start.
    public var downloads: [DownloadStatus]
    /// The packs that were installed at the time of the snapshot.
    public var packs: [InstalledPack]
    /// The stores that the user added, in descending order of priority.
    public var stores: [StoreSummary]
    /// The user's purchases, in the order of their product identifiers.
    public var purchases: [Purchase]
    /// The values of all settings of the daemon, in the order of their names.
    public var settings: [SettingState]
    /// The skin in use at the time of the snapshot; `nil` if the daemon does not support skins.
    public var skin: SkinUse?
    /// The user's lists of stickers, and the order of the sticker packs.
    public var stickers: StickerLists

    /// Creates a snapshot of everything that events describe, in its state after one event.
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

extension SnapshotDocument: SchemaProviding {
    public static let schemaName = "Snapshot"
    public static let schema = Schema.document(
        "The state of everything right after the event with this sequence number. Two snapshots with the same number are "
            + "equal, and the events in between lead from one to the next.",
        [
            .required("sequence", .count),
            .required(
                "downloads", .array(of: DownloadStatus.self),
                "Those that have not ended, and those that ended since the daemon started. Those that ended leave the list "
                    + "without an event."),
            .required("packs", .array(of: InstalledPack.self)),
            .required("stores", .array(of: StoreSummary.self), "In descending order of priority."),
            .required("purchases", .array(of: Purchase.self)),
            .required("settings", .array(of: SettingState.self)),
            .optional("skin", .reference(to: SkinUse.self)),
            .required("stickers", .reference(to: StickerLists.self)),
        ])
}

extension SettingState: SchemaProviding {
    public static let schemaName = "SettingState"
    public static let schema = Schema.document(
        "The value of one setting, and where it comes from.",
        [
            .required("key", .nonEmptyText), .required("value", .text, "As text, whatever the setting's type."),
            .required(
                "origin", .nonEmptyText, "`default`, the path of a file, or the name of an environment variable."),
        ])
}
