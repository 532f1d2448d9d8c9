public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A row of the database's index of installed packs: the pack's receipt without the list of files.
///
/// A receipt is the file in a pack that describes it. With the index the library need not read every receipt when it is
/// opened. A row is valid while ``receiptFile`` equals the identity of the receipt file on the disk; otherwise the
/// receipt is read again.
public struct IndexedPack: Sendable, Hashable {
    /// The name of the installed pack's directory, with its extension, relative to the directory of all packs.
    public var directory: String
    /// The identifier of the product that was installed as this pack, such as `org.example.cups`.
    public var productIdentifier: String
    /// The kind of the installed pack's product: sticker pack, skin, emoji set or plugin.
    public var kind: ProductKind
    /// The name for display of the product that was installed as this pack.
    public var name: LocalizedText
    /// The version of the installed pack; `nil` for a product without versions.
    public var version: Version?
    /// The size of the installed pack's files in bytes, without the receipt (the file that describes the pack).
    public var size: Int
    /// The time at which the pack was installed; stored to the millisecond.
    public var installedAt: Date
    /// The name of the store that the pack was installed from, as the user added it.
    public var store: String
    /// The identifier of the operation that installed this version of the pack.
    public var operation: OperationID
    /// Whether updates that do not name the product skip the installed pack.
    public var isHeld: Bool
    /// Whether the pack was installed only because another product needs it, and not because the user named it.
    public var asDependency: Bool
    /// The price of the installed pack's product at the time of installation.
    public var price: Price
    /// The identifiers of the products that the installed pack needs.
    public var dependencies: [String]
    /// The permissions of the installed pack that the user consented to.
    public var permissions: [Permission]
    /// The URL, size and hash of the archive that the installed pack was unpacked from.
    public var archive: Receipt.Archive
    /// Whether the pack's receipt file could not be read when the index was written.
    ///
    /// The receipt describes the pack. The row then holds an earlier receipt.
    public var receiptIsDamaged: Bool
    /// The identity (inode, size and time) of the pack's receipt file that the index row was made from.
    public var receiptFile: FileIdentity

    /// Creates a row of the database's index of installed packs.
    public init(
        directory: String, productIdentifier: String, kind: ProductKind, name: LocalizedText, version: Version?,
        size: Int, installedAt: Date, store: String, operation: OperationID, isHeld: Bool,
        asDependency: Bool, price: Price, dependencies: [String], permissions: [Permission], archive: Receipt.Archive,
        receiptIsDamaged: Bool, receiptFile: FileIdentity
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
        self.asDependency = asDependency
        self.price = price
        self.dependencies = dependencies
        self.permissions = permissions
        self.archive = archive
        self.receiptIsDamaged = receiptIsDamaged
        self.receiptFile = receiptFile
    }
}
