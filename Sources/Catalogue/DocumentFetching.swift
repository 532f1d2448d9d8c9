public import FoundationEssentials

/// Brings a document from its address: over the network, or in a test out of a dictionary.
public protocol DocumentFetching: Sendable {
    /// - Parameters:
    ///   - ifNoneMatch: the entity tag of the document that is there already.
    ///   - ifModifiedSince: its `Last-Modified`, word for word as the server sent it.
    ///   - sizeLimit: in bytes; no more than that is read.
    /// - Throws: what the network or the server failed with, after all retries; `CancellationError`.
    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument
}

/// What came of asking for a document.
public enum FetchedDocument: Sendable {
    /// It is the one that is there already (304).
    case notModified
    /// There is nothing at the address (404, 410; a file that does not exist).
    case missing
    /// It has more bytes than the limit.
    case tooLarge
    /// - Parameters:
    ///   - url: where it was found in the end, after redirections.
    case document(Data, etag: String?, lastModified: String?, url: URL)
}
