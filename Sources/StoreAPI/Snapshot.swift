public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/snapshot`: downloads, packs and skin in their state after one event.
public struct SnapshotDocument: Sendable, Codable {
    /// The sequence number of the last event that the snapshot includes.
    public var sequence: UInt64
    /// The statuses of the active downloads, and of those that ended since the daemon's start.
    public var downloads: [DownloadStatus]
    /// The packs that were installed at the time of the snapshot.
    public var packs: [InstalledPack]
    /// The skin in use at the time of the snapshot; `nil` if the daemon does not support skins.
    public var skin: SkinUse?

    /// Creates a snapshot of downloads, packs and skin in their state after one event.
    public init(sequence: UInt64, downloads: [DownloadStatus], packs: [InstalledPack], skin: SkinUse? = nil) {
        self.sequence = sequence
        self.downloads = downloads
        self.packs = packs
        self.skin = skin
    }
}

extension SnapshotDocument: SchemaProviding {
    public static let schemaName = "Snapshot"
    public static let schema = Schema.document(
        "The state of everything right after the event with this sequence number.",
        [
            .required("sequence", .count),
            .required("downloads", .array(of: DownloadStatus.self)),
            .required("packs", .array(of: InstalledPack.self)),
            .optional("skin", .reference(to: SkinUse.self)),
        ])
}
