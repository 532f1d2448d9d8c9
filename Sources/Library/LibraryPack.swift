public import FoundationEssentials
public import StoreModel

/// One folder of the library.
public struct LibraryPack: Sendable, Hashable {
    /// `NAME.EXTENSION`, in the packs' folder.
    public var folder: String
    public var productIdentifier: String
    public var kind: ProductKind
    public var name: LocalizedText
    public var version: Version?
    /// Bytes of the pack's files, without the receipt.
    public var size: Int
    public var installedAt: Date
    /// `nil` for a folder that someone put there by hand.
    public var origin: Origin?
    /// Whether the receipt is there and can't be read. What it said counts as it was known before, where it was.
    public var receiptIsDamaged = false

    /// What an installed pack's receipt says beside the files.
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

    /// Whether it is the pack of a product. Where neither receipt nor information file tells, the folder's name does.
    func isOf(_ productIdentifier: String) -> Bool {
        if self.productIdentifier == productIdentifier { return true }
        guard receiptIsDamaged, origin == nil, let dot = folder.lastIndex(of: ".") else { return false }
        return folder[..<dot] == PackDirectoryName(productIdentifier: productIdentifier).text
    }

    /// A folder put there by hand.
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
