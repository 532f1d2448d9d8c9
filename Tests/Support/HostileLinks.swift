import Foundation

/// The corpus of hostile `storectl:` links in `Tests/Links/hostile.json`.
public struct HostileLinks: Decodable, Sendable {
    /// The links that are refused.
    public let refused: [String]
    /// The links that are well-formed, and open a page: of a product, or one that says what is missing.
    public let pages: [String]

    /// Reads the corpus.
    public static func load() throws -> HostileLinks {
        let file = DocumentedErrorCodes.sources.deletingLastPathComponent().appending(path: "Tests/Links/hostile.json")
        return try JSONDecoder().decode(HostileLinks.self, from: Data(contentsOf: file))
    }
}
