/// What an export of a sticker pack wrote into the directory of another program, and what it left alone.
public struct ExportReport: Sendable, Hashable, Codable {
    public var productIdentifier: String
    public var format: String
    /// The absolute path of the directory that the pack was exported to.
    public var directory: String
    /// The paths of the pack's files in the directory, sorted.
    public var files: [String]
    /// The number of files that were written; the others were there already.
    public var written: Int
    /// The paths of files that were removed, because the pack has them no longer; sorted.
    public var removed: [String]
    /// The paths of files that were not written or removed, because another program made or changed them; sorted.
    public var kept: [String]
    /// The stickers that the format can't hold, and why.
    public var leftOut: [ImportReport.File]
    /// What of the pack the format can't hold; text for people.
    public var notes: [String]

    /// Creates a report about an export.
    public init(
        productIdentifier: String, format: String, directory: String, files: [String] = [], written: Int = 0,
        removed: [String] = [], kept: [String] = [], leftOut: [ImportReport.File] = [], notes: [String] = []
    ) {
        self.productIdentifier = productIdentifier
        self.format = format
        self.directory = directory
        self.files = files
        self.written = written
        self.removed = removed
        self.kept = kept
        self.leftOut = leftOut
        self.notes = notes
    }
}
