import FoundationEssentials
import StoreCatalogue
import StoreDownloads
import StoreModel
import StoreSettings
import StoreTransfers

/// A fetcher of catalogue documents over the network, which retries after transient failures.
struct CatalogueFetcher: DocumentFetching {
    let transfers: any Transferring
    var timeouts: TransferTimeouts
    var retry: RetryPolicy
    /// A function that returns the value of the HTTP header `Authorization` for a URL; `nil` sends none.
    let authorization: @Sendable (URL) -> String?
    /// Returns the addresses to which a request may connect.
    let addresses: @Sendable () -> AddressPolicy
    /// Called with each response before its body is used.
    var didRespond: @Sendable (TransferResponse) -> Void = { _ in }

    /// The number of bytes of a response that are read in any case, because a server's error page may be larger than the
    /// document.
    private static let errorPageLimit = 64 << 10

    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument {
        var headers: TransferHeaders = ["Accept": "application/json, */*;q=0.1"]
        if let ifNoneMatch { headers["If-None-Match"] = ifNoneMatch }
        if let ifModifiedSince { headers["If-Modified-Since"] = ifModifiedSince }
        headers["Authorization"] = authorization(url)
        var request = TransferRequest(
            url, headers: headers, sizeLimit: max(sizeLimit, Self.errorPageLimit), timeouts: timeouts)
        var attempt = 1
        while true {
            do {
                request.addresses = addresses()
                let fetched = try await fetch(request)
                if case .document(let data, _, _, _) = fetched, data.count > sizeLimit { return .tooLarge }
                return fetched
            } catch let error as StoreError where error.isTransferFailure {
                if error.code == .transferTooLong { return .tooLarge }
                // Without a network, an older document from the cache is of more use than a wait.
                guard error.isTransient, !error.lacksNetwork,
                    let wait = retry.wait(after: attempt, retryAfter: error.retryAfter, jitter: .random(in: 0...1))
                else { throw error }
                try await Task.sleep(for: wait)
                attempt += 1
            }
        }
    }

    private func fetch(_ request: TransferRequest) async throws -> FetchedDocument {
        let (response, body) = try await transfers.fetch(request)
        didRespond(response)
        switch response.status {
        case 304: return .notModified
        case 404, 410: return .missing
        default:
            try response.requireSuccess()
            return .document(
                body, etag: response.etag, lastModified: response.headers["last-modified"], url: response.effectiveURL)
        }
    }
}

extension CatalogueFetcher {
    /// Creates the fetcher of the documents of a store's catalogue and metadata, with the store's credentials.
    ///
    /// - Parameter scope: the scope of the store, which its first response decides where it is not known.
    init(
        _ store: StoreConfiguration, scope: StoreScope, transfers: any Transferring, credentials: StoreCredentials,
        addresses: StoreAddresses, settings: Settings
    ) {
        self.init(
            transfers: transfers, timeouts: TransferTimeouts(settings), retry: RetryPolicy(settings),
            authorization: { credentials.authorization(for: store.name, at: $0) },
            addresses: { addresses.policy(in: scope) }, didRespond: { scope.record($0) })
    }
}
