public import FoundationEssentials

/// An installed pack (the installed files of a product), as the daemon lists it to clients in JSON.
public struct InstalledPack: Sendable, Hashable, Codable {
    public var productIdentifier: String
    /// The name of the store that the pack was installed from; `nil` for an unmanaged pack, placed by hand.
    @OrNull public var store: String?
    /// Whether the catalogue of the pack's store is verified with its signatures.
    ///
    /// `nil` if that is not known: for an unmanaged pack, a local file, or a store that was removed.
    @OrNull public var signed: Bool?
    /// The identifier of the operation that installed this version of the pack.
    ///
    /// `nil` for an unmanaged pack, which a user placed by hand.
    @OrNull public var operation: OperationID?
    public var kind: ProductKind
    /// The display name of the installed product in the client's language.
    public var name: String
    @OrNull public var version: Version?
    /// The absolute path of the installed pack's directory.
    @DirectoryEntryPath public var path: String
    /// The size of the installed pack's files in bytes, without the receipt (the file that lists their hashes).
    public var size: Int
    public var installedAt: Date
    public var held: Bool
    /// The plugin permissions that the user granted to the installed pack.
    public var permissions: [Permission]
    /// The identifiers of the products that the installed pack needs.
    public var dependencies: [String]
    public var state: [ProductState]

    public init(
        productIdentifier: String, store: String?, signed: Bool? = nil, operation: OperationID? = nil,
        kind: ProductKind, name: String,
        version: Version?,
        path: String, size: Int, installedAt: Date, held: Bool,
        permissions: [Permission] = [], dependencies: [String] = [], state: [ProductState]
    ) {
        self.init(
            productIdentifier: productIdentifier, store: store, signed: signed, operation: operation, kind: kind,
            name: name, version: version, at: DirectoryEntryPath(wrappedValue: path), size: size,
            installedAt: installedAt, held: held, permissions: permissions, dependencies: dependencies, state: state)
    }

    /// Creates the description of an installed pack, with the path of its directory in two parts.
    ///
    /// Descriptions of many packs then share the text of the parent's path.
    public init(
        productIdentifier: String, store: String?, signed: Bool?, operation: OperationID?, kind: ProductKind,
        name: String, version: Version?, at path: DirectoryEntryPath, size: Int, installedAt: Date, held: Bool,
        permissions: [Permission], dependencies: [String], state: [ProductState]
    ) {
        self.productIdentifier = productIdentifier
        self.store = store
        self.signed = signed
        self.operation = operation
        self.kind = kind
        self.name = name
        self.version = version
        _path = path
        self.size = size
        self.installedAt = installedAt
        self.held = held
        self.permissions = permissions
        self.dependencies = dependencies
        self.state = state
    }
}
