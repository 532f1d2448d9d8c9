import FoundationEssentials
import StoreCatalogue
import StoreTrust

/// The answer of a signed store to the question whether its timestamp is still the accepted one.
enum CurrentTimestamp: Sendable {
    /// The timestamp is unchanged, so that the stored metadata is still the newest.
    case unchanged(VerifiedMetadata)
    /// There is another timestamp, not verified yet.
    case fetched(Data, etag: String?, lastModified: String?)
    /// It was not asked, or there was no usable answer.
    case unknown
}

/// The timestamp that a server sent for an update, so that the update requests it only once.
actor ReceivedTimestamp {
    private var content: (data: Data, etag: String?, lastModified: String?)?

    init(_ timestamp: CurrentTimestamp) {
        if case .fetched(let data, let etag, let lastModified) = timestamp { content = (data, etag, lastModified) }
    }

    /// The timestamp; `nil` if it has to be fetched.
    var data: Data? { content?.data }

    /// Records the server's answer to the request for the timestamp, and returns the timestamp; `nil` if there is none.
    func set(_ fetched: FetchedDocument) -> Data? {
        guard case .document(let data, let etag, let lastModified, _) = fetched else { return nil }
        content = (data, etag, lastModified)
        return data
    }

    /// Forgets the timestamp, which was fetched before a newer root: other keys may sign it now.
    func discard() { content = nil }

    /// Returns the entity tag and the modification time of a timestamp; `nil` for one that the server did not send.
    func validators(of timestamp: Data) -> (etag: String?, lastModified: String?) {
        guard let content, content.data == timestamp else { return (nil, nil) }
        return (content.etag, content.lastModified)
    }
}
