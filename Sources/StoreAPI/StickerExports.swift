public import StoreModel
public import StoreOpenAPI

/// The JSON body of the request `POST /v1/sticker-exports`: the sticker pack to export, and where.
public struct StickerExportRequest: Sendable, Codable {
    public var productIdentifier: String
    /// The name of the format, such as `deltachat`.
    public var format: String
    /// The absolute path of the directory; it is created where it is missing.
    public var directory: String

    /// Creates the request to export an installed sticker pack.
    public init(productIdentifier: String, format: String, directory: String) {
        self.productIdentifier = productIdentifier
        self.format = format
        self.directory = directory
    }
}

/// The daemon's JSON response to `GET /v1/sticker-targets`: the directories that exports are kept in.
public struct ExportTargetList: Sendable, Codable {
    public var targets: [ExportTarget]
    /// Creates the response with the directories that exports are kept in.
    public init(targets: [ExportTarget]) { self.targets = targets }
}

/// The daemon's JSON response to a request that adds or removes a directory that exports are kept in.
public struct ExportReportList: Sendable, Codable {
    /// What was written or removed, for each pack.
    public var reports: [ExportReport]
    /// Creates the response with what was written or removed.
    public init(reports: [ExportReport]) { self.reports = reports }
}

/// The daemon's JSON response to `GET /v1/sticker-formats`: the formats of other programs.
public struct StickerFormatList: Sendable, Codable {
    /// A format of sticker packs, with its name in requests.
    public struct Format: Sendable, Codable {
        public var format: String
        /// A description of the format for people.
        public var title: String
        /// Creates the description of a format.
        public init(format: String, title: String) {
            self.format = format
            self.title = title
        }
    }

    /// The formats that can be imported.
    public var imports: [Format]
    /// The formats that packs can be exported to.
    public var exports: [Format]

    /// Creates the response with the formats of other programs.
    public init(imports: [Format], exports: [Format]) {
        self.imports = imports
        self.exports = exports
    }
}

extension StickerExportRequest: SchemaProviding {
    public static let schemaName = "StickerExportRequest"
    public static let schema = Schema.request(
        "The sticker pack to export, and where.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("format", .nonEmptyText, "The name of the format, such as `deltachat`."),
            .required("directory", .nonEmptyText, "An absolute path; the directory is created where it is missing."),
        ])
}

extension ExportTarget: SchemaProviding {
    public static let schemaName = "ExportTarget"
    public static let schema = Schema.request(
        "A directory in which all installed sticker packs are kept in step.",
        [
            .required("format", .nonEmptyText, "The name of the format, such as `deltachat`."),
            .required("directory", .nonEmptyText, "An absolute path."),
        ])
}

extension ExportTargetList: SchemaProviding {
    public static let schemaName = "ExportTargetList"
    public static let schema = Schema.document(
        "The directories in which all installed sticker packs are kept in step.",
        [.required("targets", .array(of: ExportTarget.self))])
}

extension ExportReportList: SchemaProviding {
    public static let schemaName = "ExportReportList"
    public static let schema = Schema.document(
        "What was written or removed, for each pack.", [.required("reports", .array(of: ExportReport.self))])
}

extension ExportReport: SchemaProviding {
    public static let schemaName = "ExportReport"
    public static let schema = Schema.document(
        "What an export wrote, and what it left alone.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("format", .nonEmptyText),
            .required("directory", .nonEmptyText),
            .required("files", .array(of: .text), "The pack's files in the directory."),
            .required("written", .count, "The number of files that were written; the others were there already."),
            .required("removed", .array(of: .text), "Files that the pack has no longer."),
            .required("kept", .array(of: .text), "Files that others made or changed, and that were left alone."),
            .required(
                "leftOut", .array(of: ImportReport.File.self), "The stickers that the format can't hold, and why."),
            .required("notes", .array(of: .text), "What of the pack the format can't hold; text for people."),
        ])
}

extension StickerFormatList: SchemaProviding {
    public static let schemaName = "StickerFormatList"
    public static let schema = Schema.document(
        "The formats of other programs.",
        [
            .required("imports", .array(of: Format.self), "The formats that can be imported."),
            .required("exports", .array(of: Format.self), "The formats that packs can be exported to."),
        ])
}

extension StickerFormatList.Format: SchemaProviding {
    public static let schemaName = "StickerFormat"
    public static let schema = Schema.document(
        "A format of sticker packs.",
        [
            .required("format", .nonEmptyText, "Its name in requests."),
            .required("title", .nonEmptyText, "A description for people."),
        ])
}
