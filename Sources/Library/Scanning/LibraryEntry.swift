import StoreModel
public import StoreSystem

/// An entry of the library: a pack as it was read from the disk, with the identity of its receipt file.
///
/// The receipt is the file that describes an installed pack. Two entries are equal if their packs and these identities are.
public struct LibraryEntry: Sendable, Hashable {
    /// The description of the pack as it was read from the disk.
    public let pack: LibraryPack
    /// The identity (inode, size, time) of the pack's receipt file; `nil` for a pack without a valid receipt.
    ///
    /// A pack without a valid receipt is read anew each time. The identity is stored in the pack's object, because a dictionary of
    /// entries also has unused places, each as large as an entry.
    public var receiptFile: FileIdentity? { pack.receiptFile }

    /// Creates an entry of the library.
    public init(_ pack: LibraryPack) { self.pack = pack }

    /// Creates the library's entry for a pack that was just committed.
    ///
    /// It can't fail, because the commit is done: if the status of the receipt can't be read now, the receipt is read
    /// again the next time.
    ///
    /// - Parameter pack: the open directory of the pack, whatever its name is now.
    init(placed folder: String, receipt: Receipt, in pack: Directory) {
        let status = try? pack.status(of: Receipt.fileName)
        self.init(
            LibraryPack(folder: folder, receipt: receipt, receiptFile: status.map(FileIdentity.init(receipt:))))
    }

    public static func == (one: LibraryEntry, other: LibraryEntry) -> Bool {
        one.pack == other.pack && one.receiptFile == other.receiptFile
    }

    /// Returns the entry with another value of ``LibraryPack/receiptIsDamaged``.
    func with(receiptIsDamaged: Bool) -> LibraryEntry {
        LibraryEntry(pack.with(receiptIsDamaged: receiptIsDamaged))
    }

    /// Returns whether a receipt is still the same file from which this entry was read.
    ///
    /// - Parameter status: the status of the receipt of the same directory now; `nil` if there is none.
    func isRead(from status: FileStatus?) -> Bool {
        guard let receiptFile, let status, status.kind == .file else { return false }
        return FileIdentity(receipt: status) == receiptFile
    }
}

extension FileIdentity {
    /// Creates the identity of a pack's receipt file as the database's index of packs stores it.
    ///
    /// It contains the modification time, and not the device.
    init(receipt status: FileStatus) { self.init(status, by: .modification, isStored: true) }
}
