import StoreLibrary
public import StoreModel

/// The request for a download, with all orders given since.
///
/// It is in the database while the download runs, so that the next start of the daemon can continue it.
public struct DownloadRequest: Sendable, Hashable, Codable {
    public var operation: OperationID
    /// What the download does: `install`, `update` or `repair`.
    public var action: OperationAction
    public var store: String
    public var product: ProductItem
    /// The archive; an unknown size or hash is not checked.
    public var resource: ContentReference
    /// The identifiers of products that must be installed first.
    public var prerequisites: [String]
    /// The permissions that the user has granted to the product.
    public var consent: Set<Permission>
    /// The maximum number of bytes per second; `nil` is without a limit of its own.
    public var rateLimit: Int?
    /// The priority in the queue, the higher first; `nil` is 0.
    public var priority: Int?
    /// The pause that is in effect; `nil` if the download may run.
    public var pause: Pause?

    /// A pause, with the progress at its beginning, which the next start could know only by reading the whole file.
    public struct Pause: Sendable, Hashable, Codable {
        /// Who paused the download, as the status shows it.
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

    /// Returns the same request with a priority and a rate limit; 0 is none.
    public func with(priority: Int? = nil, rateLimit: Int? = nil) -> DownloadRequest {
        var request = self
        request.priority = priority == 0 ? nil : priority
        request.rateLimit = rateLimit == 0 ? nil : rateLimit
        return request
    }

    /// Returns whether a pack is the one that the request would install.
    func installs(_ pack: LibraryPack) -> Bool {
        guard let origin = pack.origin, origin.store == store else { return false }
        guard let sha256 = resource.sha256 else { return origin.archive.url == resource.url }
        return origin.archive.sha256 == sha256
    }
}
