public import FoundationEssentials

/// A pack of the library as lists show it.
public struct InstalledPack: Sendable, Hashable, Codable {
    public var productIdentifier: String
    /// `nil` for a folder that someone put there by hand.
    @OrNull public var store: String?
    /// That brought it; another one brings another version. `nil` where the store is.
    @OrNull public var operation: OperationID?
    public var kind: ProductKind
    /// In the language of whoever asked.
    public var name: String
    @OrNull public var version: Version?
    /// Absolute.
    public var path: String
    /// Bytes of the pack's files, without the receipt.
    public var size: Int
    public var installedAt: Date
    public var held: Bool
    /// What it may do, all of it consented to.
    public var permissions: [Permission]
    public var state: [ProductState]

    public init(
        productIdentifier: String, store: String?, operation: OperationID? = nil, kind: ProductKind, name: String,
        version: Version?,
        path: String, size: Int, installedAt: Date, held: Bool,
        permissions: [Permission] = [], state: [ProductState]
    ) {
        self.productIdentifier = productIdentifier
        self.store = store
        self.operation = operation
        self.kind = kind
        self.name = name
        self.version = version
        self.path = path
        self.size = size
        self.installedAt = installedAt
        self.held = held
        self.permissions = permissions
        self.state = state
    }
}
