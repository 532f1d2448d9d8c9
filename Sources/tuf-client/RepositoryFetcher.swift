import ArgumentParser
import FoundationEssentials
import StoreModel
import StoreTransfers
import StoreTrust

/// Fetches the metadata and the files of a repository by their URLs.
struct RepositoryFetcher: Sendable {
    let engine: TransferEngine
    /// The URL of the repository's metadata.
    let metadata: String
    /// The URL of the repository's files.
    let targets: String

    /// Fetches a metadata file; returns `nil` if the repository has none of that name.
    func metadata(_ request: MetadataRequest) async throws -> Data? {
        let (response, body) = try await fetch(
            try Self.url(metadata, request.remoteName), limit: request.limit, tooLong: request.tooLong)
        // Servers of object storage answer 403 for a file that does not exist.
        if [403, 404, 410].contains(response.status) { return nil }
        try response.requireSuccess()
        return body
    }

    /// Fetches a file and verifies it.
    func target(_ target: TargetFile, hasConsistentSnapshots: Bool) async throws -> Data {
        let path = target.remotePath(hasConsistentSnapshots: hasConsistentSnapshots)
        let (response, body) = try await fetch(
            try Self.url(targets, Self.encoded(path)), limit: target.length, tooLong: target.tooLong)
        try response.requireSuccess()
        try target.check(body)
        return body
    }

    private func fetch(
        _ url: URL, limit: Int, tooLong: StoreError
    ) async throws -> (response: TransferResponse, body: Data) {
        // The limit is that of the file, and not of the page that a server sends with an error.
        let (response, body): (TransferResponse, Data)
        do {
            (response, body) = try await engine.fetch(
                TransferRequest(url, sizeLimit: max(limit, Self.errorPageLimit), timeouts: Self.timeouts))
        } catch let error as StoreError where error.code == .transferTooLong {
            throw tooLong
        }
        if (200..<300).contains(response.status), body.count > limit { throw tooLong }
        return (response, body)
    }

    private static let errorPageLimit = 64 << 10
    /// A server that sends less than 1 KiB/s could delay an update for ever (slow retrieval attack).
    private static let timeouts = TransferTimeouts(stall: StallLimit(bytes: 30 << 10, in: .seconds(30)))

    private static func url(_ base: String, _ path: String) throws -> URL {
        guard let url = URL(string: base.hasSuffix("/") ? base + path : base + "/" + path), url.scheme != nil else {
            throw ValidationError("invalid URL '\(base)': expected https://… or http://…")
        }
        return url
    }

    /// Returns the path of a file as a URL's path.
    ///
    /// It is one already, according to the specification's section 4.5; whatever a URL's path can't contain is encoded.
    private static func encoded(_ path: String) -> String {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/%!$&'()*+,;=:@".utf8)
        return path.utf8.reduce(into: "") { encoded, byte in
            if allowed.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + Hexadecimal.text([byte]).uppercased()
            }
        }
    }
}
