import StoreLibrary
public import StoreModel

/// The request for a download, with all changes that were ordered since, such as a pause.
///
/// The request is in the database while the download runs, so that the next start of the daemon can continue it.
public struct DownloadRequest: Sendable, Hashable, Codable {
    public var operation: OperationID
    /// The action of the operation: `install`, `update` or `repair`.
    public var action: OperationAction
    public var store: String
    public var product: ProductItem
    /// The URL, size and hash of the product's archive; an unknown size or hash is not checked.
    public var resource: ContentReference
    /// The identifiers of products that must be installed before this one.
    public var prerequisites: [String]
    /// The permissions that the user has granted to the product.
    public var consent: Set<Permission>
    /// The maximum rate of this download in bytes per second; `nil` is unlimited.
    public var rateLimit: Int?
    /// The priority in the queue of downloads, the higher first; `nil` is 0.
    public var priority: Int?
    /// The pause that is in effect; `nil` if the download is not paused.
    public var pause: Pause?

    /// A pause of a download, with the progress when it began.
    ///
    /// Without that record, the next start would know the progress only after reading the whole file.
    public struct Pause: Sendable, Hashable, Codable {
        /// Who paused the download, as the status shows it, such as `the user`.
        public var by: String
        public var bytesReceived: Int
        public var bytesExpected: Int?

        public init(by: String = "the user", bytesReceived: Int = 0, bytesExpected: Int? = nil) {
            self.by = by
            self.bytesReceived = bytesReceived
            self.bytesExpected = bytesExpected
        }
    }

    public init(
        operation: OperationID, action: OperationAction, store: String, product: ProductItem,
        resource: ContentReference, prerequisites: [String] = [], consent: Set<Permission> = [],
        rateLimit: Int? = nil, priority: Int? = nil
    ) {
        self.operation = operation
        self.action = action
        self.store = store
        self.product = product
        self.resource = resource
        self.prerequisites = prerequisites
        self.consent = consent
        self.rateLimit = rateLimit
        self.priority = priority
    }

    /// Returns the same request with another priority and rate limit, where `nil` and 0 are none.
    ///
    /// - Parameter rateLimit: the maximum rate in bytes per second.
    public func with(priority: Int? = nil, rateLimit: Int? = nil) -> DownloadRequest {
        var request = self
        request.priority = priority == 0 ? nil : priority
        request.rateLimit = rateLimit == 0 ? nil : rateLimit
        return request
    }

    /// Returns whether a pack is installed from the store and the archive of this request.
    ///
    /// Archives are compared by hash, or by URL where the request has no hash. An unmanaged pack never matches.
    func installs(_ pack: LibraryPack) -> Bool {
        guard let origin = pack.origin, origin.store == store else { return false }
        guard let sha256 = resource.sha256 else { return origin.archive.url == resource.url }
        return origin.archive.sha256 == sha256
    }
}
