import FoundationEssentials
import StoreModel
import StoreSystem

extension Receipt {
    /// In bytes; a pack of 100,000 files has one of about 15 MB.
    static let sizeLimit = 64 << 20

    /// Of all files together, in bytes: far more than a disk holds, and little enough to add up.
    private static let packSizeLimit = 1 << 50

    /// The receipt of a pack's folder.
    ///
    /// - Throws: what the disk or the parser says, `pack.newer`, `pack.damaged-receipt` where it is not as this program
    ///   writes one.
    static func read(from pack: Directory) throws -> Receipt {
        let receipt = try JSON.decode(Receipt.self, from: try pack.read(fileName, limit: sizeLimit))
        guard receipt.format == 1 else {
            throw LibraryError(
                .packNewer,
                "'\(pack.path)' has a receipt of format \(receipt.format), which a newer version of this program made. "
                    + "Upgrade.")
        }
        var room = packSizeLimit
        for file in receipt.files {
            guard (0...room).contains(file.size) else {
                throw LibraryError(.receiptDamaged, "'\(pack.path)' has a receipt with impossible sizes.")
            }
            room -= file.size
        }
        return receipt
    }

    /// The receipt of a pack that was installed.
    ///
    /// - Throws: `pack.newer`; `pack.damaged-receipt`, with what to do; what the system says where that has a passing
    ///   reason, which tells nothing of the receipt.
    static func ofInstalled(_ productIdentifier: String, in pack: Directory) throws -> Receipt {
        do {
            return try read(from: pack)
        } catch let error as LibraryError where error.code == .packNewer {
            throw error
        } catch {
            if let error = error as? FileError, error.isPassing { throw error }
            throw LibraryError(
                .receiptDamaged,
                "The receipt of '\(productIdentifier)' is damaged. "
                    + "Put it right with 'storectl verify --repair \(productIdentifier)'.")
        }
    }

    /// The receipt of the pack that lies as `name` in a folder; `nil` where there is none that can be read.
    ///
    /// - Throws: where that has a passing reason, so that nobody takes the pack for one that is not there.
    static func find(_ name: String, in folder: Directory) throws -> (receipt: Receipt, pack: Directory)? {
        do {
            let pack = try folder.openDirectory(name)
            return (try read(from: pack), pack)
        } catch {
            if let error = error as? FileError, error.isPassing { throw error }
            return nil
        }
    }

    /// Puts this receipt in the place of a pack's own, in one step. It is written in staging first, so that a crash
    /// leaves nothing in the pack that does not belong there.
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
