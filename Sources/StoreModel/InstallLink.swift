/// A `storectl:` link, with which a web page or a message proposes the installation of a product.
///
/// A link has the form `storectl:install/ID` or `storectl:install/ID?store=FINGERPRINT`. `ID` is the product's
/// identifier, percent-encoded as one segment of a path (RFC 3986, 2.1); `FINGERPRINT`, 64 lower-case hexadecimal digits,
/// is that of the root with which a signed store is added. A link has no address, so that it can't lead to a store that
/// the user has not added.
///
/// Anything else is refused, because links come from untrusted pages.
///
/// ```swift
/// let link = try InstallLink(parsing: "storectl:install/org.example.cups")
/// print(link.productIdentifier, link.store?.hex ?? "any store")
/// ```
public struct InstallLink: Sendable, Hashable {
    /// The identifier of the product.
    public let productIdentifier: String
    /// The fingerprint of the first root of the store that has the product; `nil` for any store.
    public let store: SHA256Digest?

    /// The scheme of the links, with its colon.
    public static let scheme = "storectl:"
    /// The maximum length of a link in bytes.
    public static let maximumLength = 2_048

    private static let action = "install"
    private static let storeParameter = "store"

    /// Creates a link; `nil` if its text would be too long, or the identifier is empty, `.` or `..`, or has characters
    /// that control a terminal or the writing direction.
    public init?(productIdentifier: String, store: SHA256Digest? = nil) {
        guard Self.isValid(productIdentifier) else { return nil }
        self.productIdentifier = productIdentifier
        self.store = store
        guard text.utf8.count <= Self.maximumLength else { return nil }
    }

    /// Parses the text of a link.
    ///
    /// - Throws: `link.invalid` for any other text.
    public init(parsing text: String) throws(StoreError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw StoreError(.linkTooLong, ["limit": .bytes(Self.maximumLength)])
        }
        guard text.utf8.starts(with: Self.scheme.utf8) else {
            throw StoreError(.linkOfOtherScheme, ["link": .untrusted(text)])
        }
        let parts = text.utf8.dropFirst(Self.scheme.utf8.count)
            .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard !path[0].isEmpty else { throw StoreError(.linkActionMissing) }
        guard path[0].elementsEqual(Self.action.utf8) else {
            throw StoreError(.linkActionUnknown, ["action": .untrusted(String(decoding: path[0], as: UTF8.self))])
        }
        guard path.count == 2, let identifier = Self.identifier(path[1]) else {
            let segment = path.count == 2 ? String(decoding: path[1], as: UTF8.self) : ""
            throw StoreError(.linkProductInvalid, ["product": .untrusted(segment)])
        }
        productIdentifier = identifier
        store = try parts.count == 2 ? Self.store(in: parts[1]) : nil
    }

    /// The link as text.
    public var text: String {
        Self.scheme + Self.action + "/" + PathSegment.encode(productIdentifier)
            + (store.map { "?\(Self.storeParameter)=\($0.hex)" } ?? "")
    }

    /// Returns the fingerprint in the query of a link, which has exactly that one parameter.
    private static func store(in query: Substring.UTF8View) throws(StoreError) -> SHA256Digest {
        let sides = query.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard sides[0].elementsEqual(storeParameter.utf8) else {
            throw StoreError(
                .linkParameterUnknown, ["parameter": .untrusted(String(decoding: sides[0], as: UTF8.self))])
        }
        let value = sides.count == 2 ? String(decoding: sides[1], as: UTF8.self) : ""
        guard let digest = SHA256Digest(hex: value), digest.hex.utf8.elementsEqual(value.utf8) else {
            throw StoreError(.linkStoreInvalid, ["store": .untrusted(value)])
        }
        return digest
    }

    /// Returns the identifier that a segment of a link encodes; `nil` for a segment that no link has.
    private static func identifier(_ segment: Substring.UTF8View) -> String? {
        let text = String(decoding: segment, as: UTF8.self)
        // What a URL has to encode stays no part of an identifier only because a browser passed it on as it is.
        guard segment.allSatisfy({ unescaped.contains($0) }), let identifier = PathSegment.decode(text),
            isValid(identifier)
        else { return nil }
        return identifier
    }

    /// The bytes of a segment: those that need no percent-encoding (RFC 3986, 2.3), and the percent sign.
    private static let unescaped = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%".utf8)

    private static func isValid(_ identifier: String) -> Bool {
        // The dot segments would lead to another page.
        !identifier.isEmpty && identifier != "." && identifier != ".."
            && identifier.utf8.elementsEqual(identifier.displayable.utf8)
    }
}
