import FoundationEssentials
package import StoreModel
package import StoreSystem

extension Receipt {
    /// The maximum size in bytes of a pack's receipt, the file that describes it; 100,000 files take about 15 MB.
    static let sizeLimit = 64 << 20

    /// The maximum total size in bytes of the files that a pack's receipt lists.
    ///
    /// It is more than a disk holds, and safe to add up without overflow.
    private static let packSizeLimit = 1 << 50

    /// Reads the receipt, the file that describes a pack, in the pack's directory.
    ///
    /// - Throws: `StoreError` if the file is missing or can't be read; the parser's error if it is malformed;
    ///   `pack.newer` if its format is unknown; `pack.damaged-receipt` if its sizes are impossible.
    package static func read(from pack: Directory) throws -> Receipt {
        let receipt = try JSON.decode(Receipt.self, from: try pack.read(fileName, limit: sizeLimit))
        guard receipt.format == 1 else {
            throw StoreError(.receiptTooNew, ["path": .path(pack.path), "format": receipt.format])
        }
        var room = packSizeLimit
        for file in receipt.files {
            guard (0...room).contains(file.size) else {
                throw StoreError(.receiptSizes, ["path": .path(pack.path)])
            }
            room -= file.size
        }
        return receipt
    }

    /// Reads the receipt of an installed pack, which must have a valid one.
    ///
    /// - Throws: `pack.newer`; `pack.damaged-receipt` if the receipt is missing or can't be read; `StoreError` for a
    ///   lack of memory or file descriptors, or an error of the disk, which say nothing about the receipt.
    static func ofInstalled(_ productIdentifier: String, in pack: Directory) throws -> Receipt {
        do {
            return try read(from: pack)
        } catch let error as StoreError where error.code == .packNewer {
            throw error
        } catch {
            if let error = error as? StoreError, error.isInconclusive { throw error }
            throw StoreError(.receiptUnreadable, ["product": productIdentifier])
        }
    }

    /// Opens the pack `name` in a directory and reads its receipt; `nil` if there is no pack with a valid one.
    ///
    /// - Throws: `StoreError` for a lack of memory or file descriptors, or an error of the disk, so that the pack is not
    ///   taken for a missing one.
    static func find(_ name: String, in folder: Directory) throws -> (receipt: Receipt, pack: Directory)? {
        do {
            let pack = try folder.openDirectory(name)
            return (try read(from: pack), pack)
        } catch {
            if let error = error as? StoreError, error.isInconclusive { throw error }
            return nil
        }
    }

    /// Replaces the receipt (the file that describes a pack) in a pack's directory with this one, in one atomic step.
    ///
    /// The new receipt is written in staging first, so that a crash leaves no temporary file in the pack. It is on the
    /// disk when the method returns.
    func replace(in pack: Directory, through staging: Directory) throws {
        let temporary = OperationID().rawValue + ".receipt"
        let file = try staging.createFile(temporary, mode: 0o644)
        do {
            try file.write(try JSON.encode(self))
            try file.sync()
            try staging.rename(temporary, to: pack, as: Receipt.fileName, replacing: true)
        } catch {
            try? staging.remove(temporary)
            throw error
        }
        try pack.sync()
    }
}
