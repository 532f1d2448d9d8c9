/// The result of a request to install or repair a product: the download that does it, or the pack already installed.
///
/// It is the body of the responses to `POST /v1/downloads` and `POST /v1/packs/{id}/repair`. At most one of
/// ``download`` and ``pack`` is set.
public struct Installation: Sendable, Hashable, Codable {
    /// The identifier of the operation that installs or installed the product.
    ///
    /// `nil` where none was begun and none is known.
    @OrNull public var operation: OperationID?
    /// The status of the product's download at the time of the response; `nil` where there is nothing to download.
    @OrNull public var download: DownloadStatus?
    /// Whether the request to install joined a download of the product that another request had begun.
    public var joined: Bool
    /// The installed pack, if the product is installed already; `nil` while a download runs.
    @OrNull public var pack: InstalledPack?
    /// For each store that did not respond, or whose catalogue is out of date, a message with the reason.
    public var warnings: [String]
    /// The identifiers of the products that are installed as well, because the product needs them.
    public var dependencies: [String]
    /// The paths of hidden files and directories that are not installed of a local file.
    public var leftOut: [String]

    /// Creates the result of a request to install for a download that the request began or joined.
    public init(download: DownloadStatus, joined: Bool) {
        self.init(operation: download.operation, download: download, joined: joined, pack: nil)
    }

    /// Creates the result of a request to install for a product that is installed already.
    ///
    /// - Parameters:
    ///   - pack: the installed pack.
    ///   - operation: the operation that installed the pack, where it is known.
    public init(present pack: InstalledPack?, operation: OperationID?) {
        self.init(operation: operation, download: nil, joined: false, pack: pack)
    }

    /// Creates the result of a request to install of whose download only the operation's identifier is known.
    public init(begun operation: OperationID) {
        self.init(operation: operation, download: nil, joined: false, pack: nil)
    }

    private init(operation: OperationID?, download: DownloadStatus?, joined: Bool, pack: InstalledPack?) {
        self.operation = operation
        self.download = download
        self.joined = joined
        self.pack = pack
        (warnings, dependencies, leftOut) = ([], [], [])
    }
}
