import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes `/v1/sticker-…`: import and export of sticker packs in the formats of other programs.
    ///
    /// - Parameter operations: receives the operations that are begun.
    mutating func addStickerFormats(_ manager: StoreManager, _ operations: BegunOperations) {
        get(
            "/v1/sticker-formats",
            Endpoint(
                "stickerFormats", "The formats of other programs in which sticker packs are imported and exported.",
                .ok(StickerFormatList.self, "The formats."))
        ) { request in
            try request.response(
                StickerFormatList(
                    imports: PackImports.formats.map { .init(format: $0.format, title: $0.title) },
                    exports: PackExports.formats.map { .init(format: $0.format, title: $0.title) }))
        }
        on(
            .post, "/v1/sticker-imports",
            Endpoint(
                "importStickers",
                "Imports the sticker packs of another program from files of this machine, and begins to install them as if "
                    + "from an unsigned store. The same source again is an update.",
                body: StickerImportRequest.self,
                .ok(example: StickerImport(report: .example, results: []), "The report, if nothing was begun."),
                .accepted(StickerImport.self, "The report, and the installation of each pack."),
                errors: [
                    .importNotRecognized, .importFormatUnknown, .importMalformed, .importKey, .importRestricted,
                    .importTooLarge, .fileUnusable, .noSpace,
                ]
            ).with(.viewer)
        ) { request in
            let body = try await request.body(StickerImportRequest.self)
            let opened = try request.files().first
            let imported = try await request.cancelledOnClose {
                try await manager.imports.run(
                    body.file, opened: opened, format: body.format, key: body.key, isDryRun: body.dryRun ?? false)
            }
            let results = zip(imported.report.packs, imported.installations).map { pack, installation in
                InstallResult(productIdentifier: pack.productIdentifier, installation)
            }
            for result in results { operations.insert(result.installation?.operation, viewer: request.viewer) }
            let hasBegun = results.contains { $0.installation?.download != nil }
            return try .json(
                StickerImport(report: imported.report, results: results), status: hasBegun ? .accepted : .ok)
        }
        on(
            .post, "/v1/sticker-exports",
            Endpoint(
                "exportStickers",
                "Exports an installed sticker pack into a directory in the format of another program, or brings what was "
                    + "exported there before up to date. Files that others made or changed are left alone.",
                body: StickerExportRequest.self, .ok(ExportReport.self, "What was written."),
                errors: [.packMissing, .exportFormatUnknown, .exportDirectory, .noSpace])
        ) { request in
            let body = try await request.body(StickerExportRequest.self)
            return try await .json(
                request.cancelledOnClose {
                    try await manager.exports.export(
                        body.productIdentifier, as: body.format, into: body.directory)
                })
        }
        addExportTargets(manager)
    }

    /// Adds the HTTP route `/v1/sticker-targets`: the directories in which exports are kept in step.
    private mutating func addExportTargets(_ manager: StoreManager) {
        get(
            "/v1/sticker-targets",
            Endpoint(
                "exportTargets", "The directories in which all installed sticker packs are kept in step.",
                .ok(ExportTargetList.self, "The directories."), errors: [.exportDirectory])
        ) { request in
            try request.response(ExportTargetList(targets: await manager.exports.targets()))
        }
        on(
            .post, "/v1/sticker-targets",
            Endpoint(
                "addExportTarget",
                "Exports all installed sticker packs into a directory, and keeps them in step from now on.",
                body: ExportTarget.self, .ok(ExportReportList.self, "What was written."),
                errors: [.exportFormatUnknown, .exportDirectory, .noSpace])
        ) { request in
            try .json(ExportReportList(reports: await manager.exports.add(request.body(ExportTarget.self))))
        }
        on(
            .delete, "/v1/sticker-targets",
            Endpoint(
                "removeExportTarget", "Keeps the installed sticker packs in a directory in step no longer.",
                [
                    .requiredQuery(
                        "format", .nonEmptyText, "The name of the format.",
                        example: .string(ExportTarget.example.format)),
                    .requiredQuery(
                        "directory", .nonEmptyText, "The absolute path.",
                        example: .string(ExportTarget.example.directory)),
                    .query("removeFiles", .boolean, "Whether to remove what was exported there, too."),
                ],
                .ok(ExportReportList.self, "What was removed."), errors: [.exportDirectory])
        ) { request in
            let target = ExportTarget(
                format: request.query("format") ?? "", directory: request.query("directory") ?? "")
            return try .json(
                ExportReportList(
                    reports: await manager.exports.remove(target, removingFiles: request.flag("removeFiles"))))
        }
    }
}
