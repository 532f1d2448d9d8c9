import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreTrust

/// A fetcher of a signed store's metadata and catalogue files, with the same retries and credentials as its catalogue.
struct MetadataFetcher: Sendable {
    let location: StoreLocation
    let documents: any DocumentFetching

    /// Fetches a metadata file; `nil` if the store has none of that name.
    ///
    /// - Throws: the error of the network or of the server; `trust.too-large`; `trust.missing` if its name makes no URL.
    func metadata(_ request: MetadataRequest) async throws -> Data? {
        do {
            guard
                case .document(let data, _, _, _) = try await fetch(
                    request.remoteName, limit: request.limit, tooLong: request.tooLong)
            else { return nil }
            return data
        } catch let error as StoreError
            where error.template == .transferAccessRefused && request.file == TopLevelRole.root.file
        {
            // Servers of object storage answer 403 for a file that does not exist, as the next root usually does not.
            return nil
        }
    }

    /// Fetches the store's timestamp unless it is unchanged.
    ///
    /// - Parameters:
    ///   - etag: the entity tag of the accepted timestamp; `nil` requests it without a condition on it.
    ///   - lastModified: the modification time of the accepted timestamp as the server sent it.
    func timestamp(etag: String?, lastModified: String?, limits: TrustLimits) async throws -> FetchedDocument {
        let (file, limit) = (TopLevelRole.timestamp.file, limits.timestampLength)
        return try await fetch(
            file, limit: limit, etag: etag, lastModified: lastModified,
            tooLong: StoreError(.trustTooLong, ["file": .untrusted(file), "limit": .bytes(limit)]))
    }

    private func fetch(
        _ name: String, limit: Int, etag: String? = nil, lastModified: String? = nil, tooLong: StoreError
    ) async throws -> FetchedDocument {
        guard let url = location.metadata(name) else { throw StoreError(.trustFileMissing, ["file": .untrusted(name)]) }
        let fetched = try await documents.fetch(
            url, ifNoneMatch: etag, ifModifiedSince: lastModified, sizeLimit: limit)
        if case .tooLarge = fetched { throw tooLong }
        return fetched
    }
}

/// A fetcher of the top document of a signed catalogue, which is limited to the length that was signed.
struct TargetFetcher: DocumentFetching {
    let documents: any DocumentFetching
    let target: TargetFile
    /// The URL of the top document.
    let url: URL

    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument {
        guard url == self.url, target.length < sizeLimit else {
            return try await documents.fetch(
                url, ifNoneMatch: ifNoneMatch, ifModifiedSince: ifModifiedSince, sizeLimit: sizeLimit)
        }
        let fetched = try await documents.fetch(
            url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: target.length)
        if case .tooLarge = fetched { throw target.tooLong }
        return fetched
    }
}
