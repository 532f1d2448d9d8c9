import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization

/// An in-memory document server that records its requests.
final class DocumentServer: DocumentFetching {
    struct Request: Equatable {
        var path: String
        var ifNoneMatch: String?
    }

    private struct State {
        var documents: [String: (data: Data, etag: String?)] = [:]
        var redirects: [String: String] = [:]
        var requests: [Request] = []
        var failure: (any CodedError)?
    }

    private let state = Mutex(State())
    static let base = "https://store.example"

    func put(_ data: Data, at path: String, etag: String? = nil) {
        state.withLock { $0.documents[path] = (data, etag) }
    }
    func remove(_ path: String) { state.withLock { $0.documents[path] = nil } }
    func redirect(_ path: String, to other: String) { state.withLock { $0.redirects[path] = other } }
    func fail(with error: (any CodedError)?) { state.withLock { $0.failure = error } }

    /// Returns the requests since the previous call.
    func takeRequests() -> [Request] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    func fetch(
        _ url: URL, ifNoneMatch: String?, ifModifiedSince: String?, sizeLimit: Int
    ) async throws -> FetchedDocument {
        try state.withLock { state in
            var path = String(url.absoluteString.dropFirst(Self.base.count))
            state.requests.append(Request(path: path, ifNoneMatch: ifNoneMatch))
            if let failure = state.failure { throw failure }
            path = state.redirects[path] ?? path
            guard let document = state.documents[path] else { return .missing }
            if let etag = document.etag, etag == ifNoneMatch { return .notModified }
            if document.data.count > sizeLimit { return .tooLarge }
            return .document(document.data, etag: document.etag, lastModified: nil, url: URL(string: Self.base + path)!)
        }
    }
}
