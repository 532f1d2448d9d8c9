public import FoundationEssentials

/// An access token of a program that uses the daemon's web listener, without its secret.
public struct WebToken: Sendable, Hashable, Codable {
    /// The identifier of the token, which is not secret.
    public var id: String
    /// The name that the user gave the token.
    public var name: String
    /// What the token permits.
    public var scopes: [WebScope]
    /// When the token was created.
    public var createdAt: Date

    /// The maximum length of a token's name, in characters of Unicode (code points), which is that of a store's name.
    public static let maximumNameLength = 64

    /// Returns whether a name is short enough for a token.
    public static func isShortEnough(_ name: String) -> Bool {
        name.unicodeScalars.prefix(maximumNameLength + 1).count <= maximumNameLength
    }

    /// Creates the description of an access token.
    public init(id: String, name: String, scopes: [WebScope], createdAt: Date) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
    }
}
