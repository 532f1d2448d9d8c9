public import FoundationEssentials

/// A type that fetches documents from URLs: over the network, or in tests from a dictionary.
public protocol DocumentFetching: Sendable {
    /// Fetches a document from a URL, unless the cached document is still current.
    ///
    /// - Parameters:
    ///   - url: the document's URL.
    ///   - ifNoneMatch: the entity tag of the cached document.
    ///   - ifModifiedSince: the `Last-Modified` of the cached document, exactly as the server sent it.
    ///   - sizeLimit: the maximum size in bytes.
    /// - Throws: the error of the network or the server after all retries, or `CancellationError`.
    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument
}

/// The result of a conditional request for a document.
public enum FetchedDocument: Sendable {
    /// The server responded that the cached document is still current (status 304).
    case notModified
    /// The server has no document at the URL (status 404 or 410), or the local file does not exist.
    case missing
    /// The document at the URL exceeds the size limit of the request.
    case tooLarge
    /// The document was fetched from its URL.
    ///
    /// The associated values are its bytes, the entity tag and the modification time as the server sent them, and the
    /// URL after redirects.
    case document(Data, etag: String?, lastModified: String?, url: URL)
}
