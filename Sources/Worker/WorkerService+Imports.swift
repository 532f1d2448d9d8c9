public import StoreModel
public import StoreSystem

extension WorkerService {
    /// Has a worker import the sticker packs of another program, or report on them.
    ///
    /// - Parameters:
    ///   - directory: the directory to import; `nil` for a ZIP file.
    ///   - archive: the ZIP file to import; `nil` for a directory.
    ///   - output: an empty file for the archive of the task's pack, if the task names one.
    /// - Returns: the report, in which the identifiers are valid; `nil` if the task has to be done in this process.
    /// - Throws: the error that the worker reports; `worker.crashed`, `worker.timeout`, `worker.memory`;
    ///   `worker.unavailable`; `CancellationError`.
    public func importPacks(
        _ task: ImportTask, directory: Directory?, archive: OpenFile?, output: OpenFile?,
        cancellation: CancellationFlag
    ) throws -> ImportReport? {
        guard try usesWorker() else { return nil }
        let files = WorkerFiles(
            directories: directory.map { [$0] } ?? [], archives: archive.map { [$0] } ?? [], output: output)
        let report = try run(.importPacks(task), files, cancellation)
        guard case .imported(let imported) = report, imported.isWellFormed else {
            try report.requireDone(archive)
            throw StoreError(.workerCrashed, ["reason": "its report is malformed"])
        }
        return imported
    }
}

extension ImportReport {
    /// Whether a worker may report this: it names only imported packs, with possible numbers of stickers.
    var isWellFormed: Bool {
        let prefix = ImportedIdentifier.prefix + format + "."
        return packs.allSatisfy { pack in
            pack.productIdentifier.hasPrefix(prefix) && pack.count >= 0 && pack.count <= pack.files.count
                && pack.productIdentifier.utf8.count <= 255
        }
    }
}
