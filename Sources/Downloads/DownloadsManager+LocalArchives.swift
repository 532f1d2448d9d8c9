import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A copy of an archive of this machine, which is the archive of one download.
public struct ArchiveCopy: Sendable {
    /// The operation of the download for which the copy was made.
    public let operation: OperationID
    /// The copy, which is open.
    public let file: OpenFile
}

extension DownloadsManager {
    /// Copies an archive of this machine to where a download finds its archive, and syncs the copy to the disk.
    ///
    /// The download has to be started with the operation of the copy; otherwise the copy has to be removed with
    /// ``discard(_:)``. The next start of the daemon removes one that no download has.
    ///
    /// - Parameter file: the archive, open for reading; its position does not matter. Another process may change it
    ///   meanwhile.
    /// - Throws: `space.download-limit` and `space.disk-full` before anything is written; `file.…`; `CancellationError`,
    ///   after which there is no copy.
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

    /// Removes a copy whose operation no download has.
    public func discard(_ copy: ArchiveCopy) async { await environment.steps.partials.remove(copy.operation) }
}
