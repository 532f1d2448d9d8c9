import StoreModel
import StoreSystem
import StoreTransfers

/// A directory of partially fetched archives, with a few files for each operation.
///
/// An operation's whole archive is `OPERATION.part`, beside `OPERATION.ranges` while bytes in the middle are missing;
/// parts of an archive are in `OPERATION.parts`.
struct PartialDirectory: Sendable {
    let directory: Directory
    private let blockingWork = BlockingWork(label: "downloads.partial", concurrent: true)

    init(_ directory: Directory) { self.directory = directory }

    /// Returns the name of the file for an operation's whole archive, complete or not.
    static func archiveName(_ operation: OperationID) -> String { operation.rawValue + ".part" }

    private static func rangesName(_ operation: OperationID) -> String { operation.rawValue + ".ranges" }

    private static func partsName(_ operation: OperationID) -> String { operation.rawValue + ".parts" }

    /// Opens the file for an operation's whole archive, with the bytes of earlier attempts if they can be verified.
    ///
    /// The file is created if it is missing. Without a hash nothing shows that the bytes on disk belong to the file
    /// that the server has now, and they are discarded.
    ///
    /// - Parameter isVerifiable: whether the archive's hash is known.
    /// - Throws: `StoreError` if the disk refuses; `CancellationError`.
    func openArchive(_ operation: OperationID, isVerifiable: Bool) async throws -> PartialFile {
        let name = Self.archiveName(operation)
        return try await blockingWork.runCancellable { [directory] cancellation in
            let file = try directory.openOrCreateFile(name)
            let record = PartialFileRecord(in: directory, Self.rangesName(operation))
            if isVerifiable { return try PartialFile.resuming(file, record: record, cancellation: cancellation) }
            let fresh = PartialFile(file, record: record)
            try fresh.restart()
            return fresh
        }
    }

    /// Creates an empty file for parts of the archive that an operation fetches, in place of an existing one.
    func createPartsFile(_ operation: OperationID) async throws -> OpenFile {
        let name = Self.partsName(operation)
        return try await blockingWork.run { [directory] in
            try directory.removeTree(name)
            return try directory.createFile(name, mode: 0o600)
        }
    }

    /// Removes the partially fetched archive of an operation; does nothing if there is none, or the disk refuses.
    func remove(_ operation: OperationID) async {
        let names = [Self.archiveName(operation), Self.rangesName(operation), Self.partsName(operation)]
        try? await blockingWork.run { [directory] in for name in names { try directory.removeTree(name) } }
    }

    /// Removes all partially fetched archives except the whole archives of some operations.
    ///
    /// Parts of archives are small and are fetched again.
    func removeAll(except operations: Set<OperationID>) async {
        let kept = Set(operations.flatMap { [Self.archiveName($0), Self.rangesName($0)] })
        try? await blockingWork.run { [directory] in
            for entry in try directory.entries() where !kept.contains(entry.name) {
                try directory.removeTree(entry.name)
            }
        }
    }
}
