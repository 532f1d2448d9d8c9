public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A row of the pack index: the receipt of an installed pack without the receipt's list of files.
///
/// With the index the library need not read every receipt when it is opened. A row is valid while ``receiptFile``
/// equals the identity of the receipt file on the disk; otherwise the receipt is read again.
public struct IndexedPack: Sendable, Hashable {
    /// The name of the pack's directory, with its extension, relative to the directory of packs.
    public var directory: String
    /// The identifier of the product that the pack is an installation of.
    public var productIdentifier: String
    /// The kind of the pack's content.
    public var kind: ProductKind
    /// The name of the product for display.
    public var name: LocalizedText
    /// The installed version; `nil` for a product without versions.
    public var version: Version?
    /// The size of the pack's files in bytes, without the receipt.
    public var size: Int
    /// When the pack was installed; stored to the millisecond.
    public var installedAt: Date
    /// The name of the store that the pack was installed from.
    public var store: String
    /// The operation that installed this version of the pack.
    public var operation: OperationID
    /// Whether updates that do not name the product skip the pack.
    public var isHeld: Bool
    /// The product's price at the time of installation.
    public var price: Price
    /// The identifiers of the products that the pack needs.
    public var dependencies: [String]
    /// The permissions that the user consented to.
    public var permissions: [Permission]
    /// The archive that the pack was unpacked from.
    public var archive: Receipt.Archive
    /// Whether the receipt file could not be read when the index was written; the row then holds an earlier receipt.
    public var receiptIsDamaged: Bool
    /// The identity of the receipt file that the row was made from.
    public var receiptFile: FileIdentity

    /// Creates a row of the pack index.
    public init(
        directory: String, productIdentifier: String, kind: ProductKind, name: LocalizedText, version: Version?,
        size: Int, installedAt: Date, store: String, operation: OperationID, isHeld: Bool, price: Price,
        dependencies: [String], permissions: [Permission], archive: Receipt.Archive, receiptIsDamaged: Bool,
        receiptFile: FileIdentity
    ) {
        self.directory = directory
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.name = name
        self.version = version
        self.size = size
        self.installedAt = installedAt
        self.store = store
        self.operation = operation
        self.isHeld = isHeld
        self.price = price
        self.dependencies = dependencies
        self.permissions = permissions
        self.archive = archive
        self.receiptIsDamaged = receiptIsDamaged
        self.receiptFile = receiptFile
    }
}
