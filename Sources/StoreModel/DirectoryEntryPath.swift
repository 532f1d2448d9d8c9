/// A property wrapper for the path of a file or directory that is stored as its parent's path and its name.
///
/// Descriptions of thousands of files in one directory then share the directory's path. In JSON it is one string.
@propertyWrapper
public struct DirectoryEntryPath: Sendable, Hashable, Codable {
    /// The path of the parent directory, without a slash at the end; `nil` if ``name`` is the whole path.
    private let parent: String?
    private let name: String

    /// The whole path.
    public var wrappedValue: String {
        get { parent.map { $0 + "/" + name } ?? name }
        set { self = DirectoryEntryPath(wrappedValue: newValue) }
    }

    /// Creates the wrapper of a path.
    public init(wrappedValue: String) { (parent, name) = (nil, wrappedValue) }

    /// Creates the path of an entry of the directory with the path `parent`, whose text is shared.
    public init(of name: String, in parent: String) { (self.parent, self.name) = (parent == "/" ? "" : parent, name) }

    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }

    public static func == (a: DirectoryEntryPath, b: DirectoryEntryPath) -> Bool {
        a.parent == b.parent ? a.name == b.name : a.wrappedValue == b.wrappedValue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
