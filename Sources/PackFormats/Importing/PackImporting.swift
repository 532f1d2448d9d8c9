public import StoreModel

/// A reader of the sticker packs of another program.
///
/// A new format is one file with a type that conforms to this protocol, and one line in ``PackFormats/importers``. An
/// importer reads descriptions only; ``PackImporter`` checks the images and writes the pack.
public protocol PackImporting: Sendable {
    /// The name of the format in commands and identifiers, such as `whatsapp`: lower-case letters and digits.
    var format: String { get }

    /// A description of the format for lists, such as `WhatsApp (contents.json)`.
    var title: String { get }

    /// Returns whether the source looks like this format, by the names of its files and the beginning of one of them.
    func recognizes(_ source: ImportSource) -> Bool

    /// Reads the descriptions of the packs in a source.
    ///
    /// - Parameter key: the key of an encrypted pack, or the link that contains it; `nil` if the user gave none.
    /// - Throws: `import.malformed` if the description can't be read; `import.key-needed`; another `StoreError` if a
    ///   file can't be read.
    func packs(in source: ImportSource, key: String?) throws -> [PackDraft]
}

/// The formats of other programs that can be imported and exported.
public enum PackFormats {
    /// The importers in the order in which they are tried; the one for any images is last.
    public static let importers: [any PackImporting] = [
        WhatsAppFormat(), WAStickersFormat(), SignalFormat(), LineFormat(), JISPFormat(), MovimFormat(), PidginFormat(),
        KDEFormat(), MatrixFormat(), XMPPFormat(), MisskeyFormat(), PleromaFormat(), DiscordFormat(), TelegramFormat(),
        ImagesFormat(),
    ]

    /// The exporters, in alphabetical order of their formats.
    public static let exporters: [any PackExporting] = [
        DeltaChatFormat(), JISPFormat(), KDEFormat(), MatrixFormat(), PidginFormat(), WAStickersFormat(),
    ]

    /// Returns whether a source is in the format of another program, or an archive that has only images.
    public static func isForeign(_ source: ImportSource) -> Bool {
        // Determined once: it takes reading the whole description.
        guard !source.isOwnPack else { return false }
        return importers.contains { importer in
            if importer is ImagesFormat, !source.isArchive { return false }
            return importer.recognizes(source)
        }
    }

    /// Checks that packs of a format can be imported.
    ///
    /// - Throws: `import.format-unknown`.
    public static func requireImporter(of format: String) throws(StoreError) { _ = try importer(of: format) }

    private static func importer(of format: String) throws(StoreError) -> any PackImporting {
        guard let importer = importers.first(where: { $0.format == format }) else {
            throw StoreError(
                .importFormatUnknown, ["format": .untrusted(format), "formats": .list(importers.map(\.format))])
        }
        return importer
    }

    /// Returns the importer of a format, or the first that recognizes the source.
    ///
    /// - Throws: `import.format-unknown`.
    static func importer(of format: String?, for source: ImportSource) throws(StoreError) -> any PackImporting {
        if let format { return try importer(of: format) }
        if source.isOwnPack {
            throw StoreError(.importOwnPack, ["name": .untrusted(source.name)])
        }
        guard let importer = importers.first(where: { $0.recognizes(source) }) else {
            throw StoreError(.importNotRecognized, ["name": .untrusted(source.name)])
        }
        return importer
    }

    /// Returns the exporter of a format.
    ///
    /// - Throws: `export.format-unknown`.
    public static func exporter(of format: String) throws(StoreError) -> any PackExporting {
        guard let exporter = exporters.first(where: { $0.format == format }) else {
            throw StoreError(
                .exportFormatUnknown, ["format": .untrusted(format), "formats": .list(exporters.map(\.format))])
        }
        return exporter
    }
}
