public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A description of one pack in the packs directory: installed by this program, or unmanaged (placed by hand).
///
/// An immutable class, so that the library, its lists and its index share one object for each of thousands of packs.
public final class LibraryPack: Sendable, Hashable {
    /// The name `NAME.EXTENSION` of the pack's directory, in the directory of all packs.
    public let folder: String
    public let productIdentifier: String
    public let kind: ProductKind
    public let name: LocalizedText
    public let version: Version?
    /// The size of the pack's files in bytes, without the receipt (the file that describes an installed pack).
    public let size: Int
    /// The time when the pack was installed; for a pack placed by hand, when its directory was last modified.
    public let installedAt: Date
    /// The values of a pack that only a receipt has, such as its store; `nil` for a pack that was placed by hand.
    ///
    /// The receipt is the file that describes an installed pack.
    public let origin: Origin?
    /// Whether the pack has a receipt (the file that describes an installed pack) that can't be read.
    ///
    /// The other values are then those of the receipt as it was read before. If it never was, the pack is described
    /// like one that was placed by hand, and ``origin`` is `nil`.
    public let receiptIsDamaged: Bool
    /// The identity of the receipt file that the pack was read from, which is not compared; `nil` without a valid receipt.
    let receiptFile: FileIdentity?
    /// Whether the pack has, or had, a list of its files to be verified against; one that was placed by hand has none.
    public var isVerifiable: Bool { origin != nil || receiptIsDamaged }

    /// The values of an installed pack that only its receipt has: store, archive, operation, price, hold and more.
    ///
    /// The receipt is the file that describes an installed pack. Packs that were placed by hand have none.
    public struct Origin: Sendable, Hashable {
        public let store: String
        public let operation: OperationID
        public let held: Bool
        /// Whether the pack was installed only because another product needs it, and not because the user named it.
        public let asDependency: Bool
        public let price: Price
        public let dependencies: [String]
        public let permissions: [Permission]
        public let archive: Receipt.Archive

        /// Creates the values of an installed pack that only its receipt has, from the database's index of packs.
        public init(
            store: String, operation: OperationID, held: Bool, asDependency: Bool, price: Price,
            dependencies: [String], permissions: [Permission], archive: Receipt.Archive
        ) {
            self.store = store
            self.operation = operation
            self.held = held
            self.asDependency = asDependency
            self.price = price
            self.dependencies = dependencies
            self.permissions = permissions
            self.archive = archive
        }
    }

    /// Creates the description of a pack from its values, such as those in the database's index of packs.
    ///
    /// - Parameter receiptFile: the identity of the receipt file that has these values; `nil` for a pack without a valid receipt.
    public init(
        folder: String, productIdentifier: String, kind: ProductKind, name: LocalizedText, version: Version?, size: Int,
        installedAt: Date, origin: Origin?, receiptIsDamaged: Bool, receiptFile: FileIdentity? = nil
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
        self.receiptFile = receiptFile
    }

    convenience init(folder: String, receipt: Receipt, receiptFile: FileIdentity? = nil) {
        let origin = Origin(
            store: receipt.store, operation: receipt.operation, held: receipt.held,
            asDependency: receipt.asDependency ?? false, price: receipt.price, dependencies: receipt.dependencies,
            permissions: receipt.permissions ?? [], archive: receipt.archive)
        self.init(
            folder: folder, productIdentifier: receipt.productIdentifier, kind: receipt.kind, name: receipt.name,
            version: receipt.version, size: receipt.size, installedAt: receipt.installedAt, origin: origin,
            receiptIsDamaged: false, receiptFile: receiptFile)
    }

    /// Returns the same description with another value of ``receiptIsDamaged``.
    func with(receiptIsDamaged: Bool) -> LibraryPack {
        if receiptIsDamaged == self.receiptIsDamaged { return self }
        return LibraryPack(
            folder: folder, productIdentifier: productIdentifier, kind: kind, name: name, version: version, size: size,
            installedAt: installedAt, origin: origin, receiptIsDamaged: receiptIsDamaged, receiptFile: receiptFile)
    }

    public static func == (a: LibraryPack, b: LibraryPack) -> Bool {
        a === b
            || a.folder == b.folder && a.productIdentifier == b.productIdentifier && a.kind == b.kind
                && a.name == b.name && a.version == b.version && a.size == b.size && a.installedAt == b.installedAt
                && a.origin == b.origin && a.receiptIsDamaged == b.receiptIsDamaged
    }

    /// Equal values have the same directory, of which there is one in a library.
    public func hash(into hasher: inout Hasher) { hasher.combine(folder) }

    /// Returns whether this is the pack of the product with an identifier.
    ///
    /// For a pack whose receipt is damaged and was never read, the directory's name decides too.
    func isOf(_ productIdentifier: String) -> Bool {
        if self.productIdentifier == productIdentifier { return true }
        guard receiptIsDamaged, origin == nil, let dot = folder.lastIndex(of: ".") else { return false }
        return folder[..<dot] == PackDirectoryName(productIdentifier: productIdentifier).text
    }

    /// Creates the description of an unmanaged pack, one placed by hand, from its information file.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product that the information file names, or else the directory's `NAME`; also the
    ///     name of a pack without one.
    ///   - modifiedAt: when the pack's directory was last modified.
    ///   - receiptIsDamaged: whether the pack has a receipt, which can't be read and never was.
    convenience init(
        folder: String, productIdentifier: String, kind: ProductKind, information: PackInformation, size: Int,
        modifiedAt: Date, receiptIsDamaged: Bool
    ) {
        self.init(
            folder: folder, productIdentifier: productIdentifier, kind: kind,
            name: information.name ?? LocalizedText(productIdentifier), version: information.version, size: size,
            installedAt: modifiedAt, origin: nil, receiptIsDamaged: receiptIsDamaged)
    }
}
