public import StoreTrust

/// A role that signs metadata of a store: a top-level role, or that of a publisher.
public struct SignedRole: Sendable, Hashable {
    /// The name of the role, which is that of the publisher.
    public let rawValue: String

    /// Creates a top-level role.
    public init(_ role: TopLevelRole) { rawValue = role.rawValue }

    /// Creates the role of a publisher.
    public init(publisher: String) { rawValue = publisher }

    public static let root = SignedRole(.root)
    public static let targets = SignedRole(.targets)
    public static let snapshot = SignedRole(.snapshot)
    public static let timestamp = SignedRole(.timestamp)

    /// The top-level role; `nil` for the role of a publisher, which has none of their names.
    public var topLevel: TopLevelRole? { TopLevelRole(rawValue: rawValue) }
    /// The name of the role's metadata file without version, such as `root.json`.
    public var file: String { rawValue + ".json" }
}
