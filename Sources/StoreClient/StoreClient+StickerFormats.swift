public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Formats of other programs

    /// Returns the formats of other programs in which sticker packs are imported and exported.
    public func stickerFormats() async throws -> StickerFormatList { try await get(Resource("sticker-formats")) }

    /// Imports the sticker packs of another program from a file or directory of this machine, and begins to install them.
    ///
    /// A ZIP file or directory is opened here and passed to the daemon open, so that the daemon needs no access to the path.
    ///
    /// - Parameters:
    ///   - path: the absolute path of a ZIP file, of a directory, or of the file that describes a pack, whose directory the
    ///     daemon must be able to read.
    ///   - format: the name of the format; `nil` recognizes it.
    ///   - key: the key of an encrypted pack, or the link that contains it.
    ///   - isDryRun: whether only to report what would be imported.
    public func importStickers(
        _ path: String, format: String? = nil, key: String? = nil, isDryRun: Bool = false
    ) async throws -> StickerImport {
        try await ask(
            "POST", Resource("sticker-imports"),
            body: StickerImportRequest(file: path, format: format, key: key, dryRun: isDryRun),
            files: try await Self.opened([path]))
    }

    /// Exports an installed sticker pack into a directory in the format of another program.
    ///
    /// - Parameter directory: an absolute path; the directory is created where it is missing.
    public func exportStickers(
        _ productIdentifier: String, as format: String, into directory: String
    ) async throws -> ExportReport {
        try await ask(
            "POST", Resource("sticker-exports"),
            body: StickerExportRequest(productIdentifier: productIdentifier, format: format, directory: directory))
    }

    /// Returns the directories in which all installed sticker packs are kept in step.
    public func exportTargets() async throws -> [ExportTarget] {
        try await get(Resource("sticker-targets"), as: ExportTargetList.self).targets
    }

    /// Exports all installed sticker packs into a directory, and keeps them in step from now on.
    public func addExportTarget(_ target: ExportTarget) async throws -> [ExportReport] {
        let list: ExportReportList = try await ask("POST", Resource("sticker-targets"), body: target)
        return list.reports
    }

    /// Keeps the installed sticker packs in a directory in step no longer.
    ///
    /// - Parameter removingFiles: whether to remove what was exported there, too.
    public func removeExportTarget(_ target: ExportTarget, removingFiles: Bool = false) async throws -> [ExportReport] {
        let resource = Resource("sticker-targets").with("format", target.format).with("directory", target.directory)
            .with("removeFiles", removingFiles ? "true" : nil)
        let list: ExportReportList = try await ask("DELETE", resource)
        return list.reports
    }
}
