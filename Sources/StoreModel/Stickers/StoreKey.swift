public import FoundationEssentials

/// A fixed-size key that stands for a store in a message, without telling where the store is.
///
/// A recipient can compare the key with the stores that they have added, but can't derive the address of another store.
public enum StoreKey: Sendable, Hashable {
    /// The fingerprint of the first root of trust of a signed store, which stays the same when the store moves.
    case root(SHA256Digest)
    /// The SHA-256 of the normalised address of a store; see ``init(address:)``.
    case address(SHA256Digest)

    /// The digest of the key, whatever it was computed from.
    public var digest: SHA256Digest {
        switch self {
        case .root(let digest), .address(let digest): digest
        }
    }

    /// Creates the key of a store from the address at which it was added.
    ///
    /// The address is normalised: scheme and host in lower case, no default port, user, password, query or fragment,
    /// percent-encoding only where it is needed (RFC 3986, 6.2.2), and no `catalogue.json` at the end, because a store is
    /// added by the address of its directory or of that document.
    public init(address: URL) { self = .address(SHA256Digest(of: Self.normalized(address).utf8)) }

    /// Returns the text whose hash is the key of a store that has no root of trust.
    static func normalized(_ address: URL) -> String {
        let scheme = address.scheme?.lowercased() ?? ""
        var host = address.host(percentEncoded: false)?.lowercased() ?? ""
        if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
        if host.hasSuffix(".") { host.removeLast() }
        let defaultPort = ["http": 80, "https": 443][scheme]
        let port = address.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        var segments: [String] = []
        for segment in address.path(percentEncoded: true).split(separator: "/").map({ normalized(segment: $0) }) {
            switch segment {
            case ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        if segments.last == "catalogue.json" { segments.removeLast() }
        return "\(scheme)://\(host)\(port)/" + segments.map { $0 + "/" }.joined()
    }

    /// Returns a segment of a path in which exactly the bytes are escaped that have to be.
    private static func normalized(segment: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.map { byte in
            StickerReference.unreserved.contains(byte) || "!$&'()*+,;=:@~_".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text([byte]).uppercased()
        }.joined()
    }
}
