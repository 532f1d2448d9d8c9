import StoreModel
public import StoreSystem

/// A pack as the library read it, with the identity of the receipt file that it was read from.
public struct LibraryEntry: Sendable, Hashable {
    /// The pack as it was read.
    public var pack: LibraryPack
    /// The identity of the receipt file; `nil` for a pack without a valid receipt, which is read anew each time.
    public var receiptFile: FileIdentity?

    /// Creates an entry from values that the pack index holds.
    public init(pack: LibraryPack, receiptFile: FileIdentity?) {
        self.pack = pack
        self.receiptFile = receiptFile
    }

    /// Creates the entry of a pack that was just committed.
    ///
    /// It can't fail, because the commit is done: where the status of the receipt can't be read now, the receipt is
    /// read again the next time.
    init(placed folder: String, receipt: Receipt, in packs: Directory) {
        let status = try? packs.status(of: folder + "/" + Receipt.fileName)
        self.init(
            pack: LibraryPack(folder: folder, receipt: receipt),
            receiptFile: status.map(FileIdentity.init(receipt:)))
    }
}

extension FileIdentity {
    /// Creates the identity of a receipt file in a form that the pack index stores: by modification time, without the
    /// device.
    init(receipt status: FileStatus) { self.init(status, by: .modification, isStored: true) }
}
