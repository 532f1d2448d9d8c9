import FoundationEssentials
import Hummingbird
import Synchronization

/// The answers to the last few different questions of one resource, as bytes: to make a long list takes a hundred times
/// as long as to send it, and front-ends ask for the same one again and again.
///
/// `Mark` is what tells whether such an answer is still true.
final class ResponseCache<Mark: Equatable & Sendable>: Sendable {
    struct Question: Hashable {
        let query: String
        let languages: [String]
    }

    private struct Entry {
        let question: Question
        let mark: Mark
        let document: TaggedDocument
    }

    /// The last asked for last.
    private let entries = Mutex<[Entry]>([])
    /// So many front-ends with a question of their own are served from here; they seldom are more than one.
    private let limit = 4

    /// The document as it is kept, or as `make` makes it.
    func document(
        for question: Question, as mark: Mark, _ make: () throws -> Data
    ) rethrows -> TaggedDocument {
        let kept = entries.withLock { $0.last { $0.question == question && $0.mark == mark } }
        // Made outside the lock: who asks the same meanwhile makes it too, and nobody waits.
        let document = try kept?.document ?? TaggedDocument(make())
        let entry = Entry(question: question, mark: mark, document: document)
        entries.withLock { entries in
            entries.removeAll { $0.question == question }
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

extension Call {
    /// Answers with a document that is kept as long as `mark` stays the same. It may depend on nothing else but the query
    /// and the languages of whoever asks.
    func answer<Mark>(
        from documents: ResponseCache<Mark>, as mark: Mark, _ make: () throws -> Data
    ) rethrows -> Response {
        let question = ResponseCache<Mark>.Question(
            query: request.uri.query ?? "", languages: route.hasLanguage ? languages : [])
        return answer(try documents.document(for: question, as: mark, make), type: "application/json")
    }
}
