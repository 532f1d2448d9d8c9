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

    public init(
        operation: OperationID, action: OperationAction, store: String, product: ProductItem,
        resource: ContentReference, prerequisites: [String] = []
    ) {
        self.operation = operation
        self.action = action
        self.store = store
        self.product = product
        self.resource = resource
        self.prerequisites = prerequisites
    }
}
