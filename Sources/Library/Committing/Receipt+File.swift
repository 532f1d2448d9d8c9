import FoundationEssentials
import StoreModel
import StoreSystem

extension Receipt {
    /// The largest receipt in bytes; that of 100,000 files has about 15 MB.
    static let sizeLimit = 64 << 20

    /// The largest sum of all files in bytes: more than a disk holds, and small enough to be added up without overflow.
    private static let packSizeLimit = 1 << 50

    /// Reads the receipt in a pack's directory.
    ///
    /// - Throws: `StoreError` or the parser's error, `pack.newer`, `pack.damaged-receipt` where the sizes are impossible.
    static func read(from pack: Directory) throws -> Receipt {
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

    /// Reads the receipt of an installed pack.
    ///
    /// - Throws: `pack.newer`; `pack.damaged-receipt`; `StoreError` for a transient failure, which says nothing about the
    ///   receipt.
    static func ofInstalled(_ productIdentifier: String, in pack: Directory) throws -> Receipt {
        do {
            return try read(from: pack)
        } catch let error as StoreError where error.code == .packNewer {
            throw error
        } catch {
            if let error = error as? StoreError, error.isPassing { throw error }
            throw StoreError(.receiptUnreadable, ["product": productIdentifier])
        }
    }

    /// Reads the receipt of the pack `name` in a directory; returns `nil` where there is none that can be read.
    ///
    /// - Throws: `StoreError` for a transient failure, so that the pack is not taken for a missing one.
    static func find(_ name: String, in folder: Directory) throws -> (receipt: Receipt, pack: Directory)? {
        do {
            let pack = try folder.openDirectory(name)
            return (try read(from: pack), pack)
        } catch {
            if let error = error as? StoreError, error.isPassing { throw error }
            return nil
        }
    }

    /// Replaces the receipt of a pack by this one, in one step.
    ///
    /// It is written in staging first, so that a crash leaves no temporary file in the pack.
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
