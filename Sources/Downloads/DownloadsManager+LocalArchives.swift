import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A copy of a local archive file, which becomes the archive of one download.
public struct ArchiveCopy: Sendable {
    /// The operation of the download for which the copy was made.
    public let operation: OperationID
    /// The copy, which is open.
    public let file: OpenFile
}

extension DownloadsManager {
    /// Copies a local archive file to where a download finds its archive, and syncs the copy to the disk.
    ///
    /// The caller starts the download with the operation of the copy, or else removes the copy with ``discard(_:)``. A
    /// copy whose operation has no download is removed at the daemon's next start.
    ///
    /// - Parameter file: the archive, open for reading; its position does not matter. Another process may change it
    ///   meanwhile.
    /// - Throws: `space.download-limit` and `space.disk-full` before anything is written; `space.disk-full`,
    ///   `file.denied`, `file.failed` or another error of a file; `CancellationError`. After an error there is no copy.
    public func copyArchive(_ file: OpenFile) async throws -> ArchiveCopy {
        // Until then, the archives without a download are removed.
        await resumptionEnded()
        let operation = OperationID(at: clock.date())
        do {
            return ArchiveCopy(
                operation: operation,
                file: try await environment.steps.copyArchive(
                    file, for: operation, limit: environment.settings.archiveSize))
        } catch {
            await environment.steps.partials.remove(operation)
            throw error
        }
    }

    /// Removes a copy whose operation has no download.
    public func discard(_ copy: ArchiveCopy) async { await environment.steps.partials.remove(copy.operation) }
}
