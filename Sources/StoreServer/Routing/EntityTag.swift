import FoundationEssentials
import Hummingbird
import StoreModel

/// A strong HTTP entity tag (RFC 9110, 8.8.3): equal for equal content only.
struct EntityTag: Sendable {
    /// The entity tag as it is written in HTTP headers, with its quotation marks.
    let text: String

    /// Creates an entity tag from an opaque string without quotation marks.
    init(_ opaque: String) { text = "\"\(opaque)\"" }

    /// Creates an entity tag from the hash of the content.
    ///
    /// Computing the hash takes a small part of the time that encoding the content took, needs no bookkeeping, and
    /// can't miss a change.
    init(of bytes: Data) {
        var hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        self.init(of: hasher)
    }

    /// Creates an entity tag from the hash of content that was hashed piece by piece.
    init(of hasher: SHA256Hasher) {
        // 128 bits are enough: the content is the daemon's own, and a collision would be of no use to an attacker.
        self.init(String(hasher.finalize().hex.prefix(32)))
    }

    /// Returns whether the request's `If-None-Match` names this entity tag; `nil` if the request has no such header.
    func matchesIfNoneMatch(of request: Request) -> Bool? {
        request.headers[.ifNoneMatch].map { tags in
            tags.split(separator: ",").contains { element in
                let tag = element.drop { $0 == " " }.prefix { $0 != " " }
                return tag == "*" || tag == text || tag == "W/" + text
            }
        }
    }
}
