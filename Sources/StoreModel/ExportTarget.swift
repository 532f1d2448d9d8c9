/// A directory of another program in which all installed sticker packs are kept in step.
public struct ExportTarget: Sendable, Hashable, Codable {
    /// The name of the format, such as `deltachat`.
    public var format: String
    /// The absolute path of the directory.
    public var directory: String

    /// Creates the description of a directory in which the installed sticker packs are kept.
    public init(format: String, directory: String) {
        self.format = format
        self.directory = directory
    }
}
