public import FoundationEssentials
public import StoreModel

/// One pack of the library, installed or unmanaged.
public struct LibraryPack: Sendable, Hashable {
    /// The name of the pack's directory, `NAME.EXTENSION`.
    public var folder: String
    public var productIdentifier: String
    public var kind: ProductKind
    public var name: LocalizedText
    public var version: Version?
    /// The size of the pack's files without the receipt, in bytes.
    public var size: Int
    public var installedAt: Date
    /// What the receipt says of the installation; `nil` for an unmanaged pack.
    public var origin: Origin?
    /// Whether there is a receipt that can't be read.
    ///
    /// The other values are then those that were known before, if there were any.
    public var receiptIsDamaged = false

    /// What only a receipt says about a pack: its store and archive, the operation, price, hold and permissions.
    public struct Origin: Sendable, Hashable {
        public var store: String
        public var operation: OperationID
        public var held: Bool
        public var price: Price
        public var dependencies: [String]
        public var permissions: [Permission]
        public var archive: Receipt.Archive

        /// Creates the part of a pack's description that only a receipt has.
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

    /// Creates a pack from its values, as the pack index holds them.
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

    /// Whether it is the pack of a product.
    ///
    /// Where neither receipt nor information file name the product, the directory's name decides.
    func isOf(_ productIdentifier: String) -> Bool {
        if self.productIdentifier == productIdentifier { return true }
        guard receiptIsDamaged, origin == nil, let dot = folder.lastIndex(of: ".") else { return false }
        return folder[..<dot] == PackDirectoryName(productIdentifier: productIdentifier).text
    }

    /// Creates an unmanaged pack.
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
