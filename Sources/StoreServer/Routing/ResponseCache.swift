import FoundationEssentials
import Hummingbird
import Synchronization

/// A cache of encoded responses to HTTP requests for one resource, evicted least recently used first.
///
/// Encoding a long list takes a hundred times as long as sending it, and front-ends request the same list again and
/// again. An entry is valid as long as `Version`, which the caller computes from the content, stays the same.
final class ResponseCache<Version: Equatable & Sendable>: Sendable {
    /// The properties of an HTTP request that its response depends on, besides the version of the content.
    struct Key: Hashable {
        let query: String
        let languages: [String]
    }

    private struct Entry {
        let key: Key
        let version: Version
        let tag: EntityTag
        /// The document; `nil` if it is too long to be cached.
        let document: TaggedDocument?
    }

    /// The cached responses in the order of use, the most recent last.
    private let entries = Mutex<[Entry]>([])
    /// The maximum number of cached responses to requests for one resource.
    ///
    /// It is enough for several front-ends with different requests; there is rarely more than one.
    private let capacity = 4
    /// The size in bytes above which only the tag of a document is cached.
    ///
    /// A client that has the document is then still answered at once, and several copies of a list of ten thousand packs do not
    /// stay in memory.
    private let sizeLimit = 1 << 20

    /// Returns the tag of the document that a request for this version had last; `nil` if the cache does not know it.
    func tag(for key: Key, version: Version) -> EntityTag? {
        entries.withLock { entries in
            guard let index = entries.lastIndex(where: { $0.key == key && $0.version == version }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.tag
        }
    }

    /// Returns the cached response for a request, or encodes and caches it.
    ///
    /// - Parameters:
    ///   - version: the version of the content that the caller is about to encode.
    ///   - make: encodes the content.
    /// - Throws: the errors of `make`; nothing is cached then.
    func document(
        for key: Key, version: Version, _ make: () throws -> Data
    ) rethrows -> TaggedDocument {
        let cached = entries.withLock { $0.last { $0.key == key && $0.version == version } }
        // Encoded outside the lock: concurrent requests may do the same work twice, but none waits for another.
        let document = try cached?.document ?? TaggedDocument(make())
        let isCached = document.bytes.readableBytes <= sizeLimit
        let entry = Entry(key: key, version: version, tag: document.tag, document: isCached ? document : nil)
        entries.withLock { entries in
            entries.removeAll { $0.key == key }
            entries.append(entry)
            entries.removeFirst(max(0, entries.count - capacity))
        }
        return document
    }
}

extension APIRequest {
    /// Returns the HTTP response from a cache; encodes the content with `make` if the cache has none of this version.
    ///
    /// The content may depend on nothing but its version, the request's query and the accepted languages.
    func response<Version>(
        from cache: ResponseCache<Version>, version: Version, _ make: () throws -> Data
    ) rethrows -> Response {
        let key = ResponseCache<Version>.Key(
            query: httpRequest.uri.query ?? "", languages: route.variesByLanguage ? languages : [])
        if let tag = cache.tag(for: key, version: version), tag.matchesIfNoneMatch(of: httpRequest) == true {
            return response(ResponseBody(), tag: tag, mediaType: "application/json")
        }
        return response(try cache.document(for: key, version: version, make), mediaType: "application/json")
    }
}
