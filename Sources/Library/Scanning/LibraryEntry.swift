import StoreModel
public import StoreSystem

/// A pack with the identity of its receipt file when that was read.
public struct LibraryEntry: Sendable, Hashable {
    /// The pack.
    public var pack: LibraryPack
    /// The identity of the receipt file; `nil` for an unmanaged pack, which is read anew each time.
    public var receiptFile: FileIdentity?

    /// Creates an entry, as the pack index holds it.
    public init(pack: LibraryPack, receiptFile: FileIdentity?) {
        self.pack = pack
        self.receiptFile = receiptFile
    }

    /// Creates the entry of a pack that was just committed.
    ///
    /// It can't fail, because the commit is done: a receipt whose status can't be read now is read again the next time.
    init(placed folder: String, receipt: Receipt, in packs: Directory) {
        let status = try? packs.status(of: folder + "/" + Receipt.fileName)
        self.init(
            pack: LibraryPack(folder: folder, receipt: receipt),
            receiptFile: status.map(FileIdentity.init(receipt:)))
    }
}

extension FileIdentity {
    /// Creates the identity of a receipt file, which is stored in the pack index.
    init(receipt status: FileStatus) { self.init(status, by: .modification, isStored: true) }
}
