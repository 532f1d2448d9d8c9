public import FoundationEssentials
public import StoreModel

/// One pack in the packs directory: installed by this program, or unmanaged.
public struct LibraryPack: Sendable, Hashable {
    /// The name of the pack's directory, `NAME.EXTENSION`.
    public var folder: String
    public var productIdentifier: String
    public var kind: ProductKind
    public var name: LocalizedText
    public var version: Version?
    /// The size of the pack's files in bytes, without the receipt.
    public var size: Int
    /// When the pack was installed; for an unmanaged pack, when its directory was last modified.
    public var installedAt: Date
    /// The values that only a receipt has; `nil` for an unmanaged pack.
    public var origin: Origin?
    /// Whether the pack has a receipt that can't be read.
    ///
    /// The other values are then those of the receipt as it was read before. Where it never was, the pack is described
    /// like an unmanaged one, and ``origin`` is `nil`.
    public var receiptIsDamaged = false

    /// The values that only a receipt has: a pack's store and archive, and its operation, price, hold and permissions.
    public struct Origin: Sendable, Hashable {
        public var store: String
        public var operation: OperationID
        public var held: Bool
        public var price: Price
        public var dependencies: [String]
        public var permissions: [Permission]
        public var archive: Receipt.Archive

        /// Creates the values of a receipt, as the pack index holds them.
        public init(
            store: String, operation: OperationID, held: Bool, price: Price, dependencies: [String],
            permissions: [Permission], archive: Receipt.Archive
        ) {
            self.store = store
            self.operation = operation
            self.held = held
            self.price = price
            self.dependencies = dependencies
            self.permissions = permissions
            self.archive = archive
        }
    }

    /// Creates a pack from values, such as those that the pack index holds.
    public init(
        folder: String, productIdentifier: String, kind: ProductKind, name: LocalizedText, version: Version?, size: Int,
        installedAt: Date, origin: Origin?, receiptIsDamaged: Bool
    ) {
        self.folder = folder
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.name = name
        self.version = version
        self.size = size
        self.installedAt = installedAt
        self.origin = origin
        self.receiptIsDamaged = receiptIsDamaged
    }

    init(folder: String, receipt: Receipt) {
        self.folder = folder
        productIdentifier = receipt.productIdentifier
        kind = receipt.kind
        name = receipt.name
        version = receipt.version
        size = receipt.size
        installedAt = receipt.installedAt
        origin = Origin(
            store: receipt.store, operation: receipt.operation, held: receipt.held, price: receipt.price,
            dependencies: receipt.dependencies, permissions: receipt.permissions ?? [], archive: receipt.archive)
    }

    /// Returns whether this is the pack of a product.
    ///
    /// For a pack whose receipt is damaged and was never read, the directory's name decides too.
    func isOf(_ productIdentifier: String) -> Bool {
        if self.productIdentifier == productIdentifier { return true }
        guard receiptIsDamaged, origin == nil, let dot = folder.lastIndex(of: ".") else { return false }
        return folder[..<dot] == PackDirectoryName(productIdentifier: productIdentifier).text
    }

    /// Creates an unmanaged pack from its information file.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product that the information file names, or else the directory's `NAME`; also the
    ///     name of a pack without one.
    ///   - modifiedAt: when the pack's directory was last modified.
    init(
        folder: String, productIdentifier: String, kind: ProductKind, information: PackInformation, size: Int,
        modifiedAt: Date
    ) {
        self.folder = folder
        self.productIdentifier = productIdentifier
        self.kind = kind
        name = information.name ?? LocalizedText(productIdentifier)
        version = information.version
        self.size = size
        installedAt = modifiedAt
        origin = nil
    }
}
