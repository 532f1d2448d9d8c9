import FoundationEssentials
import Hummingbird
import Synchronization

/// The answers to the last few different questions of one resource, as bytes: to make a long list takes a hundred times
/// as long as to send it, and front-ends ask for the same one again and again.
///
/// `Version` is what tells whether such an answer is still true.
final class ResponseCache<Version: Equatable & Sendable>: Sendable {
    struct Key: Hashable {
        let query: String
        let languages: [String]
    }

    private struct Entry {
        let key: Key
        let version: Version
        let document: TaggedDocument
    }

    /// The last asked for last.
    private let entries = Mutex<[Entry]>([])
    /// So many front-ends with a key of their own are served from here; they seldom are more than one.
    private let limit = 4

    /// The document as it is kept, or as `make` makes it.
    func document(
        for key: Key, as version: Version, _ make: () throws -> Data
    ) rethrows -> TaggedDocument {
        let kept = entries.withLock { $0.last { $0.key == key && $0.version == version } }
        // Made outside the lock: who asks the same meanwhile makes it too, and nobody waits.
        let document = try kept?.document ?? TaggedDocument(make())
        let entry = Entry(key: key, version: version, document: document)
        entries.withLock { entries in
            entries.removeAll { $0.key == key }
            entries.append(entry)
            entries.removeFirst(max(0, entries.count - limit))
        }
        return document
    }
}

/// Bytes with their tag.
struct TaggedDocument: Sendable {
    let bytes: ByteBuffer
    let tag: EntityTag

    init(_ bytes: Data) {
        self.bytes = ByteBuffer(bytes: bytes)
        tag = EntityTag(of: bytes)
    }
}

extension APIRequest {
    /// Answers with a document that is kept as long as `version` stays the same. It may depend on nothing else but the query
    /// and the languages of whoever asks.
    func answer<Version>(
        from documents: ResponseCache<Version>, as version: Version, _ make: () throws -> Data
    ) rethrows -> Response {
        let key = ResponseCache<Version>.Key(
            query: httpRequest.uri.query ?? "", languages: route.hasLanguage ? languages : [])
        return answer(try documents.document(for: key, as: version, make), type: "application/json")
    }
}
