import StoreLibrary
public import StoreModel

/// What a task is to do. It is kept on the disk while the task runs, so that the next start of the daemon goes on.
public struct DownloadRequest: Sendable, Hashable, Codable {
    public var operation: OperationID
    /// `install`, `update` or `repair`.
    public var action: OperationAction
    public var store: String
    public var product: ProductItem
    /// The ZIP; what is not known of it (size, hash) is not checked.
    public var resource: ContentReference
    /// The productIdentifiers that must be installed before this one is put in its place.
    public var prerequisites: [String]
    /// What somebody consented to that the product may do.
    public var consent: Set<Permission>
    /// Bytes that may come in a second; `nil` for no limit of its own.
    public var rateLimit: Int?
    /// Among those that wait for their turn the higher comes first; 0 unless given.
    public var priority: Int?
    /// Somebody told it to wait until somebody says that it may go on; `nil` where it may.
    public var pause: Pause?

    /// A pause, and how far the download was when it began, which nobody can tell at the next start without reading all of it.
    public struct Pause: Sendable, Hashable, Codable {
        /// Who wanted it, as people are told.
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

    /// The same with what whoever asked for it wishes.
    public func with(priority: Int? = nil, rateLimit: Int? = nil) -> DownloadRequest {
        var request = self
        request.priority = priority == 0 ? nil : priority
        request.rateLimit = rateLimit == 0 ? nil : rateLimit
        return request
    }

    /// Whether a pack is what this would install.
    func asksFor(_ pack: LibraryPack) -> Bool {
        guard let origin = pack.origin, origin.store == store else { return false }
        guard let sha256 = resource.sha256 else { return origin.archive.url == resource.url }
        return origin.archive.sha256 == sha256
    }
}
