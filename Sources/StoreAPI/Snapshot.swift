public import StoreModel
public import StoreOpenAPI

/// The response of `GET /v1/snapshot`: downloads, packs and skin in their state after one numbered event.
public struct SnapshotDocument: Sendable, Codable {
    /// The sequence number of the last event that the snapshot includes.
    public var sequence: UInt64
    /// The active downloads, and those that ended since the daemon's start.
    public var downloads: [DownloadStatus]
    /// The packs that are installed after the event.
    public var packs: [InstalledPack]
    /// The skin in use; `nil` if the daemon does not support skins.
    public var skin: SkinUse?

    /// Creates a snapshot.
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
