public import StoreModel

/// The request for the download of a product, with all changes that were ordered since, such as a pause.
///
/// The request is in the database while the download runs, so that the next start of the daemon can continue it.
public struct DownloadRequest: Sendable, Hashable, Codable {
    public var operation: OperationID
    /// The action of the operation that the download belongs to: `install`, `update` or `repair`.
    public var action: OperationAction
    public var store: String
    public var product: ProductItem
    /// The URL, size and hash of the product's archive to download; an unknown size or hash is not checked.
    public var resource: ContentReference
    /// The identifiers of products that must be installed before the product to download.
    public var prerequisites: [String]
    /// The permissions that the user has granted to the product to download.
    public var consent: Set<Permission>
    /// Whether the product is only downloaded because another product needs it; `nil` if the user named it.
    public var asDependency: Bool?
    /// The maximum rate of this download in bytes per second; `nil` is unlimited.
    public var rateLimit: Int?
    /// The operation that installed the version which was there when the request was made.
    ///
    /// `nil` if there was none, or if its operation is not known: it was placed by hand, or its receipt can't be read.
    /// If the product has another version when the download is to begin, the request is out of date.
    public var replacing: OperationID?
    /// The priority of this download in the wait queue, the higher first; `nil` is 0.
    public var priority: Int?
    /// The pause of the download that is in effect; `nil` if the download is not paused.
    public var pause: Pause?

    /// A pause of a download, with the progress when it began, as the database stores it.
    ///
    /// Without that record, the next start would know the progress only after reading the whole file.
    public struct Pause: Sendable, Hashable, Codable {
        /// The name of who paused the download, as the status shows it, such as `the user`.
        public var by: String
        public var bytesReceived: Int
        public var bytesExpected: Int?

        public init(by: String = EnglishText.filled("the user"), bytesReceived: Int = 0, bytesExpected: Int? = nil) {
            self.by = by
            self.bytesReceived = bytesReceived
            self.bytesExpected = bytesExpected
        }
    }

    public init(
        operation: OperationID, action: OperationAction, store: String, product: ProductItem,
        resource: ContentReference, prerequisites: [String] = [], consent: Set<Permission> = [],
        asDependency: Bool = false, replacing: OperationID? = nil, rateLimit: Int? = nil, priority: Int? = nil
    ) {
        self.operation = operation
        self.action = action
        self.store = store
        self.product = product
        self.resource = resource
        self.prerequisites = prerequisites
        self.consent = consent
        self.asDependency = asDependency ? true : nil
        self.replacing = replacing
        self.rateLimit = rateLimit
        self.priority = priority
    }

    /// Returns the same request for a download with another priority and rate limit; `nil` and 0 mean none.
    ///
    /// - Parameter rateLimit: the maximum rate in bytes per second.
    public func with(priority: Int? = nil, rateLimit: Int? = nil) -> DownloadRequest {
        var request = self
        request.priority = priority == 0 ? nil : priority
        request.rateLimit = rateLimit == 0 ? nil : rateLimit
        return request
    }
}
