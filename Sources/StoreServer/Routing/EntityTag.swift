import FoundationEssentials
import Hummingbird
import StoreModel

/// A strong tag of an answer (RFC 9110, 8.8.3): the same for the same bytes, and another for any other.
struct EntityTag: Sendable {
    /// As it stands in headers, with its quotation marks.
    let text: String

    /// - Parameter name: without quotation marks.
    init(_ name: String) { text = "\"\(name)\"" }

    /// Made from the bytes themselves, which costs a small part of what making them did: so nothing has to be kept, and no
    /// change can be missed.
    init(of bytes: Data) {
        var hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        // Half of it: nobody gains by two answers of the same tag.
        self.init(String(hasher.finalize().hex.prefix(32)))
    }

    /// Whether whoever asks has these bytes already; `nil` where the request names no tags.
    func isKnown(to request: Request) -> Bool? {
        request.headers[.ifNoneMatch].map { tags in
            tags.split(separator: ",").contains { given in
                let given = given.drop { $0 == " " }.prefix { $0 != " " }
                return given == "*" || given == text || given == "W/" + text
            }
        }
    }
}
