/// The result of a request to install or repair a product: the download that does it, or the pack already installed.
///
/// It is the body of the responses to `POST /v1/downloads` and `POST /v1/packs/{id}/repair`. At most one of
/// ``download`` and ``pack`` is set.
public struct Installation: Sendable, Hashable, Codable {
    /// The operation that installs or installed the product; `nil` where none was begun and none is known.
    @OrNull public var operation: OperationID?
    /// The status of the download at the time of the response; `nil` where there is nothing to download.
    @OrNull public var download: DownloadStatus?
    /// Whether the request joined a download that another request had begun.
    public var joined: Bool
    /// The installed pack, where the product is installed already; `nil` while a download runs.
    @OrNull public var pack: InstalledPack?
    /// The paths of hidden files and directories that are not installed of a local file; `nil` where there are none.
    @OrNull public var leftOut: [String]?

    /// Creates the result for a download that the request began, or an earlier one that it joined.
    public init(download: DownloadStatus, joined: Bool) {
        self.init(operation: download.operation, download: download, joined: joined, pack: nil)
    }

    /// Creates the result for a product that is installed already.
    ///
    /// - Parameters:
    ///   - pack: the installed pack.
    ///   - operation: the operation that installed the pack, where it is known.
    public init(present pack: InstalledPack?, operation: OperationID?) {
        self.init(operation: operation, download: nil, joined: false, pack: pack)
    }

    /// Creates the result for a download of which only the operation is known.
    public init(begun operation: OperationID) {
        self.init(operation: operation, download: nil, joined: false, pack: nil)
    }

    private init(operation: OperationID?, download: DownloadStatus?, joined: Bool, pack: InstalledPack?) {
        self.operation = operation
        self.download = download
        self.joined = joined
        self.pack = pack
        leftOut = nil
    }
}
