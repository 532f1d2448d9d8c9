import FoundationEssentials
import StoreModel
import StoreSystem

/// The file `web-tokens.json` in the data directory: the access tokens of programs that use the web listener.
///
/// It contains the hashes of the tokens only, and is readable by its user only.
struct WebTokenFile {
    let directory: Directory
    static let name = "web-tokens.json"

    /// An access token as it is kept.
    struct Entry: Codable, Sendable, Equatable {
        var token: WebToken
        /// The hash of the token's secret.
        var digest: SHA256Digest
    }

    private struct Content: Codable {
        var tokens: [Entry]
    }

    /// Reads the tokens; a file that does not exist is an empty list.
    ///
    /// - Throws: `web.malformed-tokens`, or a file error.
    func read() throws -> [Entry] {
        guard try directory.status(of: Self.name) != nil else { return [] }
        do {
            return try JSON.decode(Content.self, from: directory.read(Self.name)).tokens
        } catch let error as DecodingError {
            throw StoreError(.webTokensUnreadable, ["path": .path(directory.path(of: Self.name))], cause: error)
        }
    }

    /// Replaces the tokens atomically and durably.
    func write(_ tokens: [Entry]) throws {
        try directory.prepareReplacement(of: Self.name, with: JSON.encode(Content(tokens: tokens), pretty: true))
            .commit()
    }
}
