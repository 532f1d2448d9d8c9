public import StoreModel
public import StoreOpenAPI

/// The JSON body of the request `POST /v1/sticker-imports`: the sticker packs of another program to import.
public struct StickerImportRequest: Sendable, Codable {
    /// The absolute path of a directory, a ZIP file, or the file that describes a pack, on this machine.
    public var file: String
    /// The name of the format; `nil` recognizes it.
    public var format: String?
    /// The key of an encrypted pack, or the link that contains it; `nil` if the pack is not encrypted.
    public var key: String?
    /// Whether only to report what would be imported; `nil` imports it.
    public var dryRun: Bool?

    /// Creates the request to import the packs in a file or directory.
    public init(file: String, format: String? = nil, key: String? = nil, dryRun: Bool? = nil) {
        self.file = file
        self.format = format
        self.key = key
        self.dryRun = dryRun
    }
}

/// The daemon's JSON response to `POST /v1/sticker-imports`: what was imported, and how each pack is installed.
public struct StickerImport: Sendable, Codable {
    /// What was taken from the source, what was left out, and why.
    public var report: ImportReport
    /// The installation of each pack, in the order of the report; empty for a request that only asked for the report.
    public var results: [InstallResult]

    /// Creates the response to an import.
    public init(report: ImportReport, results: [InstallResult]) {
        self.report = report
        self.results = results
    }
}

extension StickerImportRequest: SchemaProviding {
    public static let schemaName = "StickerImportRequest"
    public static let schema = Schema.request(
        "The sticker packs of another program to import.",
        [
            .required(
                "file", .nonEmptyText,
                "The absolute path of a directory, a ZIP file, or the file that describes a pack, on this machine. The open "
                    + "directory or ZIP file may come with the request, as for `POST /v1/downloads`."),
            .optional("format", .nonEmptyText.nullable, "The name of the format; recognized if absent."),
            .optional(
                "key", .nonEmptyText.nullable, "The key of an encrypted pack, or the link that contains it."),
            .optional("dryRun", .boolean.nullable, "Whether only to report what would be imported."),
        ])
}

extension StickerImport: SchemaProviding {
    public static let schemaName = "StickerImport"
    public static let schema = Schema.document(
        "What was imported, and how each pack is installed.",
        [
            .required("report", .reference(to: ImportReport.self)),
            .required(
                "results", .array(of: InstallResult.self),
                "One for each pack of the report, in the same order; empty for a request that only asked for the report."
            ),
        ])
}

extension ImportReport: SchemaProviding {
    public static let schemaName = "ImportReport"
    public static let schema = Schema.document(
        "What an import took, converted and left out, and why.",
        [
            .required("format", .nonEmptyText, "The format that the packs were read in, such as `whatsapp`."),
            .required("packs", .array(of: ImportReport.Pack.self), "Most formats hold one pack."),
        ])
}

extension ImportReport.Pack: SchemaProviding {
    public static let schemaName = "ImportedPack"
    public static let schema = Schema.document(
        "One pack that was found in a source.",
        [
            .required(
                "productIdentifier", .nonEmptyText,
                "`import.FORMAT.SOURCE-ID`, the same each time the source is imported; no store can offer it."),
            .required("name", .localizedText, Schema.localizedNote("The pack's name.")),
            .required("publisher", .text.nullable),
            .required("license", .text.nullable, "As the source names it."),
            .required("website", .text.nullable, "The page of the pack or its author."),
            .required("count", .count, "The number of stickers that the imported pack has."),
            .required("files", .array(of: ImportReport.File.self), "Each image of the source, in order."),
            .required(
                "notes", .array(of: .text),
                "What was odd about the source, and what the pack can't hold; text for people."),
        ])
}

extension ImportReport.File: SchemaProviding {
    public static let schemaName = "ImportedFile"
    public static let schema = Schema.document(
        "One image of a source, and what became of it.",
        [
            .required("source", .text, "The path in the source, or a description of the place."),
            .required("outcome", .enumeration(of: ImportReport.Outcome.self)),
            .required("file", .text.nullable, "The path in the pack; `null` if the image was left out."),
            .required(
                "reason", .text.nullable, "Why the image was left out, or how it was converted; text for people."),
        ])
}
