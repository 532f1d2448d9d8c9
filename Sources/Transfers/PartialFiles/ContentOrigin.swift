import FoundationEssentials
import StoreModel

/// The URL from which the bytes of a file were received, and the strong entity tag that the file had there.
///
/// Where no hash is known, this alone proves that bytes on the disk belong to the file that the server has now. Another
/// URL may have the same tag for another file.
struct ContentOrigin: Sendable, Hashable {
    /// The SHA-256 of the URL, which itself may contain secrets.
    let urlDigest: SHA256Digest
    /// The strong entity tag with its quotation marks.
    let tag: String

    /// Creates an origin from recorded values; `nil` where the tag is not a strong one (RFC 9110, 8.8.3).
    init?(urlDigest: SHA256Digest, tag: String) {
        let inner = tag.utf8.dropFirst().dropLast()
        guard tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            inner.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") })
        else { return nil }
        (self.urlDigest, self.tag) = (urlDigest, tag)
    }

    /// Creates the origin of bytes from a URL; `nil` where the server sent no strong tag.
    init?(_ url: URL, tag: String?) {
        guard let tag else { return nil }
        self.init(urlDigest: Self.digest(of: url), tag: tag)
    }

    /// Returns whether the bytes came from a URL.
    func isFrom(_ url: URL) -> Bool { urlDigest == Self.digest(of: url) }

    private static func digest(of url: URL) -> SHA256Digest { SHA256Digest(of: url.absoluteString.utf8) }
}
