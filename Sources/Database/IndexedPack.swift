public import FoundationEssentials
public import StoreModel

/// What the index keeps of one pack's folder, so that a start need not open every receipt: while the receipt file is
/// the one that was seen (``receiptFile``), the copy of it kept here holds.
public struct IndexedPack: Sendable, Hashable {
    /// The folder's name, with its extension, in the folder of packs.
    public var folder: String
    public var kind: ProductKind
    public var productIdentifier: String
    /// The content of the receipt file.
    public var receipt: Data
    /// Bytes of the pack's files, without the receipt.
    public var size: Int
    public var receiptFile: FileMark

    public init(
        folder: String, kind: ProductKind, productIdentifier: String, receipt: Data, size: Int, receiptFile: FileMark
    ) {
        self.folder = folder
        self.kind = kind
        self.productIdentifier = productIdentifier
        self.receipt = receipt
        self.size = size
        self.receiptFile = receiptFile
    }

    /// By what a file is recognised that has not changed: two that are equal are the same file with the same content.
    public struct FileMark: Sendable, Hashable {
        public var inode: UInt64
        public var modifiedAt: Date

        public init(inode: UInt64, modifiedAt: Date) {
            self.inode = inode
            self.modifiedAt = modifiedAt
        }
    }
}
