public import StoreModel
public import StoreSystem
public import StoreWorker

extension ImportTask {
    /// Does the task in this process.
    ///
    /// - Parameters:
    ///   - content: the open source.
    ///   - output: an empty file for the archive of the task's pack, if the task names one.
    /// - Throws: `import.…`; `archive.…` for an invalid ZIP file; a file error; `CancellationError`.
    public func run(
        on content: OpenImportSource.Content, output: OpenFile?, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> ImportReport {
        let source = try ImportSource(
            OpenImportSource(name: name, chosenFile: chosenFile, content: content), limits: archives)
        let importer = PackImporter(images: images)
        guard let pack, let output else {
            return try importer.run(source, format: format, key: key, cancellation: cancellation) { _ in nil }
        }
        return try importer.write(
            pack: pack, of: source, format: format, key: key, limits: archives, into: output, cancellation: cancellation
        )
    }
}
